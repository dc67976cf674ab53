"""The HTTP service: routes, models, limits, metrics. Knows no field of any protocol."""
