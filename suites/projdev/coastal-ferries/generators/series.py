# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Tests of `change`, of restarts, and of the volume: what :mod:`cases` is for the others."""

from __future__ import annotations

from cases import FEW, any_accounts, mixed
from script import COAST, NAMES, Script


# -- change
def ask(script: Script, start: str, end: str, *days: int) -> None:
    for day in days:
        for order in ("time", "price"):
            script.say("change", start, end, day, order)


def first_changes(script: Script, _: int) -> None:
    script.staff()
    script.line("west", 9, (1, 9), "08:00", ["ALTA", "BODO", "FLORO"], [10, 10], [60, 60], [30])
    script.line("slow", 9, (1, 9), "12:00", ["BODO", "MOLDE", "VARDO"], [5, 5], [600, 600], [60])
    script.line("fast", 9, (1, 9), "12:00", ["FLORO", "MOLDE", "VARDO"], [50, 50], [60, 60], [10])
    script.draft("best", 9, (1, 9), "10:31", ["FLORO", "VARDO"], [1], [1], [])
    ask(script, "ALTA", "VARDO", 1, 8, 9, 10)
    ask(script, "ALTA", "MOLDE", 1, 9)
    ask(script, "BODO", "VARDO", 1)
    ask(script, "ALTA", "FLORO", 1)
    ask(script, "VARDO", "ALTA", 1)
    ask(script, "ALTA", "NARVIK", 1)
    ask(script, "NARVIK", "ALTA", 1)
    script.say("@master launch best")
    ask(script, "ALTA", "VARDO", 1, 9)


def minutes(script: Script, _: int) -> None:
    """Changes of 19, 20 and 21 minutes, also over midnight."""
    script.staff()
    for place, (time, sail) in enumerate((("10:00", 60), ("23:00", 41), ("23:00", 40), ("23:00", 39), ("23:30", 1410), ("00:00", 1439))):
        script.line(f"a{place}", 9, (1, 5), time, [f"A{'BCDEFG'[place]}", "HUB", "OUT"], [place + 1, 1], [sail, 30], [15])
    for time in ("11:19", "11:20", "11:21", "00:00", "00:01", "23:59", "23:19"):
        script.line(f"b{time[:2]}{time[3:]}", 9, (2, 4), time, ["NEAR", "HUB", f"END{chr(65 + int(time[3:]) // 3)}", "ALL"], [1, 1, 1], [1440, 60, 60], [0, 5])
    for start in "BCDEFG":
        for day in (1, 2, 3, 4, 5):
            ask(script, f"A{start}", "ALL", day)
        for end in sorted({f"END{chr(65 + one // 3)}" for one in (19, 20, 21, 0, 1, 59)}):
            ask(script, f"A{start}", end, 2)


def waiting_days(script: Script, _: int) -> None:
    """The next part leaves days later: its season begins later, it leaves its later ports on later days, or it is cancelled."""
    script.staff("ann")
    script.line("now", 5, (1, 6), "06:00", ["ALTA", "BODO"], [10], [120], [])
    script.line("late", 5, (10, 12), "05:00", ["BODO", "MOLDE"], [1], [60], [])
    script.line("long", 5, (1, 20), "23:00", ["VARDO", "BODO", "MOLDE"], [1, 20], [1440, 600], [720])
    script.line("past", 5, (1, 2), "09:00", ["BODO", "MOLDE"], [7], [60], [])
    ask(script, "ALTA", "MOLDE", 1, 2, 3, 6, 7)
    for words in ("past 2", "late 10", "long 2", "long 1", "past 1", "late 11", "late 12"):
        script.say("@master cancel", words)
        ask(script, "ALTA", "MOLDE", 1, 2, 3)
    for day in range(3, 21):
        script.say("@master cancel long", day)
    ask(script, "ALTA", "MOLDE", 1, 3)
    script.say("@master cancel now 2")
    ask(script, "ALTA", "MOLDE", 1, 2)


def ties(script: Script, _: int) -> None:
    script.staff()
    chance = script.chance
    for name in chance.some(["a", "ab", "b", "ba", "0"], 5):
        ports = ["ALTA", *chance.some(["BODO", "FLORO", "MOLDE"], 3)]
        script.line(name, 5, (1, 3), "08:00", ports, [10, chance.of([0, 10]) + 10, 10], [60, 60, 60], [0, 0])
    for name in chance.some(["c", "ca", "-c", "c-", "d"], 5):
        ports = [*chance.some(["BODO", "FLORO", "MOLDE"], 3), "NARVIK"]
        script.line(name, 5, (1, 4), chance.of(["12:00", "10:20"]), ports, [10, 10, 10], [60, 60, 60], [0, 0])
    for end in ("NARVIK", "MOLDE", "BODO"):
        ask(script, "ALTA", end, 1, 3)
    script.line("same", 5, (1, 3), "08:00", ["ALTA", "BODO", "NARVIK"], [1, 1], [1, 1], [0])
    script.line("twin", 5, (1, 3), "08:00", ["ALTA", "BODO", "NARVIK"], [1, 1], [1, 1], [20])
    ask(script, "ALTA", "NARVIK", 1, 2, 3)


def any_changes(script: Script, _: int) -> None:
    """Among bookings and cancelled sailings."""
    chance = script.chance
    script.staff("ann")
    for number in range(40):
        script.any_draft(f"{chance.of(NAMES)}-{number}", FEW, 6, 9)
        script.say("@master launch", f"{script.lines[-1].split()[2]}")
    for _ in range(350):
        line = chance.of(script.launched())
        kind = chance.below(20)
        if kind < 12:
            script.say("change", *chance.some(FEW, 2), chance.between(1, 14), chance.of(["time", "price"]))
        elif kind < 18:
            script.book("ann", line, 2)
        elif kind < 19:
            script.say("@master cancel", line.name, chance.between(line.first, line.last))


# -- restart
def restart_accounts(script: Script, number: int) -> None:
    if number:
        script.say("@ann profile ann")
    any_accounts(script, number)


def restart_lines(script: Script, number: int) -> None:
    chance = script.chance
    script.staff()
    for line in sorted(script.server.lines):
        script.say("show", line, chance.between(1, 9))
    for one in range(8):
        script.any_draft(f"r{number}-{one}", FEW, 6, 9)
        if chance.below(2):
            script.say("@master launch", f"r{number}-{one}")
    for line in chance.some(sorted(script.server.lines), 5):
        script.say("@master", chance.of(["launch", "scrap"]), line)
    for _ in range(40):
        script.say("search", *chance.some(FEW, 2), chance.between(1, 12), chance.of(["time", "price"]))


def restart_all(script: Script, number: int) -> None:
    chance = script.chance
    if number:
        script.say("@ann bookings 5")
        script.enter("master", "ann", "bob", "clerk")
        for line in script.launched():
            script.say("@clerk manifest", line.name, chance.between(line.first, line.last))
        script.say("@ann bookings 30")
        for who in ("ann", "bob"):
            refund(script, who)
        script.say("@master leave")
        script.say("@ann leave")
        script.say("@bob leave")
        script.say("@clerk leave")
    mixed(script, 150, wait=True, staff=True)


def refund(script: Script, who: str) -> None:
    """Of the account's oldest booking that is booked, so that those who have waited since earlier runs are served."""
    mine = script.server.accounts[who].bookings
    booked = [number for number in mine if script.server.bookings[number].state == "booked"]
    script.say(f"@{who} refund", booked[0] if booked else 1)


def restart_quiet(script: Script, number: int) -> None:
    """Hardly anything in each run, and nothing at all in some."""
    if number == 0:
        script.staff("ann", "bob")
        script.line("q", 3, (1, 2), "23:30", ["ALTA", "BODO", "FLORO"], [5, 6], [60, 60], [0])
        script.say("@ann book q 1 ALTA FLORO 2")
    elif number == 2:
        script.enter("bob")
        script.say("@bob book q 2 BODO FLORO 2 wait")
        script.say("@bob book q 2 BODO FLORO 1 wait")
    elif number == 4:
        script.enter("ann")
        script.say("@ann refund 1")
    elif number == 5:
        script.enter("bob", "master")
        script.say("@bob bookings 3")
        script.say("@master cancel q 2")
    elif number == 6:
        script.say("show q 1")
        script.say("show q 2")
        script.say("search BODO FLORO 2 time")
        script.say("enter ann pw")
        script.say("stop")


# -- volume
PORTS = [f"{port[:13]}{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number % 26]}{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[number // 26]}"
         for number in range(20) for port in COAST]  # fmt: skip
PEOPLE = 9_000
LINES = 3_000


def volume(script: Script, number: int) -> None:
    if number == 0:
        build(script)
        return
    chance = script.chance
    script.enter("master")
    present = [f"p{chance.below(PEOPLE)}" for _ in range(2_500)]
    present = sorted(set(present))
    script.enter(*present)
    lines = list(script.server.lines.values())
    busy = [lines[chance.below(LINES)] for _ in range(40)]
    while len(script.lines) < 59_000:
        operate(script, chance.of(present), lines, busy)


def build(script: Script) -> None:
    chance = script.chance
    script.enter("master")
    for number in range(PEOPLE):
        script.say("@master enrol", f"p{number}", f"pw{number}", chance.word(NAMES, 24), 0)
    for number in range(LINES):
        count = chance.between(10, 24)
        # Neighbours on the coast are neighbours on the line, in one of the directions.
        start = chance.below(len(PORTS) - count)
        ports = PORTS[start : start + count]
        prices = [chance.between(5, 90) for _ in range(count - 1)]
        sail = [chance.between(20, 300) for _ in range(count - 1)]
        stay = [chance.between(0, 60) for _ in range(count - 2)]
        first = chance.between(1, 10)
        script.line(
            f"line-{number * 7919 % LINES}", chance.of([4, 20, 100]), (first, chance.between(60, 100)),
            f"{chance.below(24):02}:{chance.below(60):02}", ports if chance.below(2) else ports[::-1], prices, sail, stay,
        )  # fmt: skip


def operate(script: Script, who: str, lines: list, busy: list) -> None:
    chance = script.chance
    kind = chance.below(1000)
    line = chance.of(busy) if chance.below(8) == 0 else chance.of(lines)
    if kind < 720:
        script.book(who, line, 4, wait=chance.below(2) == 0)
    elif kind < 790:
        mine = script.server.accounts[who].bookings
        script.say(f"@{who} refund", chance.of(mine) if mine else chance.between(1, 1_000_000))
    elif kind < 920:
        script.say(f"@{who} bookings", chance.of([1, 5, 20]))
    elif kind < 950:
        first, last = script.voyage(line)
        script.say("search", line.ports[first], line.ports[last], script.leaving(line, first), chance.of(["time", "price"]))
    elif kind < 970:
        script.say("show", line.name, chance.between(line.first, line.last))
    elif kind < 990:
        script.say("@master manifest", line.name, chance.between(line.first, line.last))
    elif kind == 990 and chance.below(4) == 0:
        first, last = script.voyage(line)
        end = PORTS[min(len(PORTS) - 1, max(0, PORTS.index(line.ports[last]) + chance.between(-8, 8)))]
        if end != line.ports[first]:
            script.say("change", line.ports[first], end, script.leaving(line, first), chance.of(["time", "price"]))
    elif kind > 997:
        script.say("@master cancel", line.name, chance.between(line.first, line.last))
