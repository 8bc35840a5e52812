"""The operators: what each does to a library, in the words that a task author reads.

| operator | family | what it does | languages |
|---|---|---|---|
| shared-default | shared mutable | `x=None` with `if x is None: x = []` in the body gets the default `[]` | Python |
| shared-attribute | shared mutable | `self.x = []` in `__init__` moves to the body of the class | Python |
| dropped-copy | shared mutable | `x.copy()`, `list(x)`, `x[:]`, `[...x]` become `x` | both |
| stale-cache | missed invalidation | `x.clear()`, `del x[k]`, `self._x = None` are dropped | both |
| missed-call | missed call | a statement that is a call is dropped | both |
| swapped-encoding | swapped encoding | `utf-8` and `latin-1` change places | both |
| swapped-errors | swapped encoding | `errors='strict'` and `errors='ignore'` change places | Python |
| boundary-comparison | off by one | `<` and `<=`, `>` and `>=` change places | both |
| range-bound | off by one | `range(n)` becomes `range(n - 1)` | Python |
| slice-bound | off by one | `x[1:]` becomes `x[2:]`, `x[:n]` becomes `x[:n - 1]` | both |
| dropped-increment | off by one | `n + 1` and `n - 1` become `n` | both |
| wrong-default | wrong default | `strict=True` becomes `strict=False`, `depth=0` becomes `depth=1` | both |
| wrong-fallback | wrong default | `d.get(k, 0)` becomes `d.get(k, 1)`, `d.get(k, [])` becomes `d.get(k, None)` | both |
| dropped-condition | dropped condition | `a and b` becomes `a` or `b` | both |
| none-or-empty | none or empty | `x is None` becomes `not x`; `if x:` becomes `if x is not None:` | both |
| swapped-arguments | swapped arguments | `f(first, second)` becomes `f(second, first)` | both |
| narrowed-exception | exception handling | `except (KeyError, TypeError)` becomes `except KeyError` | Python |
| removed-handler | exception handling | the body of a handler becomes `raise` | both |
| dropped-sort-key | sort order | `sorted(x, key=f)` becomes `sorted(x)` | both |
| wrong-rounding | wrong rounding | `//` and `/` change places; `floor(x)` becomes `round(x)` | both |
| removed-return | removed early return | `if x: return y` before other statements is dropped | both |
| swapped-loop-exit | loop exit | `break` and `continue` change places | both |
| swapped-strip | strip | `strip` becomes `rstrip`, `rstrip` and `lstrip` become `strip` | both |
"""

from __future__ import annotations

from msgspec import Struct


class Operator(Struct, frozen=True):
    """One kind of defect.

    Attributes:
        name: what a recipe records.
        family: the kind of defect that people know it by.
        template: the description of one mutation; ``{name}`` is the symbol it is about.
        what: what it does, by an example.
    """

    name: str
    family: str
    template: str
    what: str


OPERATORS = (
    Operator(
        "shared-default",
        "shared mutable",
        "The container that {name} gets by default is shared by all calls",
        "`x=None` with `if x is None: x = []` in the body gets the default `[]`",
    ),
    Operator(
        "shared-attribute",
        "shared mutable",
        "The container {name} is made once for the class, not for each object",
        "`self.x = []` in `__init__` moves to the body of the class",
    ),
    Operator(
        "dropped-copy",
        "shared mutable",
        "{name} is used itself, no copy of it is made",
        "`x.copy()`, `list(x)`, `x[:]`, `[...x]` become `x`",
    ),
    Operator(
        "stale-cache",
        "missed invalidation",
        "{name} is no longer emptied, so old content stays",
        "`x.clear()`, `del x[k]`, `self._x = None` are dropped",
    ),
    Operator(
        "missed-call",
        "missed call",
        "The call of {name} is missing",
        "a statement that is a call is dropped",
    ),
    Operator(
        "swapped-encoding",
        "swapped encoding",
        "Text is read or written in another encoding in the call of {name}",
        "`utf-8` and `latin-1` change places",
    ),
    Operator(
        "swapped-errors",
        "swapped encoding",
        "Bytes that cannot be decoded are treated in another way in {name}",
        "`errors='strict'` and `errors='ignore'` change places",
    ),
    Operator(
        "boundary-comparison",
        "off by one",
        "A comparison of {name} treats the boundary itself differently",
        "`<` and `<=`, `>` and `>=` change places",
    ),
    Operator(
        "range-bound",
        "off by one",
        "A loop over a range starts or ends one too early or too late ({name})",
        "`range(n)` becomes `range(n - 1)`",
    ),
    Operator(
        "slice-bound",
        "off by one",
        "A slice of {name} starts or ends one too early or too late",
        "`x[1:]` becomes `x[2:]`, `x[:n]` becomes `x[:n - 1]`",
    ),
    Operator(
        "dropped-increment",
        "off by one",
        "One is no longer added to or taken from {name}",
        "`n + 1` and `n - 1` become `n`",
    ),
    Operator(
        "wrong-default",
        "wrong default",
        "The default of {name} is another one",
        "`strict=True` becomes `strict=False`, `depth=0` becomes `depth=1`",
    ),
    Operator(
        "wrong-fallback",
        "wrong default",
        "The value that {name} gives for a missing entry is another one",
        "`d.get(k, 0)` becomes `d.get(k, 1)`, `d.get(k, [])` becomes `d.get(k, None)`",
    ),
    Operator(
        "dropped-condition",
        "dropped condition",
        "One part of a condition is missing (the one about {name})",
        "`a and b` becomes `a` or `b`",
    ),
    Operator(
        "none-or-empty",
        "none or empty",
        "{name} being empty and {name} being absent are mixed up",
        "`x is None` becomes `not x`; `if x:` becomes `if x is not None:`",
    ),
    Operator(
        "swapped-arguments",
        "swapped arguments",
        "Two arguments of {name} are swapped",
        "`f(first, second)` becomes `f(second, first)`",
    ),
    Operator(
        "narrowed-exception",
        "exception handling",
        "A handler catches fewer kinds of exceptions (without {name})",
        "`except (KeyError, TypeError)` becomes `except KeyError`",
    ),
    Operator(
        "removed-handler",
        "exception handling",
        "The handler of {name} lets the exception pass",
        "the body of a handler becomes `raise`",
    ),
    Operator(
        "dropped-sort-key",
        "sort order",
        "{name} no longer gets its order",
        "`sorted(x, key=f)` becomes `sorted(x)`",
    ),
    Operator(
        "wrong-rounding",
        "wrong rounding",
        "The result of a division or of {name} is rounded in another way",
        "`//` and `/` change places; `floor(x)` becomes `round(x)`",
    ),
    Operator(
        "removed-return",
        "removed early return",
        "The early return on {name} is missing",
        "`if x: return y` before other statements is dropped",
    ),
    Operator(
        "swapped-loop-exit",
        "loop exit",
        "A loop goes on where it has to end, or the reverse",
        "`break` and `continue` change places",
    ),
    Operator(
        "swapped-strip",
        "strip",
        "Another end of a text is stripped ({name})",
        "`strip` becomes `rstrip`, `rstrip` and `lstrip` become `strip`",
    ),
)

ORDER = {operator.name: rank for rank, operator in enumerate(OPERATORS)}
BY_NAME = {operator.name: operator for operator in OPERATORS}
