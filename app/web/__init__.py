"""The pages of the service and their files. They learn protocols, fields and options from the service's routes."""
