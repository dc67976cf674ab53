"""Settings of the tests: reproducible examples, and no deadlines."""

from hypothesis import HealthCheck, settings

settings.register_profile("stomp", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("stomp")
