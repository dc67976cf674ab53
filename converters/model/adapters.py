"""The registry of adapters: which function of mqconvert.clients makes a message of a client library's object.

Classes are known by the name of their package, so that no client library is imported to name its adapter.
"""

ADAPTERS = {
    "pika": ("from_pika", "pika"),
    "proton": ("from_proton", "proton"),
    "paho": ("from_paho", "paho"),
    "aiomqtt": ("from_aiomqtt", "paho"),
    "nsq": ("from_pynsq", "pynsq"),
    "pulsar": ("from_pulsar", "pulsar"),
}
"""Functions by the package of the classes that they read, each with its module in converters/clients."""


def adapter_of(found: type) -> str | None:
    """Return the name of the function that reads objects of a class, or of one that it derives from; None without one.

    >>> from pika import BasicProperties
    >>> adapter_of(BasicProperties), adapter_of(dict)
    ('from_pika', None)
    """
    packages = (one.__module__.partition(".")[0] for one in found.__mro__)
    return next((ADAPTERS[package][0] for package in packages if package in ADAPTERS), None)
