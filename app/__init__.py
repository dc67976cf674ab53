"""The doors: command line and HTTP service. No field name of any protocol stands here."""
