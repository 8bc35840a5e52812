# rigorbench-canary a434b772-c12c-41be-acce-e6e88575a926
"""Long sessions, and what they write, computed in Python without the model."""

from __future__ import annotations

from collections.abc import Callable

Made = tuple[str, str]


def text(*rows: object) -> str:
    return "".join(f"{row}\n" for row in rows)


def counting() -> Made:
    session = text(
        "10 LET x = 1", "20 LET s = 0", "30 FOR i = 1 TO 700000", "40 LET x = (x * 16807 + i) % 2147483647",
        "50 IF x % 3 = 0 AND x > 1000 THEN LET s = s + 1", "60 NEXT i", "70 PRINT x, s", "RUN",
    )  # fmt: skip
    x, s = 1, 0
    for i in range(1, 700_001):
        x = (x * 16807 + i) % 2147483647
        s += x % 3 == 0 and x > 1000
    return session, text(f"{x} {s}")


def sieve() -> Made:
    most = 300_000
    session = text(
        f"10 DIM s({most})", f"20 FOR i = 2 TO {most - 1}", "30 IF s(i) = 1 THEN 80", "40 LET n = n + 1",
        f"50 FOR k = i * i TO {most - 1} STEP i", "60 LET s(k) = 1", "70 NEXT k", "80 NEXT i", "90 PRINT n", "5 LET n = 0", "RUN",
    )  # fmt: skip
    marks, found = bytearray(most), 0
    for i in range(2, most):
        if not marks[i]:
            found += 1
            marks[i * i :: i] = b"\1" * len(range(i * i, most, i))
    return session, text(found)


def many_lines() -> Made:
    """Jumps from one end of a large program to the other, and back."""
    count = 6_000
    rows = ["1 LET n = 0", "2 LET r = 0", "3 LET r = r + 1"]
    # Line i goes to the other end, which comes back to i + 1.
    for i in range(count):
        rows += [f"{10 + i} GOTO {99_000 - i}", f"{99_000 - i} GOTO {11 + i}"]
    rows += [f"{10 + count} LET n = n + {count}", f"{11 + count} IF r < 60 THEN 3", f"{12 + count} PRINT n", f"{13 + count} END"]
    return text(*rows, "RUN", "LET k = 5", "RUN", "RUN"), text(count * 60, count * 60, count * 60)


def skipping() -> Made:
    """A loop that is skipped, many lines before its NEXT; and deep subroutines."""
    rows = ["10 LET d = 0", "20 FOR i = 1 TO 9000", "30 GOSUB 100", "40 LET d = 0", "50 IF i = 40 THEN 900", "60 NEXT i"]
    rows += ["100 LET d = d + 1", "110 IF d < 9999 THEN GOSUB 100", "120 RETURN", "900 PRINT i"]
    rows += ["910 FOR k = 1 TO 3000", "920 FOR j = 2 TO 1"]
    rows += [f"{1000 + n} LET x{n} = {n}" for n in range(1000)]
    rows += ["3000 NEXT j", "3010 NEXT k", "3020 PRINT k, j", "3030 LET x7 = 1", "3040 PRINT x7"]
    return text(*rows, "RUN"), text(40, "3001 2", 1)


def many_arrays() -> Made:
    rows = [f"{10 * n} DIM list{n}({n % 7 + 1})" for n in range(1, 81)]
    rows += ["900 LET list80(3) = 5", "910 PRINT list1(0), list80(3)", "920 DIM large(900000)", "930 LET large(899999) = 7"]
    return text(*rows, "940 PRINT large(899999)", "RUN", "RUN", "PRINT list79(2)"), text("0 5", 7, "0 5", 7, 0)


GROUPS: dict[str, dict[str, Callable[[], Made]]] = {
    "6-volume": {"counting": counting, "sieve": sieve, "many-lines": many_lines, "skipping": skipping, "many-arrays": many_arrays},
}
