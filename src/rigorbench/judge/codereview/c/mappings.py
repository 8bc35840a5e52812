"""Whether a call maps memory whose content the processor may run: the protection that it asks for."""

from __future__ import annotations

from ctypes import c_int, c_void_p
from typing import Any

# POSIX: PROT_EXEC; the same on all systems that the sandbox runs on.
_EXECUTE = 4
_MAPPING = frozenset({"mmap", "mmap64"})
# The kind of a result of clang_Cursor_Evaluate that is an integer (clang-c/Index.h).
_INTEGER = 1
MAPS_CODE = "mmap(PROT_EXEC)"


def maps_code(cindex: Any, node: Any, around: tuple[Any, ...], symbol: str) -> bool:
    """Whether a reference to a function can map memory as executable.

    A protection that is no constant can be any, and so can that of a call by the function's address.

    Args:
        node: the reference or call.
        around: the nodes around it, the innermost last.
        symbol: of the function.
    """
    if symbol not in _MAPPING:
        return False
    call = cindex.CursorKind.CALL_EXPR
    if node.kind != call:
        return not any(outer.kind == call and outer.referenced == node.referenced for outer in around[-2:])
    arguments = list(node.get_arguments())
    if len(arguments) < 3:
        return True
    value = _constant(cindex.conf.lib, arguments[2])
    return value is None or bool(value & _EXECUTE)


def _constant(lib: Any, node: Any) -> int | None:
    """The value of an integer constant expression; None: it is none."""
    lib.clang_Cursor_Evaluate.restype = c_void_p
    lib.clang_EvalResult_getKind.argtypes = lib.clang_EvalResult_getAsInt.argtypes = [c_void_p]
    lib.clang_EvalResult_dispose.argtypes = [c_void_p]
    lib.clang_EvalResult_getAsInt.restype = c_int
    found = lib.clang_Cursor_Evaluate(node)
    if not found:
        return None
    try:
        return int(lib.clang_EvalResult_getAsInt(found)) if lib.clang_EvalResult_getKind(found) == _INTEGER else None
    finally:
        lib.clang_EvalResult_dispose(found)
