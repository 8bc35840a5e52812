"""What a test asks an object of the code under test when it compares: the answer is the object's own word.

So it is asked without being told what the test expects, where that can be, and asked again about what no honest object
would say yes to.
"""

from __future__ import annotations

import operator
import random
import string
from collections.abc import Callable
from typing import Any

from .stand_ins import BoundaryError, Class

_Ask = Callable[..., Any]
# By operator: an operand that leaves a number what it is, what the answer says of that number, what is asked of it.
_ARITHMETIC: dict[str, tuple[int, Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "__sub__": (0, operator.pos, operator.sub),
    "__rsub__": (0, operator.neg, lambda own, given: given - own),
    "__add__": (0, operator.pos, operator.add),
    "__radd__": (0, operator.pos, lambda own, given: given + own),
    "__truediv__": (1, operator.pos, operator.truediv),
}
_CONTRARY = {"__lt__": "__ge__", "__ge__": "__lt__", "__le__": "__gt__", "__gt__": "__le__"}
CHECKED = frozenset({*_ARITHMETIC, *_CONTRARY, "__contains__"})


def same(ask: _Ask, one: Any, other: Any) -> bool:
    """Whether two objects there are equal.

    Raises:
        BoundaryError: one of them is equal to everything, or to all of its kind.
    """
    if one is other:
        return True
    if not ask("same", one, other):
        return False
    for stranger in (ask("stranger"), ask("stranger", one), ask("stranger", other)):
        for thing in (one, other):
            if thing is not stranger and _answer(ask, "same", thing, stranger) is True:
                raise BoundaryError("a class of the code under test is equal to everything")
    return True


def checked(ask: _Ask, thing: Any, name: str, operand: Any) -> Any:
    """What an operator of `CHECKED` gives for an object there and an operand.

    Raises:
        BoundaryError: the object says what cannot be.
    """
    if name == "__contains__":
        found = ask("operator", thing, "__contains__", operand)
        if not found:
            return found
        others = [ask("stranger")]
        if type(operand) is str:
            others.append("".join(random.choices(string.ascii_lowercase, k=max(12, len(operand)))))
        if any(_answer(ask, "operator", thing, "__contains__", other) is True for other in others):
            raise BoundaryError("an object of the code under test contains everything")
        return found
    if type(operand) not in (int, float) or isinstance(type(operand), Class):
        return ask("operator", thing, name, operand)
    if name in _CONTRARY:
        # The order of an object there and a number: not both before it and behind it.
        if "__sub__" in dir(type(thing)):
            own = _answer(ask, "operator", thing, "__sub__", type(operand)(0))
            if _is_number(own):
                return getattr(operator, name)(own, operand)
        names = [name, _CONTRARY[name]]
        random.shuffle(names)
        answers = {n: _answer(ask, "operator", thing, n, operand) for n in names}
        if answers[name] is None:
            return ask("operator", thing, name, operand)  # which raises again
        if answers[name] is True and answers[_CONTRARY[name]] is True:
            raise BoundaryError("an object of the code under test is less and more than a number")
        return answers[name]
    neutral, own, asked = _ARITHMETIC[name]
    number = ask("operator", thing, name, type(operand)(neutral))
    if _is_number(number):
        return asked(own(number), operand)  # which it need not know
    found = ask("operator", thing, name, operand)
    if _is_number(found):
        raise BoundaryError("an object of the code under test is a number with some numbers only")
    return found


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def _answer(ask: _Ask, *question: Any) -> Any:
    """What is answered; None: the object raised an error."""
    try:
        return ask(*question)
    except BoundaryError:
        raise
    except Exception:
        return None
