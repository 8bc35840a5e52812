# rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5
"""Writes data/sample and data/secret: scripts by hand and by seeded chance, and the answers of Python's integers.

Usage: ``python3 generators/make.py [DIRECTORY [GROUP...]]`` (default: the package's ``data``, all groups).
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from model import answers

SMALL = [0, 1, -1, 9, 10, -10, 999999999, 1000000000, -1000000000, 2**63 - 1, -(2**63), 10**18, 12345678987654321]
GROUPS = {"1-sums": 15, "2-products": 15, "3-quotients": 20, "4-long-products": 20, "5-long-quotients": 20, "6-mixed": 10}
NEEDS = {"4-long-products": "secret/2-products", "5-long-quotients": "secret/3-quotients"}

SAMPLE = """\
small a -17
small b 5
div q a b
show q
mod r a b
show r
check a b
compare a b
text c 00123456789012345678901234567890
mul-by c a
show c
text d 12x
show d
div-by a d
draw e + 30 7
show e
digest e
fact f 25
show f
"""


def drawn(chance: random.Random, most: int, commands: list[str], count: int) -> str:
    """Commands on five numbers of up to `most` digits, each followed by the digest of its result."""
    names = "abcde"
    rows = [f"draw {n} {chance.choice('+-')} {chance.randint(1, most)} {chance.randrange(10**9)}" for n in names]
    for _ in range(count):
        command, a, b, c = chance.choice(commands), chance.choice(names), chance.choice(names), chance.choice(names)
        rows.append(f"draw {b} {chance.choice('+-')} {chance.randint(1, most)} {chance.randrange(10**9)}")
        if chance.random() < 0.3:
            rows.append(f"ones {c} {chance.choice('+-')} {chance.choice('19')} {chance.randint(1, most)}")
        elif chance.random() < 0.3:
            rows.append(f"small {c} {chance.choice(SMALL)}")
        if command in {"compare", "check"}:
            rows.append(f"{command} {b} {c}")
            continue
        rows.append(f"{command} {a} {b}" + (f" {c}" if command in {"add", "sub", "mul", "div", "mod"} else ""))
        rows.append(f"digest {a}")
    return rows_of(rows)


def rows_of(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def pairs(command: str) -> str:
    """Every pair of small values."""
    rows = []
    for a in SMALL:
        for b in SMALL:
            rows += [f"small a {a}", f"small b {b}", f"{command} a b" if command == "check" else f"{command} c a b"]
            rows += [] if command == "check" else ["show c"]
    return rows_of(rows)


def texts() -> str:
    words = ["0", "-0", "000", "-000", "007", "-007", "1" + "0" * 30, "-" + "9" * 40, "nothing", "-", "--1", "+1", "1-", "12a", "1.5", "a"]
    rows = [row for word in words for row in ("small a 42", f"text a {word}", "show a")]
    rows += [row for value in SMALL for row in (f"small a {value}", "show a", "negate b a", "show b", "add c a b", "show c", "compare c d")]
    return rows_of(rows)


def carries() -> str:
    rows = []
    for digits in (1, 8, 9, 10, 17, 18, 19, 27, 36, 63, 64, 65, 100, 1000):
        rows += [f"ones a + 9 {digits}", "small b 1", "add c a b", "show c", "sub d c b", "compare d a", "sub-from d c", "show d"]
        rows += ["negate a a", "sub c a b", "digest c", "add c c b", "compare c a", "add-to c c", "digest c", "sub-from c c", "show c", "compare c d"]
    return rows_of(rows)


def nines() -> str:
    rows = []
    for digits in (1, 9, 10, 18, 50, 432, 433, 900, 2000):
        rows += [f"ones a + 9 {digits}", f"ones b - 9 {digits}", "mul c a b", "digest c", "mul-by a a", "digest a", "small z 0", "mul z z b", "show z", "compare z d"]
    return rows_of(rows)


def quotient_edges() -> str:
    rows = ["small z 0", "small a 7", "div q a z", "mod q a z", "div-by a z", "mod-by a z", "show a", "div q z a", "show q", "compare q z", "div-by a a", "show a"]
    for digits in (9, 18, 20, 100, 361, 800, 2000):
        rows += [f"ones a + 1 {digits}", f"ones b + 9 {digits // 2}", "check a b", "div q a b", "digest q", "negate a a", "check a b", "mod r a b", "digest r"]
        rows += ["negate b b", "check a b", "div q a b", "digest q", "mul e b q", "check e b", "mod e e b", "show e", "small s 1", "sub a a s", "check a b", "div a a b", "digest a"]
        rows += ["small s 3", f"draw a - {digits} {digits}", "div q a s", "digest q", "mod q a s", "show q", "mod-by a a", "show a"]
    return rows_of(rows)


def long_products(seed: int, digits: int, count: int) -> str:
    chance = random.Random(seed)
    rows = []
    for i in range(count):
        rows += [f"draw a {chance.choice('+-')} {digits - 7 * i} {seed + i}", f"draw b + {digits - 11 * i} {seed + 100 + i}", "mul c a b", "digest c"]
    return rows_of(rows)


def many_products() -> str:
    rows = ["draw a + 200000 1", "draw m - 199990 2"]
    for i in range(24):
        rows += [f"draw b + {200000 - i} {i}", "mul c a b"]
    return rows_of([*rows, "digest c", "mul-by m m", "digest m"])


def long_quotients(seed: int, shapes: list[tuple[int, int]]) -> str:
    rows = []
    for i, (dividend, divisor) in enumerate(shapes):
        rows += [f"draw a {'+-'[i % 2]} {dividend} {seed + i}", f"draw b {'+-'[i // 2 % 2]} {divisor} {seed + 50 + i}"]
        rows += ["div q a b", "digest q", "mod r a b", "digest r"]
    return rows_of(rows)


def long_edges() -> str:
    return rows_of(
        [
            "ones a + 1 200001", "ones b + 9 100000", "check a b", "div q a b", "digest q", "mul e q b", "check e b", "mod e e b", "show e",
            "negate a a", "check a b", "small s 1", "sub a a s", "check a b", "ones b - 1 60000", "check a b", "ones a + 9 180000", "check a b",
        ]
    )  # fmt: skip


def mixed() -> str:
    rows = ["fact f 3000", "digest f", "fib g 30000", "digest g", "small t 3", "power p t 60000", "digest p", "check p f", "div q p f", "digest q"]
    rows += ["copy h p", "mul-by h h", "sub-from h p", "digest h", "move k h", "show h", "digest k", "mod-by k g", "digest k", "negate t t", "power t t 777", "digest t"]
    return rows_of([*rows, "add-to g g", "digest g", "div-by g g", "show g", "sub g g g", "show g", "compare g h", "copy p p", "digest p"])


def scripts(group: str) -> dict[str, str]:
    chance = random.Random(group)
    if group == "1-sums":
        return {
            "texts": texts(), "sums": pairs("add"), "differences": pairs("sub"), "carries": carries(),
            "drawn": drawn(chance, 300, ["add", "sub", "add-to", "sub-from", "negate", "compare", "copy", "move"], 150),
            "long": drawn(chance, 200_000, ["add", "sub", "add-to", "sub-from", "negate"], 25),
        }  # fmt: skip
    if group == "2-products":
        return {
            "small": pairs("mul"), "nines": nines(), "drawn": drawn(chance, 200, ["mul", "mul", "add", "sub"], 150),
            "two-thousand": drawn(chance, 2000, ["mul", "mul", "sub", "negate"], 60),
        }  # fmt: skip
    if group == "3-quotients":
        return {
            "quotients": pairs("div"), "remainders": pairs("mod"), "checks": pairs("check"), "edges": quotient_edges(),
            "drawn": drawn(chance, 200, ["div", "mod", "div-by", "mod-by", "check"], 150),
            "two-thousand": drawn(chance, 2000, ["div", "mod", "check"], 60),
        }  # fmt: skip
    if group == "4-long-products":
        return {
            "twenty-thousand": long_products(41, 20_000, 4), "two-hundred-thousand": long_products(42, 200_000, 6),
            "uneven": rows_of(["draw a + 200000 5", "draw b - 3000 6", "mul c a b", "digest c", "ones a + 9 200000", "mul-by a a", "digest a"]),
            "many": many_products(),
        }  # fmt: skip
    if group == "5-long-quotients":
        return {
            "twenty-thousand": long_quotients(51, [(20_000, 10_000), (20_000, 19_000), (20_000, 700), (30_000, 2_000)]),
            "four-hundred-thousand": long_quotients(52, [(400_000, 200_000)] * 3), "edges": long_edges(),
            "uneven": long_quotients(53, [(200_000, 20_000), (200_000, 60_001), (200_000, 180_000)]),
        }  # fmt: skip
    return {
        "mixed": mixed(),
        "drawn": drawn(chance, 1500, ["add", "sub", "mul", "div", "mod", "negate", "compare", "check", "copy", "move"], 150),
    }


def write(directory: Path, number: int, name: str, script: str) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{number:02}-{name}"
    path.with_suffix(".in").write_text(script, "ascii")
    path.with_suffix(".ans").write_text(answers(script), "ascii")


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data"
    write(data / "sample", 1, "script", SAMPLE)
    for group in sys.argv[2:] or GROUPS:
        for number, (name, script) in enumerate(scripts(group).items(), 1):
            write(data / "secret" / group, number, name, script)
        needs = f"require_pass: {NEEDS[group]}\n" if group in NEEDS else ""
        (data / "secret" / group / "test_group.yaml").write_text(
            "# rigorbench-canary 579b0d88-8290-490f-b38c-6908e7f20bb5\n"
            f"max_score: {GROUPS[group]}\nscore_aggregation: min\n{needs}"
        )


if __name__ == "__main__":
    main()
