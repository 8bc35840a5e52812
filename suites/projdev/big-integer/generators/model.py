# rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
"""The script of the driver in Python, whose integers have any size already."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

sys.set_int_max_str_digits(0)
PRIME = 2**61 - 1
MASK = 2**64 - 1


def drawn(digits: int, seed: int) -> str:
    """The digits that drivers/script.cpp draws."""
    parts = []
    for _ in range(-(-digits // 18)):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        parts.append(f"{(z ^ (z >> 31)) % 10**18:018}")
    text = "".join(parts)[:digits]
    return "1" + text[1:] if text[0] == "0" else text


def digest(value: int) -> str:
    text = str(value)
    return f"{len(text)} {text[:12]} {text[-12:]} {abs(value) % PRIME}"


def fibonacci(count: int) -> int:
    before, value = 0, 1
    for _ in range(count - 1):
        before, value = value, before + value
    return value


def factorial(count: int) -> int:
    value = 1
    for i in range(2, count + 1):
        value *= i
    return value


def compared(a: int, b: int) -> str:
    return "".join(str(int(holds)) for holds in (a < b, a > b, a <= b, a >= b, a == b, a != b))


BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a // b, "mod": lambda a, b: a % b,
}  # fmt: skip
INPLACE = {"add-to": "add", "sub-from": "sub", "mul-by": "mul", "div-by": "div", "mod-by": "mod"}


def answers(script: str) -> str:
    words = iter(script.split())
    out: list[str] = []
    values: dict[str, int] = {}
    for command in words:
        try:
            step(command, next(words), words, values, out)
        except ValueError:
            out.append("invalid")
        except ZeroDivisionError:
            out.append("no quotient")
    return "".join(f"{line}\n" for line in out)


def step(command: str, name: str, words: Iterator[str], values: dict[str, int], out: list[str]) -> None:
    def named() -> int:
        return values.get(next(words), 0)

    a = values.get(name, 0)
    if command == "draw":
        sign, digits, seed = (next(words) for _ in range(3))
        values[name] = int(sign + drawn(int(digits), int(seed)))
    elif command == "ones":
        sign, digit, digits = (next(words) for _ in range(3))
        values[name] = int(sign + ("9" * int(digits) if digit == "9" else "1" + "0" * (int(digits) - 1)))
    elif command == "text":
        text = next(words)
        if not re.fullmatch("-?[0-9]+", text):
            raise ValueError
        values[name] = int(text)
    elif command == "small":
        values[name] = int(next(words))
    elif command == "show":
        out.append(str(a))
    elif command == "digest":
        out.append(digest(a))
    elif command == "fib":
        values[name] = fibonacci(int(next(words)))
    elif command == "fact":
        values[name] = factorial(int(next(words)))
    elif command == "power":
        base = named()
        values[name] = base ** int(next(words))
    elif command in BINARY:
        b, c = named(), named()
        values[name] = BINARY[command](b, c)
    elif command in INPLACE:
        values[name] = BINARY[INPLACE[command]](a, named())
    elif command == "negate":
        values[name] = -named()
    elif command == "copy":
        values[name] = named()
    elif command == "move":
        other = next(words)
        values[name] = values.get(other, 0)
        values[other] = 0
    elif command == "compare":
        out.append(compared(a, named()))
    elif command == "check":
        b = named()
        _ = a // b
        out.append("fits")
