# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""The booking server as the statement describes it, as simply as possible; all answers of the package come from here."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

STAFF = 5
LEAST_CHANGE = 20


def moment(minutes: int) -> str:
    """A point in time: minutes since the midnight at which day 0 would begin."""
    day, minute = divmod(minutes, 1440)
    return f"{day}/{minute // 60:02}:{minute % 60:02}"


@dataclass
class Account:
    password: str
    name: str
    rank: int
    bookings: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Booking:
    number: int
    account: str
    line: Line
    day: int
    first: int
    last: int
    berths: int
    state: str = "waiting"

    @property
    def price(self) -> int:
        return (self.line.price[self.last] - self.line.price[self.first]) * self.berths


@dataclass
class Sailing:
    free: list[int]
    cancelled: bool = False
    bookings: list[Booking] = field(default_factory=list)

    def fits(self, booking: Booking) -> bool:
        return min(self.free[booking.first : booking.last]) >= booking.berths

    def take(self, booking: Booking, sign: int = 1) -> None:
        for leg in range(booking.first, booking.last):
            self.free[leg] -= sign * booking.berths


@dataclass
class Line:
    name: str
    berths: int
    first: int
    last: int
    ports: list[str]
    price: list[int]
    """Of one berth, from the first port to each port."""
    arrival: list[int]
    """At each port, in minutes since the midnight of the sailing's day."""
    departure: list[int]
    launched: bool = False
    sailings: dict[int, Sailing] = field(default_factory=dict)

    def sailing(self, day: int) -> Sailing | None:
        """The sailing of this day if it takes place."""
        if not self.first <= day <= self.last:
            return None
        found = self.sailings.setdefault(day, Sailing([self.berths] * (len(self.ports) - 1)))
        return None if found.cancelled else found

    def place(self, port: str) -> int | None:
        return self.ports.index(port) if port in self.ports else None

    def day_of(self, place: int, leaves: int) -> int:
        """The day of the sailing that leaves this port on this day."""
        return leaves - self.departure[place] // 1440

    def first_leaving(self, place: int, earliest: int) -> int | None:
        """The day of the first sailing that takes place and leaves this port then or later."""
        day = max(self.first, -((self.departure[place] - earliest) // 1440))
        while day <= self.last:
            if day not in self.sailings or not self.sailings[day].cancelled:
                return day
            day += 1
        return None

    def part(self, day: int, first: int, last: int) -> str:
        """The sailing between two ports, as `search` lists it."""
        sailing = self.sailing(day)
        assert sailing is not None
        leaves, arrives = day * 1440 + self.departure[first], day * 1440 + self.arrival[last]
        price, free = self.price[last] - self.price[first], min(sailing.free[first:last])
        return f"{self.name} {moment(leaves)} {moment(arrives)} {price} {free}"


def drafted(name: str, berths: str, first: str, last: str, time: str, *lists: str) -> Line:
    ports, prices, sail, stay = (words.split(",") for words in lists)
    stays = [int(word) for word in stay if word != "-"] + [0]
    price, arrival, departure = [0], [0], [int(time[:2]) * 60 + int(time[3:])]
    for cost, minutes, rest in zip(prices, sail, stays, strict=True):
        price.append(price[-1] + int(cost))
        arrival.append(departure[-1] + int(minutes))
        departure.append(arrival[-1] + rest)
    return Line(name, int(berths), int(first), int(last), ports, price, arrival, departure)


class Server:
    """What survives a run; :class:`Run` adds who is present."""

    def __init__(self) -> None:
        self.accounts = {"master": Account("master", "Master", 9)}
        self.lines: dict[str, Line] = {}
        self.calls: defaultdict[str, set[str]] = defaultdict(set)
        """The names of the launched lines that serve each port."""
        self.bookings: dict[int, Booking] = {}

    def launched(self, name: str) -> Line | None:
        line = self.lines.get(name)
        return line if line is not None and line.launched else None


class Run:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.present: set[str] = set()

    def answer(self, command: str) -> list[str]:
        """The lines of the answer; `stop` is not known here."""
        words = command.split(" ")
        if words[0].startswith("@"):
            actor = words[0][1:]
            if actor not in self.present:
                return ["refused"]
            found = getattr(self, "do_" + words[1])(actor, *words[2:])
        else:
            found = getattr(self, "do_" + words[0])(*words[1:])
        if found is None:
            return ["refused"]
        return found if isinstance(found, list) else [found]

    # -- accounts
    def do_enter(self, name: str, password: str) -> str | None:
        account = self.server.accounts.get(name)
        if account is None or account.password != password or name in self.present:
            return None
        self.present.add(name)
        return "ok"

    def do_leave(self, actor: str) -> str:
        self.present.remove(actor)
        return "ok"

    def do_enrol(self, actor: str, name: str, password: str, label: str, rank: str) -> str | None:
        if name in self.server.accounts or int(rank) >= self.server.accounts[actor].rank:
            return None
        self.server.accounts[name] = Account(password, label, int(rank))
        return "ok"

    def _may_see(self, actor: str, name: str) -> bool:
        accounts = self.server.accounts
        return name in accounts and (name == actor or accounts[name].rank < accounts[actor].rank)

    def do_profile(self, actor: str, name: str) -> str | None:
        if not self._may_see(actor, name):
            return None
        account = self.server.accounts[name]
        return f"{name} {account.name} {account.rank}"

    def do_alter(self, actor: str, name: str, *changes: str) -> str | None:
        new = dict(change.split("=") for change in changes)
        if not self._may_see(actor, name) or int(new.get("rank", "-1")) >= self.server.accounts[actor].rank:
            return None
        account = self.server.accounts[name]
        account.password = new.get("password", account.password)
        account.name = new.get("name", account.name)
        account.rank = int(new.get("rank", account.rank))
        return f"{name} {account.name} {account.rank}"

    # -- lines
    def _staff(self, actor: str) -> bool:
        return self.server.accounts[actor].rank >= STAFF

    def do_draft(self, actor: str, *words: str) -> str | None:
        if not self._staff(actor) or words[0] in self.server.lines:
            return None
        self.server.lines[words[0]] = drafted(*words)
        return "ok"

    def _draft(self, actor: str, name: str) -> Line | None:
        line = self.server.lines.get(name) if self._staff(actor) else None
        return None if line is None or line.launched else line

    def do_scrap(self, actor: str, name: str) -> str | None:
        if self._draft(actor, name) is None:
            return None
        del self.server.lines[name]
        return "ok"

    def do_launch(self, actor: str, name: str) -> str | None:
        line = self._draft(actor, name)
        if line is None:
            return None
        line.launched = True
        for port in line.ports:
            self.server.calls[port].add(name)
        return "ok"

    def do_show(self, name: str, day: str) -> list[str] | None:
        line = self.server.lines.get(name)
        sailing = None if line is None else line.sailing(int(day))
        if line is None or sailing is None:
            return None
        start, end = int(day) * 1440, len(line.ports) - 1
        rows = [f"{name} {line.berths} {'launched' if line.launched else 'draft'}"]
        for place, port in enumerate(line.ports):
            arrival = moment(start + line.arrival[place]) if place > 0 else "-"
            departure = moment(start + line.departure[place]) if place < end else "-"
            free = sailing.free[place] if place < end else "-"
            rows.append(f"{port} {arrival} {departure} {line.price[place]} {free}")
        return rows

    # -- finding
    def do_search(self, start: str, end: str, day: str, order: str) -> list[str]:
        found = []
        for name in self.server.calls[start] & self.server.calls[end]:
            line = self.server.lines[name]
            first, last = line.place(start), line.place(end)
            assert first is not None
            assert last is not None
            if first >= last or line.sailing(line.day_of(first, int(day))) is None:
                continue
            minutes, price = line.arrival[last] - line.departure[first], line.price[last] - line.price[first]
            text = line.part(line.day_of(first, int(day)), first, last)
            found.append((minutes if order == "time" else price, name, text))
        return [f"found {len(found)}", *(text for *_, text in sorted(found))]

    def do_change(self, start: str, end: str, day: str, order: str) -> list[str]:
        """All connections, one by one."""
        best: tuple[tuple[int, int, str, str, int], list[str]] | None = None
        onward: dict[str, list[tuple[Line, int, int]]] = {}
        for name in self.server.calls[start]:
            one = self.server.lines[name]
            first = one.ports.index(start)
            sails = one.day_of(first, int(day))
            if one.sailing(sails) is None:
                continue
            leaves = sails * 1440 + one.departure[first]
            for via in range(first + 1, len(one.ports)):
                arrives = sails * 1440 + one.arrival[via]
                if one.ports[via] not in onward:
                    onward[one.ports[via]] = self._onward(one.ports[via], end)
                for two, boards, last in onward[one.ports[via]]:
                    later = None if two is one else two.first_leaving(boards, arrives + LEAST_CHANGE)
                    if later is None:
                        continue
                    duration = later * 1440 + two.arrival[last] - leaves
                    price = one.price[via] - one.price[first] + two.price[last] - two.price[boards]
                    keys = (duration, price) if order == "time" else (price, duration)
                    key = (*keys, name, two.name, via)
                    if best is None or key < best[0]:
                        rows = [f"via {one.ports[via]} {price} {duration}", one.part(sails, first, via)]
                        best = key, [*rows, two.part(later, boards, last)]
        return ["none"] if best is None else best[1]

    def _onward(self, port: str, end: str) -> list[tuple[Line, int, int]]:
        """Launched lines that serve the port and later the end, with both places."""
        lines = [self.server.lines[name] for name in self.server.calls[port] & self.server.calls[end]]
        found = [(line, line.ports.index(port), line.ports.index(end)) for line in lines]
        return [one for one in found if one[1] < one[2]]

    # -- bookings
    def do_book(self, actor: str, name: str, day: str, start: str, end: str, count: str, wait: str = "") -> str | None:
        line = self.server.launched(name)
        if line is None:
            return None
        first, last = line.place(start), line.place(end)
        if first is None or last is None or first >= last or int(count) > line.berths:
            return None
        sails = line.day_of(first, int(day))
        sailing = line.sailing(sails)
        if sailing is None:
            return None
        booking = Booking(len(self.server.bookings) + 1, actor, line, sails, first, last, int(count))
        if sailing.fits(booking):
            booking.state = "booked"
            sailing.take(booking)
        elif not wait:
            return None
        sailing.bookings.append(booking)
        self.server.bookings[booking.number] = booking
        self.server.accounts[actor].bookings.append(booking.number)
        return f"{booking.state} {booking.number} {booking.price}"

    def do_bookings(self, actor: str, count: str) -> list[str]:
        numbers = self.server.accounts[actor].bookings[: -int(count) - 1 : -1]
        rows = [f"bookings {len(numbers)}"]
        for number in numbers:
            one = self.server.bookings[number]
            line, start = one.line, one.day * 1440
            leaves, arrives = moment(start + line.departure[one.first]), moment(start + line.arrival[one.last])
            rows.append(
                f"{number} {one.state} {line.name} {line.ports[one.first]} {leaves} {line.ports[one.last]} {arrives}"
                f" {one.berths} {one.price}"
            )
        return rows

    def do_refund(self, actor: str, number: str) -> str | None:
        booking = self.server.bookings.get(int(number))
        if booking is None or booking.account != actor or booking.state not in {"booked", "waiting"}:
            return None
        sailing = booking.line.sailing(booking.day)
        assert sailing is not None
        before, booking.state = booking.state, "refunded"
        sailing.bookings.remove(booking)
        if before == "waiting":
            return "refunded 0 0"
        sailing.take(booking, -1)
        served = 0
        for one in sailing.bookings:
            if one.state == "waiting" and sailing.fits(one):
                one.state = "booked"
                sailing.take(one)
                served += 1
        return f"refunded {booking.price} {served}"

    def do_cancel(self, actor: str, name: str, day: str) -> str | None:
        line = self.server.launched(name) if self._staff(actor) else None
        sailing = None if line is None else line.sailing(int(day))
        if sailing is None:
            return None
        sailing.cancelled = True
        for booking in sailing.bookings:
            booking.state = "cancelled"
        return f"cancelled {len(sailing.bookings)}"

    def do_manifest(self, actor: str, name: str, day: str) -> list[str] | None:
        line = self.server.launched(name) if self._staff(actor) else None
        sailing = None if line is None else line.sailing(int(day))
        if line is None or sailing is None:
            return None
        income = sum(one.price for one in sailing.bookings if one.state == "booked")
        return [f"manifest {len(sailing.bookings)} {income}"] + [
            f"{one.number} {one.state} {one.account} {line.ports[one.first]} {line.ports[one.last]} {one.berths} {one.price}"
            for one in sailing.bookings
        ]


def answers(server: Server, commands: list[str]) -> list[str]:
    """The answers of a run."""
    run, found = Run(server), []
    for command in commands:
        if command == "stop":
            break
        found += run.answer(command)
    return found
