"""The interfaces: command line, HTTP service and batch job. They contain no field names of any protocol."""
