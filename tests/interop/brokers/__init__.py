"""Real brokers. Each is one file here with one class; BROKERS finds it by itself, and conftest.py makes its fixture.

`python -m tests.interop.brokers prepare [NAME ...]` makes what they need in a cache folder, once; `run NAME` starts one and
prints where it listens until it is interrupted; `measure [NAME ...]` starts them and prints their times and memory.
"""

import importlib
import pkgutil

from tests.interop.brokers.broker import Broker, NoBrokerError

for _module in pkgutil.iter_modules(__path__):
    if _module.name != "__main__":
        importlib.import_module(f"{__name__}.{_module.name}")

BROKERS: dict[str, type[Broker]] = {each.name: each for each in sorted(Broker.__subclasses__(), key=lambda each: each.name)}
"""Every broker by its name."""

__all__ = ["BROKERS", "Broker", "NoBrokerError"]
