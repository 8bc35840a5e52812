# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Values, operators, and text. Numbers, strings, tuples and ranges are Python's own; `bool` is no number here."""

import math
import re

MOST_CALLS = 3000
INTEGER = re.compile(r"[+-]?[0-9]+")
REAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
QUOTED = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"})


class Failure(Exception):
    """Ends the program. Blocks add the line."""

    def __init__(self, message):
        super().__init__(message)
        self.message = message
        self.line = None


class Function:
    def __init__(self, name, parameters, defaults, make_frame, body):
        self.name = name
        self.parameters = parameters
        self.defaults = defaults  # for each parameter: None, or what evaluates its default
        self.make_frame = make_frame  # places of the locals, with the shared variables of the functions around
        self.body = body


class Builtin:
    def __init__(self, name, body):
        self.name = name
        self.body = body  # (values, named)


class Output:
    """What is written, as parts; joined at the end."""

    def __init__(self):
        self.parts = []
        self.open = False

    def write(self, text):
        if text:
            self.parts.append(text)
            self.open = text[-1] != "\n"

    def write_line(self, text):
        self.write(("\n" if self.open else "") + text + "\n")


# ------------------------------------------------------------------------------------------------------------- text
def shown(value):
    if type(value) is tuple:
        inside = ", ".join(quoted(element) for element in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if type(value) is range:
        return "<range>"
    if isinstance(value, (Function, Builtin)):
        return f"<function {value.name}>"
    return str(value)


def quoted(value):
    return f'"{value.translate(QUOTED)}"' if type(value) is str else shown(value)


def parse_integer(text):
    if not INTEGER.fullmatch(text):
        raise Failure("wrong value")
    return int(text)


def parse_real(text):
    if not REAL.fullmatch(text):
        raise Failure("wrong value")
    return finite(float(text))


# ---------------------------------------------------------------------------------------------------------- numbers
def finite(value):
    if value - value != 0:
        raise Failure("overflow")
    return value


def is_number(value):
    return type(value) is int or type(value) is float


def to_real(value):
    try:
        return float(value)
    except OverflowError:
        raise Failure("overflow") from None


def both_numbers(left, right):
    """Whether they are integers; as a pair of floats otherwise."""
    if not (is_number(left) and is_number(right)):
        raise Failure("wrong type")
    return type(left) is int and type(right) is int


def add(left, right):
    kind = type(left)
    if kind is type(right) and kind in (int, str, tuple):
        return left + right
    both_numbers(left, right)
    return finite(to_real(left) + to_real(right))


def subtract(left, right):
    if both_numbers(left, right):
        return left - right
    return finite(to_real(left) - to_real(right))


def multiply(left, right):
    if type(left) is int and type(right) in (str, tuple):
        left, right = right, left
    if type(right) is int and type(left) in (int, str, tuple):
        return left * right
    both_numbers(left, right)
    return finite(to_real(left) * to_real(right))


def divide(left, right):
    both_numbers(left, right)
    left, right = to_real(left), to_real(right)
    if right == 0:
        raise Failure("division by zero")
    return finite(left / right)


def floor_divide(left, right):
    if not both_numbers(left, right):
        left, right = to_real(left), to_real(right)
    if right == 0:
        raise Failure("division by zero")
    return finite(left // right) if type(left) is float else left // right


def remainder(left, right):
    if not both_numbers(left, right):
        left, right = to_real(left), to_real(right)
    if right == 0:
        raise Failure("division by zero")
    return left % right


def power(left, right):
    if both_numbers(left, right) and right >= 0:
        return left**right
    left, right = to_real(left), to_real(right)
    if left == 0 and right < 0:
        raise Failure("division by zero")
    if left < 0 and right != math.floor(right):
        raise Failure("wrong value")
    try:
        return finite(math.pow(left, right))
    except OverflowError:
        raise Failure("overflow") from None


def sign(minus, value):
    if not is_number(value):
        raise Failure("wrong type")
    return -value if minus else value


# ------------------------------------------------------------------------------------------------------ comparisons
def equal(left, right):
    if is_number(left) and is_number(right):
        return left == right
    if type(left) is not type(right):
        return False
    if type(left) is tuple:
        return len(left) == len(right) and all([equal(one, other) for one, other in zip(left, right)])
    if type(left) in (str, bool) or left is None:
        return left == right
    return left is right


def less(left, right):
    """Whether left < right; `wrong type` if they have no order."""
    if is_number(left) and is_number(right):
        return left < right
    if type(left) is str and type(right) is str:
        return left < right
    if type(left) is not tuple or type(right) is not tuple:
        raise Failure("wrong type")
    for one, other in zip(left, right):
        if not equal(one, other):
            return less(one, other)
    return len(left) < len(right)


def contained(part, whole):
    if type(whole) is str:
        if type(part) is not str:
            raise Failure("wrong type")
        return part in whole
    if type(whole) is not tuple:
        raise Failure("wrong type")
    for element in whole:
        if equal(part, element):
            return True
    return False


COMPARE = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": lambda left, right: not less(right, left),
    ">=": lambda left, right: not less(left, right),
    "in": contained,
    "not in": lambda left, right: not contained(left, right),
}
APPLY = {"+": add, "-": subtract, "*": multiply, "/": divide, "//": floor_divide, "%": remainder, "**": power}


# -------------------------------------------------------------------------------------------------------- sequences
def iterable(value):
    if type(value) not in (str, tuple, range):
        raise Failure("wrong type")
    return value


def text(value):
    if type(value) is not str:
        raise Failure("wrong type")
    return value


def not_empty(value):
    if not text(value):
        raise Failure("wrong value")
    return value


def indexable(value):
    if type(value) not in (str, tuple):
        raise Failure("wrong type")
    return value


def index(sequence, at):
    indexable(sequence)
    if type(at) is not int:
        raise Failure("wrong type")
    if not -len(sequence) <= at < len(sequence):
        raise Failure("index out of range")
    return sequence[at]


def slice_of(sequence, bounds):
    indexable(sequence)
    for bound in bounds:
        if bound is not None and type(bound) is not int:
            raise Failure("wrong type")
    if bounds[2] == 0:
        raise Failure("wrong value")
    return sequence[slice(*bounds)]


def replace(value, old, new):
    text(old)
    text(new)
    return value.replace(not_empty(old), new)


METHODS = {
    "upper": (0, str.upper),
    "lower": (0, str.lower),
    "strip": (0, lambda value: value.strip(" \n\t")),
    "find": (1, lambda value, part: value.find(text(part))),
    "count": (1, lambda value, part: value.count(not_empty(part))),
    "split": (1, lambda value, by: tuple(value.split(not_empty(by)))),
    "replace": (2, replace),
    "join": (1, lambda value, parts: value.join([text(part) for part in iterable(parts)])),
    "startswith": (1, lambda value, part: value.startswith(text(part))),
    "endswith": (1, lambda value, part: value.endswith(text(part))),
}


def call_method(value, name, arguments):
    if type(value) is not str or name not in METHODS:
        raise Failure("wrong type")
    count, body = METHODS[name]
    if len(arguments) != count:
        raise Failure("wrong arguments")
    return body(value, *arguments)
