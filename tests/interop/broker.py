"""Real brokers for the interop tests: RabbitMQ 4.0 of Debian 13 in a tree of its own, and Debian 12's Mosquitto.

Only what prepares, starts and ends them lives here. `python -m tests.interop.broker prepare` makes the tree,
`python -m tests.interop.broker run` starts a broker and prints where it listens until it is interrupted.

Debian 12's own RabbitMQ is 3.10, which knows neither AMQP 1.0 without a plugin nor MQTT 5.0. The tree is made by
debootstrap with its default mirror, once, in a cache folder; every broker has a data folder and ports of its own.
"""

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SUITE = "trixie"
"""Debian 13, whose rabbitmq-server is 4.0.5: what profile rabbitmq-4.0 was made from."""
PATIENCE = 120
"""Seconds that a broker may take to start."""

_CONF = """\
listeners.tcp.1 = 127.0.0.1:{amqp}
mqtt.listeners.tcp.1 = 127.0.0.1:{mqtt}
stream.listeners.tcp.1 = 127.0.0.1:{stream}
stomp.listeners.tcp.1 = 127.0.0.1:{stomp}
log.file = false
log.console = true
log.console.level = warning
total_memory_available_override_value = 2GB
disk_free_limit.absolute = 1MB
"""
_ENDS = (signal.SIGINT, signal.SIGTERM)


class NoBrokerError(Exception):
    """There is no broker here; the text is the reason, for people."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker listens: AMQP 0.9.1 and 1.0 share `amqp`, `stomp` is 0 where it is not known. User and password: guest."""

    host: str
    amqp: int
    mqtt: int
    stomp: int = 0

    @property
    def amqp_url(self) -> str:
        return f"amqp://guest:guest@{self.host}:{self.amqp}"


def cache() -> Path:
    """The folder of trees that were prepared before."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mqconvert"


def named() -> Broker | None:
    """The broker that MQCONVERT_RABBITMQ names as HOST:AMQP_PORT:MQTT_PORT, or None without that variable."""
    name = os.environ.get("MQCONVERT_RABBITMQ")
    if not name:
        return None
    match name.rsplit(":", 2):
        case [host, amqp, mqtt] if amqp.isdigit() and mqtt.isdigit():
            return Broker(host, int(amqp), int(mqtt))
    raise NoBrokerError(f"MQCONVERT_RABBITMQ is HOST:AMQP_PORT:MQTT_PORT, not {name!r}")


def prepare() -> Path:
    """The tree with rabbitmq-server in it; made when there is none yet, which takes about a minute."""
    tree = cache() / f"rabbitmq-{SUITE}"
    if os.geteuid() != 0:
        raise NoBrokerError("a chroot of Debian 13 needs root; name a running broker with MQCONVERT_RABBITMQ")
    if shutil.which("apt-get") is None:
        raise NoBrokerError("a tree of Debian 13 is made on Debian only; name a running broker with MQCONVERT_RABBITMQ")
    tree.parent.mkdir(parents=True, exist_ok=True)
    with (tree.parent / f"{tree.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two suites at once make one tree
        if not tree.exists():
            unfinished = tree.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            _make_tree(unfinished)
            unfinished.rename(tree)
    return tree


def _make_tree(tree: Path) -> None:
    _installed("debootstrap")
    _run("debootstrap", "--variant=minbase", SUITE, str(tree))
    # Nothing that is installed in the tree may start: invoke-rc.d asks this file, 101 is "forbidden".
    policy = tree / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    quick = ["--no-install-recommends", "-o", "Dpkg::Options::=--force-unsafe-io"]
    _run("chroot", str(tree), "apt-get", "install", "-qy", *quick, "rabbitmq-server")
    _run("chroot", str(tree), "apt-get", "clean")
    (tree / "etc/hosts").write_text("127.0.0.1 localhost\n")
    tree.chmod(0o755)


def _installed(package: str) -> None:
    """Debian's package of a command of the same name."""
    if shutil.which(package) is None:
        _run("apt-get", "update", "-q")
        _run("apt-get", "install", "-qy", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", package)


def _run(*command: str) -> None:
    done = subprocess.run(
        command,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stdout.strip().splitlines()[-3:]
        raise NoBrokerError(f"`{' '.join(command)}` failed: {' / '.join(last)}")


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 that nobody listens on at the moment."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextlib.contextmanager
def rabbitmq() -> Iterator[Broker]:
    """The broker that MQCONVERT_RABBITMQ names, or one made for the time of the `with` block."""
    broker = named()
    if broker is not None:
        yield broker
        return
    tree = prepare()
    data = Path(tempfile.mkdtemp(prefix="mqconvert-", dir=tree / "var/lib"))
    try:
        with _started(tree, data) as started:
            yield started
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextlib.contextmanager
def _started(tree: Path, data: Path) -> Iterator[Broker]:
    amqp, mqtt, stream, stomp, epmd, dist = free_ports(6)
    (data / "rabbitmq.conf").write_text(_CONF.format(amqp=amqp, mqtt=mqtt, stream=stream, stomp=stomp))
    (data / "enabled_plugins").write_text("[rabbitmq_mqtt,rabbitmq_stomp,rabbitmq_stream].\n")
    _run("chroot", str(tree), "chown", "-R", "rabbitmq:rabbitmq", _inside(tree, data))
    home = _inside(tree, data)
    env = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "LC_ALL": "C.UTF-8",
        "HOME": home,
        "ERL_EPMD_PORT": str(epmd),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": "rabbit@localhost",
        "RABBITMQ_DIST_PORT": str(dist),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} -start_epmd false",
        "RABBITMQ_CONFIG_FILE": f"{home}/rabbitmq.conf",
        "RABBITMQ_ENABLED_PLUGINS_FILE": f"{home}/enabled_plugins",
        "RABBITMQ_MNESIA_BASE": f"{home}/mnesia",
        "RABBITMQ_LOG_BASE": f"{home}/log",
        "RUNNING_UNDER_SYSTEMD": "yes",  # the start script then becomes the Erlang VM: one process, one pid
    }
    chroot = ["chroot", "--userspec=rabbitmq:rabbitmq", str(tree)]
    with (data / "output").open("w+") as output:
        names = subprocess.Popen(
            [*chroot, "epmd", "-port", str(epmd), "-address", "127.0.0.1"], env=env, stdout=output, stderr=output
        )
        try:
            _until_listening(names, epmd, output.name)
            server = subprocess.Popen(
                [*chroot, "/usr/lib/rabbitmq/bin/rabbitmq-server"],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            try:
                for port in (amqp, mqtt, stream, stomp):
                    _until_listening(server, port, output.name)
                yield Broker("127.0.0.1", amqp, mqtt, stomp)
            finally:
                _end(server)
        finally:
            _end(names)


def _inside(tree: Path, path: Path) -> str:
    return f"/{path.relative_to(tree)}"


def _until_listening(process: "subprocess.Popen[bytes]", port: int, output: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            last = Path(output).read_text(errors="replace").strip().splitlines()[-5:]
            raise NoBrokerError(f"the broker ended with status {process.returncode} while starting: {' / '.join(last)}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise NoBrokerError(f"nobody listens on port {port} after {PATIENCE} seconds")


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def mosquitto(*, refusing: bool = False) -> Iterator[Broker]:
    """Debian's Mosquitto, a second MQTT 5.0 broker; `amqp` is 0. It takes every user, or none."""
    if shutil.which("mosquitto") is None and (os.geteuid() != 0 or shutil.which("apt-get") is None):
        raise NoBrokerError("mosquitto is not installed, and only root on Debian can install it")
    _installed("mosquitto")
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="mqconvert-") as folder:
        conf = Path(folder, "mosquitto.conf")
        users = "password_file /dev/null" if refusing else "allow_anonymous true"
        conf.write_text(f"listener {port} 127.0.0.1\n{users}\npersistence false\nlog_dest none\nuser root\n")
        with Path(folder, "output").open("w+") as output:
            server = subprocess.Popen(["mosquitto", "-c", str(conf)], stdout=output, stderr=subprocess.STDOUT)
            try:
                _until_listening(server, port, output.name)
                yield Broker("127.0.0.1", 0, port)
            finally:
                _end(server)


def main(arguments: list[str]) -> int:
    """prepare, or run until interrupted."""
    try:
        if arguments == ["prepare"]:
            print(prepare())
            return 0
        if arguments == ["run"]:
            with rabbitmq() as broker:
                signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
                print(f"MQCONVERT_RABBITMQ={broker.host}:{broker.amqp}:{broker.mqtt}", flush=True)
                signal.sigwait(_ENDS)
            return 0
    except NoBrokerError as reason:
        print(reason, file=sys.stderr)
        return 1
    print("usage: python -m tests.interop.broker prepare|run", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
