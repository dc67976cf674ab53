"""What is said of conversions: the explanation of one, and the forecast for all messages of a protocol."""
