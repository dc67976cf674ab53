"""Operations that mypyc would call by their names: in compiled modules they are calls of operations.h.

A call by name costs 200 instructions or more, these cost 5 to 50. The sources do not change.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, IndexExpr, IntExpr, MemberExpr, RefExpr, SliceExpr, StrExpr
from mypyc.ir.deps import BYTES_WRITER_EXTRA_OPS, LIBRT_STRINGS
from mypyc.ir.ops import ERR_MAGIC, ERR_NEVER, Value
from mypyc.ir.rtypes import (
    RUnion,
    bool_rprimitive,
    bytes_rprimitive,
    bytes_writer_rprimitive,
    c_int_rprimitive,
    int64_rprimitive,
    int_rprimitive,
    list_rprimitive,
    none_rprimitive,
    object_rprimitive,
    set_rprimitive,
    str_rprimitive,
)
from mypyc.irbuild import expression
from mypyc.irbuild.specialize import specializers
from mypyc.primitives.registry import ERR_NEG_INT, binary_op, binary_ops, custom_op, function_op, method_op

if TYPE_CHECKING:
    from mypyc.irbuild.builder import IRBuilder

HEADER = Path(__file__).with_name("operations.h")

_ROOM, _LOOP = "mqconvert.converters.model", "mqconvert.converters.columns.loop"
_TEXTS = [str_rprimitive, str_rprimitive]
_TEXT, _CODED = [object_rprimitive], [int64_rprimitive, object_rprimitive]
_RANGE = [bytes_rprimitive, int64_rprimitive, int64_rprimitive]
_WRITERS = {
    "write_text8": _TEXT,
    "write_varied_text": _CODED,
    "write_varied_octets": _CODED[:1] + _RANGE,
    "write_text16": _TEXT,
    "write_coded_text16": _CODED,
    "write_pair16": _CODED + _TEXT,
    "write_from": [bytes_writer_rprimitive],
    "put_sizes": [int64_rprimitive] * 3,
}
"""The functions of model/primitives.py that write into a Writer, and their arguments after it."""


def register() -> None:
    """Let mypyc use the operations; call it once, before compiling."""
    _methods()
    _operators()
    _functions()
    specializers["decode", bytes_rprimitive].insert(0, _decoded)


def _methods() -> None:
    """Register methods of str, bytes and list, two that objects of any class may have, and that of errors (anyfields.py)."""
    hidden = [object_rprimitive, object_rprimitive]
    method_op("with_traceback", hidden, object_rprimitive, "mq_without_context", ERR_MAGIC)
    method_op("isascii", [str_rprimitive], bool_rprimitive, "mq_str_isascii", ERR_NEVER)
    method_op("isdecimal", [str_rprimitive], bool_rprimitive, "mq_str_isdecimal", ERR_NEVER)
    method_op("isascii", [bytes_rprimitive], bool_rprimitive, "mq_bytes_isascii", ERR_NEVER)
    part = [bytes_rprimitive, bytes_rprimitive, int64_rprimitive, int64_rprimitive]
    method_op("find", part, int64_rprimitive, "mq_bytes_find", ERR_NEVER)
    method_op("isascii", [object_rprimitive], bool_rprimitive, "mq_object_isascii", ERR_MAGIC, priority=0)
    method_op("encode", [object_rprimitive], object_rprimitive, "mq_object_encode", ERR_MAGIC, priority=0)
    method_op("replace", [str_rprimitive] * 3, str_rprimitive, "mq_str_replace", ERR_MAGIC, priority=2)
    method_op("append", [list_rprimitive, object_rprimitive], c_int_rprimitive, "mq_list_append", ERR_NEG_INT, priority=2)
    method_op("add", [set_rprimitive, object_rprimitive], c_int_rprimitive, "mq_set_add", ERR_NEG_INT, priority=2)


def _operators() -> None:
    numbers = [int_rprimitive, bytes_rprimitive]
    binary_op("in", numbers, c_int_rprimitive, ERR_NEG_INT, "mq_in_bytes", truncated_type=bool_rprimitive)
    binary_op("in", _TEXTS, c_int_rprimitive, ERR_NEG_INT, "mq_in_str", truncated_type=bool_rprimitive, priority=2)
    any_in_any = [object_rprimitive, object_rprimitive]
    binary_ops["in"] = [op for op in binary_ops["in"] if op.arg_types != any_in_any]
    binary_op("in", any_in_any, c_int_rprimitive, ERR_NEG_INT, "mq_in_object", truncated_type=bool_rprimitive, priority=0)
    members = [object_rprimitive, list_rprimitive]
    binary_op(
        "in", members, c_int_rprimitive, ERR_NEG_INT, "mq_in_list", truncated_type=bool_rprimitive, ordering=[1, 0], priority=2
    )
    binary_op("<", _TEXTS, bool_rprimitive, ERR_NEVER, "mq_str_lt", priority=2)
    binary_op("<=", _TEXTS, bool_rprimitive, ERR_NEVER, "mq_str_le", priority=2)
    expression.set_in_op = binary_op(  # for sets that are written out
        "in",
        [object_rprimitive, set_rprimitive],
        c_int_rprimitive,
        ERR_NEG_INT,
        "mq_in_set",
        truncated_type=bool_rprimitive,
        ordering=[1, 0],
        priority=2,
    )
    # Those of mypyc for two numbers come first; the codes are Py_EQ and Py_NE.
    for sign, compared, code in (("==", "mq_equals", 2), ("!=", "mq_differs_from", 3)):
        binary_ops[sign] = [op for op in binary_ops[sign] if op.arg_types != any_in_any]
        constant = [(code, c_int_rprimitive)]
        binary_op(
            sign, any_in_any, object_rprimitive, ERR_MAGIC, "PyObject_RichCompare", extra_int_constants=constant, priority=-1
        )
        binary_op(sign, [object_rprimitive, str_rprimitive], bool_rprimitive, ERR_MAGIC, f"{compared}_text", priority=0)
        binary_op(sign, [object_rprimitive, int_rprimitive], bool_rprimitive, ERR_MAGIC, f"{compared}_number", priority=0)
    binary_op("*", [int_rprimitive, int_rprimitive], int_rprimitive, ERR_NEVER, "mq_multiply", priority=2)


def _functions() -> None:
    """Register `str`, `int`, `format`, and functions of native.py, primitives.py and loop.py."""
    function_op("builtins.str", [object_rprimitive], str_rprimitive, "mq_str_of_object", ERR_MAGIC, priority=3)
    function_op("builtins.int", [str_rprimitive], int_rprimitive, "mq_int_of_str", ERR_MAGIC, priority=2)
    formatted = [object_rprimitive, str_rprimitive]
    function_op("builtins.format", formatted, str_rprimitive, "mq_format", ERR_MAGIC)
    function_op(f"{_ROOM}.native.enter_recursion", [], c_int_rprimitive, "mq_enter_recursion", ERR_NEG_INT)
    function_op(f"{_ROOM}.native.leave_recursion", [], bool_rprimitive, "mq_leave_recursion", ERR_NEVER)
    uuid = RUnion([bytes_rprimitive, none_rprimitive])
    function_op(f"{_ROOM}.primitives.uuid_at", [str_rprimitive, int64_rprimitive], uuid, "mq_uuid_at", ERR_MAGIC)
    function_op(f"{_ROOM}.primitives.uuid_text", [bytes_rprimitive], str_rprimitive, "mq_uuid_text", ERR_MAGIC)
    text = RUnion([str_rprimitive, none_rprimitive])
    function_op(f"{_ROOM}.primitives.text_or_none", [bytes_rprimitive], text, "mq_text_or_none", ERR_MAGIC)
    function_op(f"{_ROOM}.primitives.is_text", _RANGE, bool_rprimitive, "mq_is_text", ERR_NEVER)
    marked = [str_rprimitive, bytes_rprimitive]
    function_op(f"{_ROOM}.primitives.has_only", marked, bool_rprimitive, "mq_has_only", ERR_NEVER)
    function_op(f"{_ROOM}.primitives.utf8_size", [str_rprimitive], int64_rprimitive, "mq_utf8_size", ERR_NEVER)
    for name, arguments in _WRITERS.items():
        function_op(
            f"{_ROOM}.primitives.{name}",
            [bytes_writer_rprimitive, *arguments],
            none_rprimitive,
            f"mq_{name}",
            ERR_MAGIC,
            dependencies=[LIBRT_STRINGS, BYTES_WRITER_EXTRA_OPS],
        )
    function_op(
        f"{_ROOM}.primitives.ended",
        [bytes_writer_rprimitive, bytes_rprimitive, bytes_rprimitive],
        bytes_rprimitive,
        "mq_ended",
        ERR_MAGIC,
        dependencies=[LIBRT_STRINGS, BYTES_WRITER_EXTRA_OPS],
    )
    value = [object_rprimitive, object_rprimitive, int64_rprimitive]
    function_op(f"{_LOOP}.value_at", value, bytes_rprimitive, "mq_value_at", ERR_MAGIC)
    function_op(f"{_LOOP}.put_value", [*value, bytes_rprimitive], bool_rprimitive, "mq_put_value", ERR_MAGIC)
    places = [bytes_rprimitive, bytes_rprimitive, int64_rprimitive, int64_rprimitive]
    function_op(f"{_ROOM}.primitives.digits_at", places, int64_rprimitive, "mq_digits_at", ERR_NEVER)


_DECODED = {
    name: custom_op(
        arg_types=_RANGE,
        return_type=str_rprimitive,
        c_function_name=name,
        error_kind=ERR_MAGIC,
    )
    for name in ("mq_decode", "mq_decode_key", "mq_decode_any", "mq_decode_any_key")
}


def _decoded(builder: "IRBuilder", call: CallExpr, callee: RefExpr) -> Value | None:
    """Make `data.decode()` and `data[begin:end].decode()` one operation each; `any` is that of any bytes (PEP 383).

    The step in `data[begin:end:1].decode()` says that the text is a key: its operation keeps the last ones.
    """
    given = [argument.value for argument in call.args if isinstance(argument, StrExpr)]
    if len(given) < len(call.args) or given not in ([], ["utf-8", "surrogateescape"]) or not isinstance(callee, MemberExpr):
        return None
    name = "mq_decode_any" if given else "mq_decode"
    data, bounds = callee.expr, (IntExpr(0), IntExpr(sys.maxsize))
    if isinstance(data, IndexExpr) and isinstance(data.index, SliceExpr) and builder.node_type(data.base) == bytes_rprimitive:
        begin, end, stride = data.index.begin_index, data.index.end_index, data.index.stride
        step = stride.value if isinstance(stride, IntExpr) else None
        if stride is None or step == 1:
            name += "_key" * (step == 1)
            data, bounds = data.base, (begin or bounds[0], end or bounds[1])
    places = [builder.coerce(builder.accept(bound), int64_rprimitive, call.line) for bound in bounds]
    return builder.call_c(_DECODED[name], [builder.accept(data), *places], call.line)
