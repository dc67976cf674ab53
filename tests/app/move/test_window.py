"""The Window between a source and a target: nothing is settled that the target does not have, whatever fails in between."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from mqconvert import EncodeError, MqConvertError, convert
from mqconvert.app.move.window import BYTES, FIRST, Converted, StopError, Window
from mqconvert.converters.clients.ends import Address, DownError
from mqconvert.converters.protocols.mqtt5 import message as mqtt5


class Source:
    """Keeps what it was asked for."""

    def __init__(self) -> None:
        self.settled: list[Any] = []
        self.rejected: list[Any] = []
        self.allowed: list[int] = []
        self.stopped = False

    def settle(self, token: object) -> None:
        self.settled.append(token)

    def reject(self, token: object, reason: str) -> None:
        self.rejected.append((token, reason))

    def allow(self, unsettled: int) -> None:
        self.allowed.append(unsettled)

    def stop(self) -> None:
        self.stopped = True

    def run(self, window: Any) -> None: ...

    def close(self) -> None: ...


class Target:
    """Keeps what it was sent."""

    blocked = False

    def __init__(self) -> None:
        self.sent: list[tuple[int, Any]] = []

    def send(self, number: int, message: Any, to: Address) -> None:
        assert to == ("there",)
        self.sent.append((number, message))

    def run(self, window: Any) -> None: ...

    def close(self) -> None: ...


class Account:
    def __init__(self) -> None:
        self.moves = 0
        self.codes: list[str] = []
        self.kept: list[str] = []
        self.places: list[dict[str, object]] = []

    def moved(self, _report: Any) -> None:
        self.moves += 1

    def refused(self, error: MqConvertError, **where: object) -> None:
        self.codes.append(error.code)
        self.places.append(where)

    def stays(self, error: MqConvertError) -> None:
        self.kept.append(error.code)

    def note(self, words: str) -> None: ...

    def broken(self, words: str, error: MqConvertError, **where: object) -> None: ...


class Refusals:
    """Takes a refused message into a list, gives it to the source, or stops."""

    def __init__(self, policy: str) -> None:
        self.policy = policy
        self.taken: list[bytes] = []

    def take(self, wire: Callable[[], bytes], error: MqConvertError) -> bool:
        if self.policy == "stop":
            raise StopError(error.message, error)
        if self.policy == "full":
            raise OSError(28, "No space left on device")
        self.taken.append(wire())
        return self.policy == "reject"


REPORT = convert(mqtt5.Message(), "mqtt-5.0").report


def _convert(message: Any) -> Converted:
    if message == "bad":
        raise EncodeError("bad_value", "bad", field="x")
    return Converted(message, ("there",), REPORT)


def _window(policy: str = "file", most: int = 500) -> tuple[Window, Account, Refusals]:
    account, refusals = Account(), Refusals(policy)
    return Window(_convert, lambda message: str(message).encode(), refusals, account, most, lambda: None), account, refusals


REFUSED = EncodeError("bad_value", "refused", field="x")


class Machine(RuleBasedStateMachine):
    """Any order of messages, answers, and lost ends."""

    def __init__(self) -> None:
        super().__init__()
        self.window, self.account, self.refusals = _window()
        self.source: Source | None = None
        self.target: Target | None = None
        self.old: list[Target] = []
        self.given: list[int] = []  # tokens of this source's connection
        self.stored: set[int] = set()  # messages that some target has confirmed
        self.next = 0

    @precondition(lambda self: self.source is None)
    @rule()
    def source_up(self) -> None:
        self.source, self.given = Source(), []
        self.window.opened(self.source)

    @precondition(lambda self: self.source is not None)
    @rule()
    def source_down(self) -> None:
        assert self.source is not None
        self.window.source_down(self.source)
        self.source = None

    @precondition(lambda self: self.source is not None)
    @rule()
    def received(self) -> None:
        assert self.source is not None
        self.next += 1
        self.given.append(self.next)
        self.window.received(self.source, self.next, self.next, 1)

    @precondition(lambda self: self.target is None)
    @rule()
    def target_up(self) -> None:
        self.target = Target()
        self.window.up(self.target)

    @precondition(lambda self: self.target is not None)
    @rule(by_peer=st.booleans())
    def target_down(self, by_peer: bool) -> None:
        assert self.target is not None
        self.window.target_down(self.target, DownError("down", by_peer=by_peer))
        self.old.append(self.target)
        self.target = None

    @precondition(lambda self: self.target is not None and self.target.sent)
    @rule(data=st.data())
    def answered(self, data: st.DataObject) -> None:
        assert self.target is not None
        number, message = self.target.sent.pop(data.draw(st.integers(0, len(self.target.sent) - 1)))
        self.stored.add(message)
        if data.draw(st.booleans()):
            self.window.confirmed(self.target, [number])
        else:
            self.window.refused(self.target, number, REFUSED)

    @precondition(lambda self: any(target.sent for target in self.old))
    @rule()
    def answered_by_a_lost_target(self) -> None:
        target = next(target for target in self.old if target.sent)
        number, _ = target.sent.pop()
        self.window.confirmed(target, [number])

    @invariant()
    def settled_is_a_prefix_that_the_target_has(self) -> None:
        if self.source is None or not self.source.settled:
            return
        last = self.source.settled[-1]
        assert self.source.settled == sorted(set(self.source.settled))
        known = self.stored | {int(wire) for wire in self.refusals.taken}
        assert set(self.given[: self.given.index(last) + 1]) <= known

    @invariant()
    def a_target_is_sent_what_it_has_not_answered(self) -> None:
        if self.target is not None:
            numbers = [number for number, _ in self.target.sent]
            assert len(numbers) == len(set(numbers))

    def teardown(self) -> None:
        """With both ends up, everything is settled in the end."""
        if self.source is None:
            self.source_up()
        if self.target is None:
            self.target_up()
        assert self.target is not None
        while self.target.sent:
            number, message = self.target.sent.pop(0)
            self.stored.add(message)
            self.window.confirmed(self.target, [number])
        assert self.window.empty
        assert self.source is not None
        assert not self.given or self.source.settled[-1] == self.given[-1]


TestWindow = Machine.TestCase


def _up(policy: str = "file", most: int = 500) -> tuple[Window, Source, Target, Account, Refusals]:
    window, account, refusals = _window(policy, most)
    source, target = Source(), Target()
    window.opened(source)
    window.up(target)
    return window, source, target, account, refusals


def _give(window: Window, source: Source, messages: Iterable[Any], size: int = 1) -> None:
    for token, message in enumerate(messages, 1):
        window.received(source, token, message, size)


def test_a_confirmed_head_is_settled_once() -> None:
    window, source, target, account, _ = _up()
    _give(window, source, "abc")
    window.confirmed(target, [1, 2])
    assert source.settled == []
    window.confirmed(target, [0])
    assert (source.settled, account.moves) == ([3], 3)


def test_a_message_that_does_not_convert_is_refused_and_the_others_pass() -> None:
    window, source, target, account, refusals = _up()
    _give(window, source, ["a", "bad", "c"])
    window.undecoded(source, 4, b"\xff", REFUSED, file="given", line=4)
    window.confirmed(target, [number for number, _ in target.sent])
    assert (source.settled[-1], account.moves, account.codes) == (4, 2, ["bad_value"] * 2)
    assert refusals.taken == [b"bad", b"\xff"]
    assert account.places == [{}, {"file": "given", "line": 4}]


def test_the_source_rejects_in_order() -> None:
    window, source, target, _, _ = _up("reject")
    _give(window, source, ["a", "bad", "c"])
    window.confirmed(target, [0, 2])
    assert (source.settled, source.rejected) == ([1, 3], [(2, "bad")])


@pytest.mark.parametrize("policy", ["stop", "full"])
def test_a_kept_message_stops_the_source_and_what_came_before_is_settled(policy: str) -> None:
    window, source, target, account, _ = _up(policy)
    _give(window, source, ["a", "bad", "c"])
    assert (source.stopped, target.sent) == (True, [(0, "a")])
    assert not window.empty
    window.confirmed(target, [0])
    assert window.empty
    assert (source.settled, account.moves, account.kept, account.codes) == ([1], 1, ["bad_value"], [])
    assert window.stopped is not None


def test_a_target_that_closes_without_progress_gets_one_message_at_a_time() -> None:
    window, source, first, account, _ = _up()
    _give(window, source, ["a", "poison", "c"])
    closed = DownError("closed", by_peer=True)
    window.target_down(first, closed)
    second = Target()
    window.up(second)
    assert len(second.sent) == 3
    window.target_down(second, closed)
    third = Target()
    window.up(third)
    assert third.sent == [(0, "a")]
    window.confirmed(third, [0])
    assert third.sent[1:] == [(1, "poison")]
    window.target_down(third, closed)
    assert account.codes == ["refused_by_target"]
    fourth = Target()
    window.up(fourth)
    window.confirmed(fourth, [2])
    _give(window, source, ["d"])
    assert [message for _, message in fourth.sent] == ["c", "d"]
    assert source.settled == [1, 2, 3]


def test_a_broker_that_goes_away_refuses_nothing() -> None:
    window, source, target, account, _ = _up()
    _give(window, source, ["a"])
    for _ in range(5):
        window.target_down(target, DownError("gone"))
        target = Target()
        window.up(target)
    assert (account.codes, target.sent) == ([], [(0, "a")])


def test_messages_in_flight_grow_while_they_are_small() -> None:
    window, source, target, _, _ = _up(most=100)
    _give(window, source, "x" * FIRST)
    assert source.allowed == [FIRST * 2]
    window.confirmed(target, range(FIRST))
    _give(window, source, "x" * 200)
    assert source.allowed == [32, 64, 100]


def test_messages_in_flight_are_few_where_they_are_large() -> None:
    window, source, target, _, _ = _up()
    _give(window, source, "xx", size=BYTES)
    assert source.allowed == [1]
    window.confirmed(target, [0, 1])
    _give(window, source, "x", size=BYTES)
    assert source.allowed == [1]
    window.confirmed(target, [2])
    _give(window, source, "xxxxxxxx")
    assert source.allowed == [1, 2, 4, 8, 16]


def test_the_share_counts_what_a_source_gives_again_once() -> None:
    window, _, _ = _window()
    target = Target()
    window.up(target)
    assert window.share is None
    first, second = Source(), Source()
    window.opened(first, waiting=4)
    for token in (1, 2):
        window.received(first, token, token, 1)
    window.confirmed(target, [0])
    assert window.share == 1 / 4
    window.source_down(first)
    window.opened(second, waiting=3)  # the second message is there again
    for token in (2, 3, 4):
        window.received(second, token, "bad" if token == 4 else token, 1)
    window.confirmed(target, [number for number, _ in target.sent[-2:]])
    assert window.share == 1
    window.opened(second)
    assert window.share is None
