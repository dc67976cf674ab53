"""Examples are found again by everyone, and no test is judged by its time."""

from hypothesis import HealthCheck, settings

settings.register_profile("stomp", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("stomp")
