"""Code that expands without end is not kept, and the review ends: by the compiler's limits, by ours, or by its size."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from review_helpers import decided

from rigorbench.judge.build import unit
from rigorbench.judge.codereview import compiled
from rigorbench.judge.problems.problem import PointLimits

pytestmark = pytest.mark.slow(reason="each program uses up its limits")


def doubled(first: str, times: int) -> str:
    """A macro that expands to 2 to the power of `times` copies."""
    lines = [f"#define X0 {first}", *(f"#define X{n + 1} X{n} X{n}" for n in range(times))]
    return "\n".join([*lines, f"int main() {{ X{times} return 0; }}\n"])


BOMBS = {
    "macro without end": doubled("f();", 60),
    "macro that compiles": doubled("/**/;;;;;;;;;;;;;;;;", 19),
    "macro in an argument": "#define E(x) x x\n" + "int a[] = {" + "E(" * 40 + "1," + ")" * 40 + "};\nint main() {}\n",
    "includes itself twice": '#include "main.cpp"\n#include "main.cpp"\nint main() {}\n',
    "templates in depth": "template <int n> struct A { A<n + 1> a; };\nint main() { return sizeof(A<0>); }\n",
    "templates in breadth": (
        "template <long n, int d> struct A {\n"
        "    static constexpr long v = A<2 * n, d - 1>::v + A<2 * n + 1, d - 1>::v;\n};\n"
        "template <long n> struct A<n, 0> { static constexpr long v = n; };\nint main() { return A<1, 40>::v != 0; }\n"
    ),
    "constexpr without end": "constexpr int f(int n) { for (;;) n ^= 1; }\nconstexpr int x = f(1);\nint main() {}\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_code_that_expands_without_end_is_a_clear_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(compiled, "_SPARE", 4.0)
    monkeypatch.setattr(compiled, "_LARGEST", 4 << 20)
    monkeypatch.setattr(unit, "_DISK", 256 << 20)
    limits = PointLimits(compile_time=1.0, compile_memory=512 << 20)
    started = time.monotonic()
    result = decided(tmp_path, "constructs", 'forbid = ["goto"]', {"main.cpp": BOMBS[name]}, fields={"limits": limits})
    assert (result.outcome, result.findings) == ("error", [])
    told = (
        "compiling took more",
        "compiling needs more",
        "compiling wrote more",
        "is more than",
        "does not compile",
        "too large",
    )
    assert any(words in result.reason for words in told), result.reason
    assert time.monotonic() - started < 120
