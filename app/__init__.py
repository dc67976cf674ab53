"""The doors: command line and HTTP service. They know no field names of any protocol."""
