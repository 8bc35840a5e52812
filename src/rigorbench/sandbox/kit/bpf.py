"""Filters of system calls as classic BPF programs: the instructions that seccomp needs, and putting them together.

See seccomp(2) and the kernel's documentation of socket filters. A program gets the call's number (offset 0), its
architecture (4) and its arguments (16, 24 ...: the low half of each, as all machines here are little-endian).
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Mapping
from typing import Final

X86_64: Final = 0xC000003E
I386: Final = 0x40000003
AARCH64: Final = 0xC00000B7
ARM: Final = 0x40000028
# The architectures whose programs a machine may run.
MACHINES: Final = {"x86_64": (X86_64, I386), "aarch64": (AARCH64,)}
X32: Final = 0x40000000  # this bit marks calls of the x32 interface of x86_64

Line = tuple[int, int, int, int]
"""Code, how many lines to skip if true and if false, value."""
LOAD_NUMBER: Final[Line] = (0x20, 0, 0, 0)
LOAD_FIRST: Final[Line] = (0x20, 0, 0, 16)
LOAD_SECOND: Final[Line] = (0x20, 0, 0, 24)
ALLOW: Final[Line] = (0x06, 0, 0, 0x7FFF0000)
NOTIFY: Final[Line] = (0x06, 0, 0, 0x7FC00000)
_LOAD_ARCHITECTURE: Final[Line] = (0x20, 0, 0, 4)


def equal(value: int, yes: int, no: int) -> Line:
    """Skip ``yes`` lines if what was loaded is ``value``, else ``no``."""
    return (0x15, yes, no, value)


def at_least(value: int, yes: int, no: int) -> Line:
    """Skip ``yes`` lines if what was loaded is ``value`` or more, else ``no``."""
    return (0x35, yes, no, value)


def any_bit(bits: int, yes: int, no: int) -> Line:
    """Skip ``yes`` lines if what was loaded has one of the bits, else ``no``."""
    return (0x45, yes, no, bits)


def keep_bits(bits: int) -> Line:
    """Clear all other bits of what was loaded."""
    return (0x54, 0, 0, bits)


def refuse(code: int) -> Line:
    """The call fails with this error."""
    return (0x06, 0, 0, 0x00050000 | code)


def refuse_calls(numbers: Iterable[int], code: int) -> list[Line]:
    """Refuse the calls of these numbers; `LOAD_NUMBER` comes before."""
    return [line for number in numbers for line in (equal(number, 0, 1), refuse(code))]


def assemble(blocks: Mapping[int, list[Line]], other: Line) -> bytes:
    """One program out of a block for each architecture; ``other``: what happens to calls of all others."""
    code = [_LOAD_ARCHITECTURE]
    for architecture, block in blocks.items():
        code += [equal(architecture, 1, 0), (0x05, 0, 0, len(block)), *block]
    return b"".join(struct.pack("HBBI", *line) for line in [*code, other])


class FilterProgram(ctypes.Structure):
    """A program as the kernel takes it (struct sock_fprog)."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    def __init__(self, code: bytes) -> None:
        self._code = ctypes.create_string_buffer(code, len(code))
        super().__init__(len(code) // 8, ctypes.addressof(self._code))
