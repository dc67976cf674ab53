"""Real brokers. Each is one file here with one class, which BROKERS finds; conftest.py makes its fixture.

`python -m tests.interop.brokers prepare [NAME ...]` prepares brokers in a cache folder, once. `run NAME` starts one, prints
its ports and waits for Ctrl-C. `measure [NAME ...]` starts them and prints their times and memory.
"""

import importlib
import pkgutil

from tests.interop.brokers.broker import Broker, NoBrokerError

for _module in pkgutil.iter_modules(__path__):
    if _module.name != "__main__":
        importlib.import_module(f"{__name__}.{_module.name}")

BROKERS: dict[str, type[Broker]] = {each.name: each for each in sorted(Broker.__subclasses__(), key=lambda each: each.name)}
"""Every broker by name."""

__all__ = ["BROKERS", "Broker", "NoBrokerError"]
