"""Tables to functions: read, check, compile and run tables, and record notes while a function runs."""
