"""The JSON form of messages, and its schemas."""
