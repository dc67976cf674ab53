"""Operations that mypyc would call by their names: in compiled modules they are calls of operations.h.

A call by name costs 200 instructions or more, these cost 5 to 50. The sources do not change.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, IndexExpr, IntExpr, MemberExpr, RefExpr, SliceExpr
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
    str_rprimitive,
)
from mypyc.irbuild.specialize import specializers
from mypyc.primitives.registry import ERR_NEG_INT, binary_op, custom_op, function_op, method_op

if TYPE_CHECKING:
    from mypyc.irbuild.builder import IRBuilder

HEADER = Path(__file__).with_name("operations.h")

_METHODS = {
    "mq_str_isascii": ("isascii", str_rprimitive),
    "mq_str_isdecimal": ("isdecimal", str_rprimitive),
    "mq_bytes_isascii": ("isascii", bytes_rprimitive),
}
"""Tests by their functions in C: the method, and the class."""
_WRITERS = ("write_text8", "write_coded_text8", "write_text16", "write_coded_text16")
"""The writers of text in model/primitives.py."""


def register() -> None:
    """Let mypyc use the operations; call it once, before compiling."""
    for function, (name, class_) in _METHODS.items():
        method_op(name, [class_], bool_rprimitive, function, ERR_NEVER)
    optional_bytes = RUnion([bytes_rprimitive, none_rprimitive])
    any_ascii = {"error_kind": ERR_NEG_INT, "truncated_type": bool_rprimitive}
    method_op("isascii", [object_rprimitive], c_int_rprimitive, "mq_object_isascii", priority=0, **any_ascii)
    method_op("encode", [object_rprimitive], object_rprimitive, "mq_object_encode", ERR_MAGIC, priority=0)
    method_op("append", [list_rprimitive, object_rprimitive], c_int_rprimitive, "mq_list_append", ERR_NEG_INT, priority=2)
    function_op("builtins.str", [object_rprimitive], str_rprimitive, "mq_str_of_object", ERR_MAGIC, priority=3)
    numbers = [int_rprimitive, bytes_rprimitive]
    binary_op("in", numbers, c_int_rprimitive, ERR_NEG_INT, "mq_in_bytes", truncated_type=bool_rprimitive)
    texts = [str_rprimitive, str_rprimitive]
    binary_op("in", texts, c_int_rprimitive, ERR_NEG_INT, "mq_in_str", truncated_type=bool_rprimitive, priority=2)
    binary_op("<", texts, bool_rprimitive, ERR_NEVER, "mq_str_lt", priority=2)
    binary_op("<=", texts, bool_rprimitive, ERR_NEVER, "mq_str_le", priority=2)
    binary_op("*", [int_rprimitive, int_rprimitive], int_rprimitive, ERR_NEVER, "mq_multiply", priority=2)
    function_op("builtins.int", [str_rprimitive], int_rprimitive, "mq_int_of_str", ERR_MAGIC, priority=2)
    deeper = "mqconvert.converters.model.native."
    function_op(f"{deeper}enter_recursion", [], c_int_rprimitive, "mq_enter_recursion", ERR_NEG_INT)
    function_op(f"{deeper}leave_recursion", [], bool_rprimitive, "mq_leave_recursion", ERR_NEVER)
    for name in _WRITERS:
        code = [int64_rprimitive] if "coded" in name else []
        function_op(
            f"mqconvert.converters.model.primitives.{name}",
            [bytes_writer_rprimitive, *code, object_rprimitive],
            none_rprimitive,
            f"mq_{name}",
            ERR_MAGIC,
            dependencies=[LIBRT_STRINGS, BYTES_WRITER_EXTRA_OPS],
        )
    places = [bytes_rprimitive, int64_rprimitive, int64_rprimitive]
    method_op("find", [bytes_rprimitive, *places], int64_rprimitive, "mq_bytes_find", ERR_NEVER)
    digits = "mqconvert.converters.model.primitives.digits_at"
    function_op(digits, places, int64_rprimitive, "mq_digits_at", ERR_NEVER)
    uuids = "mqconvert.converters.model.primitives.uuid_"
    function_op(f"{uuids}at", [str_rprimitive, int64_rprimitive], optional_bytes, "mq_uuid_at", ERR_MAGIC)
    function_op(f"{uuids}text", [bytes_rprimitive], str_rprimitive, "mq_uuid_text", ERR_MAGIC)
    specializers["decode", bytes_rprimitive].insert(0, _decoded)


_DECODED = custom_op(
    arg_types=[bytes_rprimitive, int64_rprimitive, int64_rprimitive],
    return_type=str_rprimitive,
    c_function_name="mq_decode_slice",
    error_kind=ERR_MAGIC,
)


def _decoded(builder: "IRBuilder", call: CallExpr, callee: RefExpr) -> Value | None:
    """Make `data.decode()` and `data[begin:end].decode()` one operation each."""
    if call.args or not isinstance(callee, MemberExpr):
        return None
    data, bounds = callee.expr, (IntExpr(0), IntExpr(sys.maxsize))
    if isinstance(data, IndexExpr) and isinstance(data.index, SliceExpr) and builder.node_type(data.base) == bytes_rprimitive:
        begin, end, stride = data.index.begin_index, data.index.end_index, data.index.stride
        if stride is None:
            data, bounds = data.base, (begin or bounds[0], end or bounds[1])
    places = [builder.coerce(builder.accept(bound), int64_rprimitive, call.line) for bound in bounds]
    return builder.call_c(_DECODED, [builder.accept(data), *places], call.line)
