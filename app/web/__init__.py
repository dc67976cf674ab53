"""The pages of the service and what they load. They learn protocols, fields and options from the service's routes."""
