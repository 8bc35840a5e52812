# rigorbench-canary 9a625236-3290-4684-9d26-901f0e50fcf0
"""Writes data/ from fixed seeds: ``python3 generators/make.py`` (needs g++).

Answers of conversations come from the reference; those of the smaller groups must be the model's as well. The answer of
a test of games is the mean worth that the reference's player reaches in it, played by the package's own interactor.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from model import Server

PACKAGE = Path(__file__).resolve().parent.parent
DATA = PACKAGE / "data"
REFERENCE = PACKAGE / "submissions" / "accepted" / "components-cpp"
Commands = list[tuple[str, list[str]]]  # each with the lines of the field that follows `new`
TYPING = ("open 1", "mark 1 2 3", "show 1 1 1", "undo 1", "sweep 0 1", "open 01 1", "dig 1 1", "mark 1  1", "open -1 1")


# -- conversations ---------------------------------------------------------------------------------------------------


def field(chance: random.Random, rows: int, columns: int, share: float, lives: int) -> tuple[str, list[str]]:
    if chance.random() < 0.4:
        mines = max(1, int(rows * columns * share))
        return f"make {rows} {columns} {mines} {lives} {chance.randrange(1, 10**9)}", []
    lines = ["".join("*" if chance.random() < share else "." for _ in range(columns)) for _ in range(rows)]
    if not any("." in line for line in lines):
        lines[0] = "." * columns
    return f"new {rows} {columns} {lives}", lines


def conversation(
    seed: int, sizes: list[tuple[int, int]], commands: int, undo: float, share: float = 0.15, lives: int = 4
) -> Commands:
    """Games on fields of these sizes, one after the other, played half by chance and half by who knows the mines."""
    chance = random.Random(seed)
    server, made = Server(), []

    def give(line: str, lines: list[str]) -> None:
        made.append((line, lines))
        server.answer(line, lines)

    if commands > 50:
        give("state", [])
        give("open 1 1", [])
    for rows, columns in sizes:
        give(*field(chance, rows, columns, share, chance.randint(1, lives)))
        for _ in range(commands // len(sizes)):
            give(_command(chance, server, rows, columns, undo), [])
        give("state", [])
        give(f"show 1 1 {rows} {columns}", [])
    return made


def _command(chance: random.Random, server: Server, rows: int, columns: int, undo: float) -> str:
    game = server.game
    assert game is not None
    row, column = chance.randint(1, rows), chance.randint(1, columns)
    kind = chance.random()
    if kind < undo:
        return "undo"
    if game.status() != "playing" and chance.random() < 0.15:
        return chance.choice([f"open {rows + 1} 1", f"mark 1 {columns + 1}", "dig 1 1", "state"])
    if chance.random() < 0.04:
        beyond = [f"show 1 1 {rows + 1} 1", f"show 1 {columns + 1} 1 1", f"show 1 1 1 {columns + 9}"]
        return chance.choice(
            [*TYPING, *beyond, f"open {rows + 1} 1", f"mark 1 {columns + 1}", f"show 2 1 1 {columns}", "state"]
        )
    if chance.random() < 0.12:
        other = chance.randint(row, rows)
        return f"show {row} {column} {other} {chance.randint(1, columns)}"
    opened = [cell for cell, state in game.cells.items() if state == "open" and game.number(cell)]
    if opened and kind < 0.55:
        r, c = divmod(chance.choice(opened), columns)
        near = [cell for cell in game.around(r * columns + c) if cell in game.mines and cell not in game.cells]
        if near and chance.random() < 0.7:
            r, c = divmod(chance.choice(near), columns)
            return f"mark {r + 1} {c + 1}"
        return f"sweep {r + 1} {c + 1}"
    word = chance.choice(["open", "open", "open", "mark", "sweep"])
    if word == "open" and chance.random() < 0.6:
        safe = [cell for cell in range(rows * columns) if cell not in game.mines and cell not in game.cells]
        if safe:
            row, column = (x + 1 for x in divmod(chance.choice(safe), columns))
    return f"{word} {row} {column}"


def floods(seed: int, rows: int, columns: int, mines: int, times: int) -> Commands:
    """Floods over nearly the whole field, taken back and made again."""
    chance = random.Random(seed)
    made: Commands = [(f"make {rows} {columns} {mines} 3 {chance.randrange(1, 10**9)}", [])]
    for _ in range(times):
        for _ in range(3):
            made.append((f"open {chance.randint(1, rows)} {chance.randint(1, columns)}", []))
        made.append(("state", []))
        row, column = chance.randint(1, rows - 2), chance.randint(1, columns)
        made.append((f"show {row} {column} {row + 2} {chance.randint(1, columns)}", []))
        made += [("undo", [])] * 4
    return made


def long(seed: int, rows: int, columns: int, mines: int, commands: int) -> Commands:
    """Many small moves on a large field, with many questions after its state."""
    chance = random.Random(seed)
    made: Commands = [(f"make {rows} {columns} {mines} {commands} {chance.randrange(1, 10**9)}", [])]
    row, column = rows // 2, columns // 2
    for _ in range(commands - 1):
        row = min(rows, max(1, row + chance.randint(-3, 3)))
        column = (column + chance.randint(-3, 3)) % columns + 1
        word = chance.choice(["open", "mark", "sweep", "state", "state", "undo", "open", "show"])
        if word == "show":
            made.append((f"show {row} {column} {row} {(column + 4) % columns + 1}", []))
        else:
            made.append((word if word in ("state", "undo") else f"{word} {row} {column}", []))
    return made


def deep(seed: int, rows: int, columns: int, mines: int) -> Commands:
    """A long series of moves, all taken back at the end."""
    moves = [c for c in long(seed, rows, columns, mines, 6000) if c[0] != "undo"]
    return [*moves, ("state", []), *[("undo", [])] * len(moves), ("state", [])]


# -- what is written -------------------------------------------------------------------------------------------------


def conversations() -> Iterable[tuple[str, Commands]]:
    yield "sample/1", conversation(3, [(4, 6)], 26, 0.12, 0.12)
    small = [(8, 8), (12, 12), (5, 9), (10, 4)]
    for n in range(6):
        yield f"secret/1-commands/{n + 1:02d}", conversation(100 + n, small[: 1 + n % 4], 120 + 40 * n, 0.0)
    narrow = [[(1, 3), (6, 3)], [(1, 12), (2, 5)], [(9, 3), (3, 4)], [(1, 40), (12, 3)]]
    for n, sizes in enumerate(narrow):
        yield f"secret/2-band/{n + 1:02d}", conversation(200 + n, sizes, 220, 0.1, 0.12)
    for n in range(6):
        yield f"secret/3-undo/{n + 1:02d}", conversation(300 + n, small, 400, 0.15 + 0.05 * n, 0.14)
    yield "secret/4-volume/01-floods", floods(401, 500, 500, 300, 20)
    yield "secret/4-volume/02-long-row", floods(402, 250, 1000, 120, 15)
    yield "secret/4-volume/03-moves", long(403, 500, 500, 30000, 12000)
    yield "secret/4-volume/04-undone", deep(404, 1000, 250, 40000)


Field = tuple[int, int, int, int, int]


def games(seed: int, count: int, sizes: list[tuple[int, int]], shares: tuple[float, float], lives: int) -> list[Field]:
    chance = random.Random(seed)
    fields = []
    for n in range(count):
        rows, columns = sizes[n % len(sizes)]
        mines = round(rows * columns * chance.uniform(*shares))
        fields.append((rows, columns, mines, chance.randint(1, lives), chance.randrange(1, 2**32)))
    return fields


def matches() -> Iterable[tuple[str, list[Field]]]:
    yield "sample/2", [(5, 7, 7, 2, 4)]
    sizes = [(8, 8), (12, 12), (16, 16), (16, 30)]
    for group, shares, lives in (
        ("5-sparse", (0.10, 0.12), 1),
        ("6-middling", (0.16, 0.19), 2),
        ("7-dense", (0.22, 0.25), 3),
    ):
        for n, size in enumerate(sizes):
            count = (40, 36, 24, 16)[n]
            yield f"secret/{group}/{n + 1:02d}", games(1000 * int(group[0]) + n, count, [size], shares, lives)


def play(interactor: Path, program: Path, case: Path) -> float:
    """The mean worth that a program reaches in a test of games."""
    with tempfile.TemporaryDirectory() as name:
        feedback = Path(name)
        (feedback / "one").write_text("1\n")
        command = [str(interactor), str(case), str(feedback / "one"), name]
        judge = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        player = subprocess.Popen([str(program)], stdin=judge.stdout, stdout=judge.stdin)
        assert judge.stdin is not None
        assert judge.stdout is not None
        judge.stdin.close()
        judge.stdout.close()
        player.wait()
        message = (feedback / "judgemessage.txt").read_text() if judge.wait() == 42 else ""
        found = re.fullmatch(r"mean worth (\S+)\n", message)
        if found is None:
            sys.exit(f"{case}: the reference's player failed: {message}")
        return float(found[1])


def told(program: Path, interactor: Path, case: Path) -> str:
    """The conversation of a test of games as the format shows it: < the judge, > the program."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "one").write_text("1\n")
        script = 'mkfifo back && "$1" "$2" one ./ <back | tee judge | "$3" | tee program >back'
        command = ["sh", "-c", script, "sh", str(interactor), str(case), str(program)]
        subprocess.run(command, cwd=place, check=True)
        judge = (place / "judge").read_text().splitlines()
        moves = (place / "program").read_text().splitlines()
    lines, at = [f"<{judge[0]}"], 1
    while judge[at] != "end":
        count = int(judge[at].split()[1]) if judge[at].startswith("opened") else 0
        block = judge[at : at + 1 + count]
        at += len(block)
        lines += [f"<{line}" for line in block]
        # The program moves where the judge has said all: not after the head of a game, and not before `over`.
        if not block[0].startswith(("game", "over")) and judge[at] != "over":
            lines.append(f">{moves.pop(0)}")
    return "".join(f"{line}\n" for line in [*lines, "<end"])


def conversed(commands: Commands, replies: list[list[str]]) -> str:
    lines = ["<serve"]
    for (line, more), reply in zip(commands, replies, strict=True):
        lines += [f"<{text}" for text in (line, *more)] + [f">{text}" for text in reply]
    return "".join(f"{line}\n" for line in lines)


def answers(program: Path, commands: Commands) -> str:
    """The reference's answers, each preceded by the number of its lines."""
    separate = "dig"  # whose answer is always the same, so that answers can be told apart
    sent = ["serve"]
    for line, more in commands:
        sent += [line, *more, separate]
    done = subprocess.run([str(program)], input="\n".join(sent) + "\n", capture_output=True, text=True, check=True)
    lines, blocks, block = done.stdout.splitlines(), [], []
    wrong = 0
    for line in lines:
        wanted = len(blocks) < len(commands) and _is_wrong(commands[len(blocks)][0])
        if line == "error command" and (not wanted or wrong):
            blocks.append(block)
            block, wrong = [], 0
        else:
            wrong += line == "error command"
            block.append(line)
    if len(blocks) != len(commands) or block:
        sys.exit("the answers do not fit the commands")
    return "".join(f"{len(b)}\n" + "".join(f"{line}\n" for line in b) for b in blocks)


def _is_wrong(line: str) -> bool:
    return Server().answer(line) == ["error command"] if not line.startswith(("new", "make")) else False


def compiled(target: Path, *sources: Path) -> Path:
    subprocess.run(["g++", "-std=c++20", "-O2", "-o", str(target), *map(str, sources)], check=True)
    return target


def main() -> int:
    for old in [*DATA.rglob("*.in"), *DATA.rglob("*.ans"), *DATA.rglob("*.interaction")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as name:
        reference = compiled(Path(name) / "reference", *sorted((REFERENCE / "src").glob("*.cpp")))
        interactor = compiled(Path(name) / "interactor", PACKAGE / "output_validator" / "interact.cpp")
        for case, commands in conversations():
            text = answers(reference, commands)
            if "volume" not in case:
                server = Server()
                replies = [server.answer(line, more) for line, more in commands]
                if text != "".join(f"{len(r)}\n" + "".join(f"{line}\n" for line in r) for r in replies):
                    sys.exit(f"{case}: the model and the reference differ")
            sent = ["serve", *(line for command in commands for line in (command[0], *command[1]))]
            _write(case, "".join(f"{line}\n" for line in sent), text)
            if case.startswith("sample"):
                (DATA / f"{case}.interaction").write_text(conversed(commands, replies))
        for case, fields in matches():
            lines = [f"play {len(fields)}", *(" ".join(map(str, one)) for one in fields)]
            _write(case, "".join(f"{line}\n" for line in lines), "1\n")
            worth = play(interactor, reference, DATA / f"{case}.in")
            (DATA / f"{case}.ans").write_text(f"{worth:.6f}\n")
            if case.startswith("sample"):
                shown = told(reference, interactor, DATA / f"{case}.in")
                (DATA / f"{case}.interaction").write_text(shown)
    return 0


def _write(case: str, text: str, answer: str) -> None:
    place = DATA / f"{case}.in"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    place.with_suffix(".ans").write_text(answer)


if __name__ == "__main__":
    sys.exit(main())
