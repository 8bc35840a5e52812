# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""The functions that every program has."""

from functools import cmp_to_key

from values import (
    Builtin, Failure, add, floor_divide, is_number, iterable, less, parse_integer, parse_real, quoted, remainder, shown, text, to_real,
)  # fmt: skip


def positional(least, most, body):
    def run(values, named):
        if named or not least <= len(values) <= most:
            raise Failure("wrong arguments")
        return body(*values)

    return run


def keywords(named, allowed):
    """The named arguments as a dictionary."""
    found = {}
    for name, value in named:
        if name not in allowed or name in found:
            raise Failure("wrong arguments")
        found[name] = value
    return found


def to_integer(value):
    if type(value) is str:
        return parse_integer(value)
    if type(value) in (int, float, bool):
        return int(value)
    raise Failure("wrong type")


def to_float(value):
    if type(value) is str:
        return parse_real(value)
    if not is_number(value):
        raise Failure("wrong type")
    return to_real(value)


def absolute(value):
    if not is_number(value):
        raise Failure("wrong type")
    return abs(value)


def best(better):
    def run(*values):
        found = list(iterable(values[0])) if len(values) == 1 else list(values)
        if not found:
            raise Failure("wrong value")
        result = found[0]
        for value in found[1:]:
            if better(value, result):
                result = value
        return result

    return run


def total(values):
    result = 0
    for value in iterable(values):
        if not is_number(value):
            raise Failure("wrong type")
        result = add(result, value)
    return result


def make_range(*bounds):
    for bound in bounds:
        if type(bound) is not int:
            raise Failure("wrong type")
    if len(bounds) == 3 and bounds[2] == 0:
        raise Failure("wrong value")
    return range(*bounds)


def to_code(value):
    if len(text(value)) != 1:
        raise Failure("wrong value")
    return ord(value)


def to_character(value):
    if type(value) is not int:
        raise Failure("wrong type")
    if value not in (9, 10) and not 32 <= value <= 126:
        raise Failure("wrong value")
    return chr(value)


def power_modulo(base, exponent, modulus):
    for value in (base, exponent, modulus):
        if type(value) is not int:
            raise Failure("wrong type")
    if modulus == 0:
        raise Failure("division by zero")
    if exponent < 0:
        raise Failure("wrong value")
    return pow(base, exponent, modulus)


def order_group(value):
    if is_number(value):
        return "number"
    return type(value) if type(value) in (str, tuple) else None


def sorter(call):
    def run(values, named):
        options = keywords(named, ("key", "reverse"))
        if len(values) != 1:
            raise Failure("wrong arguments")
        down = options.get("reverse", False)
        if type(down) is not bool:
            raise Failure("wrong type")
        elements = list(iterable(values[0]))
        keys = [call(options["key"], [element], []) for element in elements] if "key" in options else elements
        groups = {order_group(key) for key in keys}
        if None in groups or len(groups) > 1:
            raise Failure("wrong type")
        compare = cmp_to_key(
            lambda left, right: -1 if less(keys[left], keys[right]) else int(less(keys[right], keys[left]))
        )
        return tuple([elements[place] for place in sorted(range(len(keys)), key=compare, reverse=down)])

    return run


def printer(output):
    def run(values, named):
        options = keywords(named, ("sep", "end"))
        separator = text(options.get("sep", " "))
        end = text(options.get("end", "\n"))
        output.write(separator.join([shown(value) for value in values]) + end)

    return run


def builtins(output, call):
    bodies = {
        "print": printer(output),
        "sorted": sorter(call),
        "len": positional(1, 1, lambda value: len(iterable(value))),
        "str": positional(1, 1, shown),
        "repr": positional(1, 1, quoted),
        "bool": positional(1, 1, bool),
        "int": positional(1, 1, to_integer),
        "float": positional(1, 1, to_float),
        "tuple": positional(1, 1, lambda value: tuple(iterable(value))),
        "abs": positional(1, 1, absolute),
        "min": positional(1, float("inf"), best(less)),
        "max": positional(1, float("inf"), best(lambda value, other: less(other, value))),
        "sum": positional(1, 1, total),
        "range": positional(1, 3, make_range),
        "ord": positional(1, 1, to_code),
        "chr": positional(1, 1, to_character),
        "divmod": positional(2, 2, lambda left, right: (floor_divide(left, right), remainder(left, right))),
        "pow": positional(3, 3, power_modulo),
    }
    return {name: Builtin(name, body) for name, body in bodies.items()}
