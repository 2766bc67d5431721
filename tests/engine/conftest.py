"""Hypothesis without deadlines, because the time that an example takes depends on the machine."""

from hypothesis import HealthCheck, settings

settings.register_profile("engine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("engine")
