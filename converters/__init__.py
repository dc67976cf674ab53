"""The library: messages, codecs, rule tables and the engine that runs them. Imports neither a server nor a client library."""
