"""Settings of the whole suite: examples are found again by everyone, and no test is judged by its time."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite", deadline=None, derandomize=True, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")
