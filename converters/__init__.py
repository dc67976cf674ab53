"""The library: messages, codecs, rule tables and the engine that runs them. Imports no server, no client library."""
