"""Tables to functions: reading, checking, compiling and running them, and the notes that a running function takes."""
