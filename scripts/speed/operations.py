"""Operations that mypyc would call by their names: in compiled modules they are calls of operations.h.

A call by name costs 200 instructions or more, these cost 5 to 50. The sources do not change.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from mypy.nodes import CallExpr, IndexExpr, MemberExpr, RefExpr, SliceExpr
from mypyc.ir.deps import BYTES_WRITER_EXTRA_OPS, LIBRT_STRINGS
from mypyc.ir.ops import ERR_MAGIC, ERR_NEVER, Value
from mypyc.ir.rtypes import (
    bool_rprimitive,
    bytes_rprimitive,
    bytes_writer_rprimitive,
    c_int_rprimitive,
    int64_rprimitive,
    int_rprimitive,
    none_rprimitive,
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
            [bytes_writer_rprimitive, *code, str_rprimitive],
            none_rprimitive,
            f"mq_{name}",
            ERR_MAGIC,
            dependencies=[LIBRT_STRINGS, BYTES_WRITER_EXTRA_OPS],
        )
    specializers["decode", bytes_rprimitive].insert(0, _decode_slice)


_DECODED_SLICE = custom_op(
    arg_types=[bytes_rprimitive, int64_rprimitive, int64_rprimitive],
    return_type=str_rprimitive,
    c_function_name="mq_decode_slice",
    error_kind=ERR_MAGIC,
)


def _decode_slice(builder: "IRBuilder", call: CallExpr, callee: RefExpr) -> Value | None:
    """Make `data[begin:end].decode()` one operation."""
    if call.args or not isinstance(callee, MemberExpr) or not isinstance(callee.expr, IndexExpr):
        return None
    sliced, bounds = callee.expr.base, callee.expr.index
    if not isinstance(bounds, SliceExpr) or bounds.begin_index is None or bounds.end_index is None or bounds.stride is not None:
        return None
    if builder.node_type(sliced) != bytes_rprimitive:
        return None
    begin, end = (
        builder.coerce(builder.accept(bound), int64_rprimitive, call.line) for bound in (bounds.begin_index, bounds.end_index)
    )
    return builder.call_c(_DECODED_SLICE, [builder.accept(sliced), begin, end], call.line)
