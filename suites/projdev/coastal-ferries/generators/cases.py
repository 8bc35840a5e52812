# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""What each small test asks for. A function writes one run; `number` is the number of the run in its series."""

from __future__ import annotations

from script import COAST, NAMES, VISIBLE, Script

FEW = COAST[:8]


# -- accounts
def first_accounts(script: Script, _: int) -> None:
    script.say("enter master Master")
    script.say("@master profile master")
    script.say("enter nobody master")
    script.enter("master")
    script.say("enter master master")
    script.say("@master enrol ann pw Ann 8")
    script.say("@master enrol ann pw Ann 8")
    script.say("@master enrol bob pw Bob 9")
    script.say("@ann profile ann")
    script.say("enter ann PW")
    script.enter("ann")
    script.say("@ann enrol cy pw Cy 8")
    script.say("@ann enrol cy pw Cy 7")
    script.say("@ann profile cy")
    script.say("@ann profile master")
    script.say("@ann profile ann")
    script.say("@ann profile dot")
    script.say("@ann leave")
    script.say("@ann leave")
    script.say("@ann profile cy")
    script.enter("ann")
    script.say("@ann leave")
    script.say("@master profile ann")


def every_rank(script: Script, _: int) -> None:
    script.enter("master")
    for rank in range(9):
        script.say("@master enrol", f"r{rank}", "pw", f"Rank-{rank}", rank)
        script.say("@master enrol", f"s{rank}", "pw", f"Other-{rank}", rank)
        script.enter(f"r{rank}")
    for rank in range(9):
        for other in range(9):
            script.say(f"@r{rank} profile s{other}")
            script.say(f"@r{rank} enrol n{rank}{other} pw New {other}")
            script.say(f"@r{rank} alter s{other} name=By-{rank}")
    for rank in range(9, -1, -1):
        script.say(f"@r5 alter s2 rank={rank}")
    script.say("@r5 alter s2 rank=4")
    script.say("@r5 alter s2 rank=0")


def alterations(script: Script, _: int) -> None:
    script.staff("ann", "clerk")
    script.say("@ann alter ann name=Anna")
    script.say("@ann alter ann rank=0")
    script.say("@ann alter ann password=new name=Ann2")
    script.say("@ann alter ann rank=0 password=lost name=Lost")
    script.say("@ann leave")
    script.say("enter ann pw-ann")
    script.say("enter ann lost")
    script.say("enter ann new")
    script.say("@clerk alter ann rank=5 password=lost")
    script.say("@clerk alter ann rank=4 name=Ann4")
    script.say("@ann enrol bob pw Bob 3")
    script.say("@clerk alter clerk rank=4")
    script.say("@clerk profile ann")
    script.say("@clerk profile clerk")
    script.say("@ann profile clerk")
    script.say("@master alter master rank=8 name=Chief")
    script.say("@master alter master name=Chief")
    script.say("@master enrol chief pw Second 8")
    script.say("@master alter nobody name=X")


def any_accounts(script: Script, _: int) -> None:
    chance = script.chance
    script.enter("master")
    names = ["ann", "bob", "cy", "dot", "eve", "a", "a0", "z" * 16, "z" * 15]
    for _ in range(400):
        who, whom = chance.of(["master", *names]), chance.of(["master", *names])
        if chance.below(4) == 0 and who in script.server.accounts and who != "master":
            script.enter(who) if who not in script.run.present else script.say(f"@{who} leave")
        elif chance.below(6) == 0:
            script.say("enter", whom, chance.of(["pw", "Pw", "p2"]))
        elif chance.below(3) == 0:
            script.say(f"@{who} enrol", whom, chance.of(["pw", "Pw", "p2", "~" * 24]), chance.word(VISIBLE, 24), chance.below(10))
        elif chance.below(2) == 0:
            script.say(f"@{who} profile", whom)
        elif who != "master" or whom != "master":
            fields = [f"name={chance.word(VISIBLE, 24)}", f"rank={chance.below(10)}", f"password={chance.of(['pw', 'p2'])}"]
            script.say(f"@{who} alter", whom, *chance.some(fields, chance.between(1, 3)))


# -- lines
def one_line(script: Script, _: int) -> None:
    script.staff("clerk", "ann")
    script.say("show north 3")
    script.say("@ann draft", "north 40 3 5 22:30 BERGEN,FLORO,BODO 100,250 300,900 30")
    script.say("@clerk draft", "north 40 3 5 22:30 BERGEN,FLORO,BODO 100,250 300,900 30")
    script.say("@clerk draft", "north 40 3 5 22:30 BERGEN,FLORO 100 300 -")
    for day in (2, 3, 5, 6):
        script.say("show north", day)
    script.say("search BERGEN BODO 3 time")
    script.say("@ann launch north")
    script.say("@clerk launch north")
    script.say("@clerk launch north")
    script.say("@clerk scrap north")
    script.say("show north 5")
    for day in range(2, 8):
        for ends in ("BERGEN FLORO", "BERGEN BODO", "FLORO BODO", "BODO FLORO", "BERGEN ALTA", "ALTA BERGEN"):
            script.say("search", ends, day, "price")


def midnight(script: Script, _: int) -> None:
    script.staff()
    ports = ["ALTA", "BODO", "FLORO", "MOLDE"]
    times = [("00:00", [1440, 1440, 1], [0, 0]), ("23:59", [1, 1440, 1], [0, 720]), ("23:59", [1439, 1, 1439], [1, 719])]
    times += [("12:00", [720, 719, 1], [0, 1]), ("23:50", [5, 4, 1], [0, 1]), ("23:50", [5, 5, 1440], [0, 720])]
    for number, (time, sail, stay) in enumerate(times):
        script.line(f"m{number}", 9, (2, 3), time, ports, [1, 2, 3], sail, stay)
        script.say(f"show m{number} 2")
    for day in range(1, 8):
        for first, start in enumerate(ports):
            for end in ports[first + 1 :]:
                script.say("search", start, end, day, "time")


def orders(script: Script, _: int) -> None:
    """Lines with equal times and prices, launched in an order that is not that of their names."""
    script.staff()
    for name in ("b", "ab", "c-1", "c", "a", "0", "-", "c0", "z9", "b-"):
        minutes, price = script.chance.of([60, 120]), script.chance.of([10, 20])
        script.line(name, 5, (1, 3), "10:00", ["ALTA", "BODO", "FLORO"], [5, price], [30, minutes], [script.chance.of([0, 60])])
    for day in (1, 3, 4):
        for order in ("time", "price"):
            script.say("search ALTA FLORO", day, order)
            script.say("search BODO FLORO", day, order)


def scrapped(script: Script, _: int) -> None:
    script.staff("ann")
    chance, names = script.chance, ["x", "y", "z", "long-name-of-line"[:16]]
    for _ in range(160):
        name = chance.of(names)
        kind = chance.below(8)
        if kind < 3:
            script.any_draft(name, FEW, 5, 9)
        elif kind < 5:
            script.say("@master scrap", name)
        elif kind < 6:
            script.say("@ann scrap", name)
        elif kind < 7 and name != "x":
            script.say("@master launch", name)
        script.say("show", name, chance.between(1, 9))
        script.say("search", *chance.some(FEW, 2), chance.between(1, 9), chance.of(["time", "price"]))


def any_lines(script: Script, _: int) -> None:
    script.staff()
    chance = script.chance
    for number in range(30):
        script.any_draft(f"line-{number * 7 % 30}", FEW, 8, 12)
        if chance.below(5):
            script.say("@master launch", f"line-{number * 7 % 30}")
    for _ in range(250):
        script.say("search", *chance.some(FEW, 2), chance.between(1, 20), chance.of(["time", "price"]))
        if chance.below(4) == 0:
            script.say("show", f"line-{chance.below(31)}", chance.between(1, 14))


def long_lines(script: Script, _: int) -> None:
    """The longest that the limits allow, and the shortest."""
    script.staff()
    ports = [port[:15].ljust(16, "X") for port in COAST[:24]]
    script.line("l" * 16, 5000, (1, 100), "23:59", ports, [100_000] * 23, [1440] * 23, [720] * 22)
    script.line("s", 1, (100, 100), "00:00", ports[:2], [1], [1], [])
    script.line("back", 3, (50, 100), "23:59", ports[::-1], [1] * 23, [1] * 23, [0] * 22)
    for name, day in (("l" * 16, 1), ("l" * 16, 100), ("s", 99), ("s", 100), ("back", 100)):
        script.say("show", name, day)
    for first, last in ((0, 23), (22, 23), (0, 1), (23, 22), (11, 12), (23, 0)):
        for day in (1, 2, 35, 99, 100, 101, 102, 118, 134, 135, 160):
            script.say("search", ports[first], ports[last], day, script.chance.of(["time", "price"]))


# -- bookings
def legs(script: Script, _: int) -> None:
    script.staff("ann", "bob")
    ports = ["ALTA", "BODO", "FLORO", "MOLDE", "VARDO"]
    script.line("inner", 4, (1, 2), "08:00", ports, [10, 20, 30, 40], [60] * 4, [30] * 3)
    for who, first, last, count in (
        ("ann", 0, 2, 3), ("bob", 1, 3, 1), ("bob", 1, 3, 1), ("bob", 2, 4, 3), ("ann", 2, 3, 1), ("ann", 3, 4, 1),
        ("ann", 0, 1, 1), ("ann", 0, 4, 1), ("ann", 3, 4, 1), ("bob", 0, 4, 4), ("bob", 0, 4, 5), ("ann", 4, 0, 1),
    ):  # fmt: skip
        script.say(f"@{who} book inner 1", ports[first], ports[last], count)
        script.say("show inner 1")
    script.say("show inner 2")
    for number in range(1, 10):
        script.say("@ann refund", number)
        script.say("@bob refund", number)
        script.say("show inner 1")
        script.say("search ALTA VARDO 1 price")
    script.say("@ann bookings 5000")
    script.say("@bob bookings 2")
    script.say("@master bookings 1")


def days(script: Script, _: int) -> None:
    """Bookings from later ports, on all days around the season."""
    script.staff("ann")
    ports = ["ALTA", "BODO", "FLORO", "MOLDE", "VARDO"]
    script.line("night", 3, (3, 5), "23:00", ports, [1, 10, 100, 1000], [60, 1440, 1439, 1440], [0, 1, 720])
    for day in range(1, 13):
        for first in range(4):
            script.say("@ann book night", day, ports[first], ports[4 if day % 2 else first + 1], 1)
    for day in range(1, 13):
        script.say("show night", day)
        for first in range(4):
            script.say("search", ports[first], "VARDO", day, "time")
    script.say("@ann bookings 100")


def refusals(script: Script, _: int) -> None:
    script.staff("ann", "clerk")
    script.line("a", 5, (2, 3), "08:00", ["ALTA", "BODO", "FLORO"], [1, 2], [5, 5], [5])
    script.draft("d", 5, (2, 3), "08:00", ["ALTA", "BODO", "FLORO"], [1, 2], [5, 5], [5])
    for words in (
        "b 2 ALTA BODO 1", "d 2 ALTA BODO 1", "a 1 ALTA BODO 1", "a 4 ALTA BODO 1", "a 2 BODO ALTA 1", "a 2 ALTA MOLDE 1",
        "a 2 MOLDE ALTA 1", "a 2 ALTA BODO 6", "a 2 ALTA BODO 6 wait", "d 2 ALTA BODO 1 wait", "a 160 ALTA BODO 1",
    ):  # fmt: skip
        script.say("@ann book", words)
    script.say("@ann book a 2 ALTA BODO 5")
    script.say("@ann book a 2 ALTA FLORO 1")
    script.say("@bob book a 2 BODO FLORO 1")
    script.say("@clerk book a 2 BODO FLORO 1")
    for number in (2, 1, 1, 3, 1_000_000):
        script.say("@clerk refund", number)
        script.say("@ann refund", number)
    script.say("@ann leave")
    script.say("@ann bookings 3")
    script.say("@clerk bookings 3")


def money(script: Script, _: int) -> None:
    script.staff("ann")
    script.line("dear", 5000, (1, 100), "00:00", list(COAST[:24]), [100_000] * 23, [1440] * 23, [0] * 22)
    for count in (1, 18, 19, 931, 934, 1867, 1868, 5000):
        script.say("@ann book dear", count % 90 + 1, COAST[0], COAST[23], count)
    script.say("@ann bookings 8")
    for number in range(8, 0, -1):
        script.say("@ann refund", number)


def any_bookings(script: Script, _: int) -> None:
    mixed(script, 700, wait=False, staff=False)


def mixed(script: Script, count: int, *, wait: bool, staff: bool) -> None:
    """Random commands about bookings; with `staff`, also manifests and cancelled sailings."""
    chance, people = script.chance, ["ann", "bob", "clerk", "master"]
    script.staff("ann", "bob", "clerk")
    for number in range(len(script.server.lines), 5):
        script.any_draft(f"line-{number}", FEW, 6, 9)
        script.say("@master launch", f"line-{number}")
    for _ in range(count):
        who, line, kind = chance.of(people), chance.of(script.launched()), chance.below(40)
        if kind < 20:
            script.book(who, line, chance.of([1, 2, 4]), wait and chance.below(3) > 0)
        elif kind < 31:
            refund(script, who)
        elif kind < 34:
            script.say("show", line.name, chance.between(line.first, line.last))
        elif kind < 36:
            script.say("search", *chance.some(FEW, 2), chance.between(1, 12), chance.of(["time", "price"]))
        elif kind < 38:
            script.say(f"@{who} bookings", chance.of([1, 3, 20]))
        elif staff:
            verb = "cancel" if chance.below(4) == 0 else "manifest"
            script.say(f"@{chance.of(people[1:])} {verb}", line.name, chance.between(line.first, line.last))


def refund(script: Script, who: str) -> None:
    """Mostly of a booking that can be refunded."""
    live = [number for number in script.server.accounts[who].bookings[-40:] if script.server.bookings[number].state in ("booked", "waiting")]
    if live and script.chance.below(5):
        script.say(f"@{who} refund", script.chance.of(live))
    else:
        script.say(f"@{who} refund", script.chance.between(1, len(script.server.bookings) + 2))


# -- queue
def queue_order(script: Script, _: int) -> None:
    """Several wait; one refund serves some of them, by number, and skips those that do not fit."""
    script.staff("ann", "bob", "clerk")
    ports = ["ALTA", "BODO", "FLORO", "MOLDE"]
    script.line("slow", 6, (1, 3), "20:00", ports, [7, 11, 13], [300, 300, 300], [60, 60])
    script.say("@ann book slow 1 ALTA MOLDE 6")
    script.say("@ann book slow 2 BODO MOLDE 6")
    for who, day, first, last, count in (
        ("bob", 1, 0, 3, 4), ("ann", 1, 0, 2, 3), ("clerk", 1, 0, 1, 2), ("bob", 2, 1, 2, 1), ("bob", 2, 2, 3, 6), ("ann", 2, 1, 2, 2),
        ("ann", 2, 2, 3, 1), ("clerk", 1, 0, 3, 6), ("bob", 1, 0, 1, 1),
    ):  # fmt: skip
        script.say(f"@{who} book slow", day, ports[first], ports[last], count, "wait")
    script.say("@bob book slow 1 ALTA BODO 1")
    script.say("@clerk manifest slow 1")
    script.say("@bob manifest slow 1")
    for number in (2, 1, 1, 3, 4, 10, 5, 11, 6, 7, 8, 9):
        for who in ("ann", "bob", "clerk"):
            script.say(f"@{who} refund", number)
        script.say("@clerk manifest slow 1")
        script.say("show slow 1")
    for who in ("ann", "bob", "clerk"):
        script.say(f"@{who} bookings 20")


def overtaking(script: Script, _: int) -> None:
    """A new booking gets free berths although others wait for more."""
    script.staff("ann", "bob")
    script.line("full", 5, (1, 1), "06:00", ["ALTA", "BODO", "FLORO"], [3, 4], [60, 60], [10])
    script.say("@ann book full 1 ALTA FLORO 3")
    script.say("@bob book full 1 ALTA FLORO 3 wait")
    script.say("@ann book full 1 ALTA BODO 2 wait")
    script.say("@ann book full 1 BODO FLORO 1")
    script.say("@ann book full 1 BODO FLORO 2 wait")
    script.say("@ann refund 3")
    script.say("@bob refund 2")
    script.say("@bob book full 1 ALTA FLORO 5 wait")
    script.say("@ann refund 4")
    script.say("@ann refund 1")
    script.say("@master manifest full 1")
    script.say("@ann refund 5")
    script.say("@master manifest full 1")


def cancelled(script: Script, _: int) -> None:
    script.staff("ann", "clerk")
    script.line("c", 4, (2, 5), "23:30", ["ALTA", "BODO", "FLORO"], [3, 4], [60, 60], [10])
    script.draft("d", 4, (2, 5), "23:30", ["ALTA", "BODO", "FLORO"], [3, 4], [60, 60], [10])
    for day, start, count in ((3, "ALTA", 3), (4, "BODO", 2), (4, "ALTA", 4), (3, "ALTA", 2), (5, "BODO", 1), (5, "BODO", 3)):
        script.say("@ann book c", day, start, "FLORO", count, "wait")
    script.say("@ann refund 5")
    for words in ("c 1", "c 6", "d 3", "x 3", "c 3", "c 3", "c 5"):
        script.say("@ann cancel", words)
        script.say("@clerk cancel", words)
        script.say("@clerk manifest", words)
    for day in range(2, 7):
        script.say("show c", day)
        script.say("search ALTA FLORO", day, "time")
        script.say("search BODO FLORO", day, "time")
        script.say("@ann book c", day, "BODO FLORO 1 wait")
    for number in range(1, 9):
        script.say("@ann refund", number)
    script.say("@ann bookings 20")


def any_queue(script: Script, _: int) -> None:
    mixed(script, 900, wait=True, staff=True)
