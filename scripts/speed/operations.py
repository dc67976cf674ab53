"""Methods of str and bytes that mypyc would call by their names: in compiled modules they are calls of operations.h.

A call by name costs 200 instructions or more, these cost 5 to 20. The sources do not change.
"""

from pathlib import Path

from mypyc.ir.ops import ERR_NEVER
from mypyc.ir.rtypes import bool_rprimitive, bytes_rprimitive, c_int_rprimitive, int_rprimitive, str_rprimitive
from mypyc.primitives.registry import ERR_NEG_INT, binary_op, function_op, method_op

HEADER = Path(__file__).with_name("operations.h")

_METHODS = {
    "mq_str_isascii": ("isascii", str_rprimitive),
    "mq_str_isdecimal": ("isdecimal", str_rprimitive),
    "mq_bytes_isascii": ("isascii", bytes_rprimitive),
}
"""Tests by their functions in C: the method, and the class."""


def register() -> None:
    """Let mypyc use the operations; call it once, before compiling."""
    for function, (name, class_) in _METHODS.items():
        method_op(name, [class_], bool_rprimitive, function, ERR_NEVER)
    numbers = [int_rprimitive, bytes_rprimitive]
    binary_op("in", numbers, c_int_rprimitive, ERR_NEG_INT, "mq_in_bytes", truncated_type=bool_rprimitive)
    deeper = "mqconvert.converters.model.native."
    function_op(f"{deeper}enter_recursion", [], c_int_rprimitive, "mq_enter_recursion", ERR_NEG_INT)
    function_op(f"{deeper}leave_recursion", [], bool_rprimitive, "mq_leave_recursion", ERR_NEVER)
