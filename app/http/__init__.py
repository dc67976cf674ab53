"""The HTTP service: routes, models, limits, metrics. No field name of any protocol stands here."""
