# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""All bookings, in columns; free berths and live bookings of sailings are derived from them."""

import os
from array import array

from lines import DAY, moment

FILE = "bookings.column"
STATES = ("booked", "waiting", "refunded", "cancelled")
BOOKED, WAITING, REFUNDED, CANCELLED = range(4)
COLUMNS = (("account", "I"), ("line", "H"), ("day", "B"), ("first", "B"), ("last", "B"), ("berths", "H"), ("state", "B"))


class Sailing:
    __slots__ = ("free", "live", "waiting")

    def __init__(self, line):
        self.free = array("H", [line.berths]) * (len(line.ports) - 1)
        self.live = array("I")
        self.waiting = []


class Bookings:
    def __init__(self, lines):
        self.lines = lines
        self.columns = {name: array(kind) for name, kind in COLUMNS}
        if os.path.exists(FILE):
            with open(FILE, "rb") as file:
                size = int(file.readline())
                for column in self.columns.values():
                    column.fromfile(file, size)
        for name, column in self.columns.items():
            setattr(self, name, column)
        self.of_account = {}
        self.sailings = {}
        for number, account in enumerate(self.account):
            self.of_account.setdefault(account, array("I")).append(number)
            if self.state[number] in (BOOKED, WAITING):
                self._add(number)

    def save(self):
        with open(FILE, "wb") as file:
            file.write(b"%d\n" % len(self.account))
            for column in self.columns.values():
                column.tofile(file)

    def _sailing(self, line, day):
        key = line.number << 7 | day
        found = self.sailings.get(key)
        if found is None:
            found = self.sailings[key] = Sailing(line)
        return found

    def _add(self, number):
        sailing = self._sailing(self.lines.launched[self.line[number]], self.day[number])
        sailing.live.append(number)
        if self.state[number] == WAITING:
            sailing.waiting.append(number)
        else:
            self._occupy(sailing, number, self.berths[number])

    def _occupy(self, sailing, number, berths):
        for leg in range(self.first[number], self.last[number]):
            sailing.free[leg] -= berths

    def _price(self, number):
        costs = self.lines.launched[self.line[number]].costs
        return (costs[self.last[number]] - costs[self.first[number]]) * self.berths[number]

    def free(self, line, day, first, last):
        found = self.sailings.get(line.number << 7 | day) if line.launched else None
        return line.berths if found is None else min(found.free[first:last])

    def book(self, actor, name, day, start, end, count, wait=None):
        line, berths = self.lines.by_name.get(name), int(count)
        if line is None or not line.launched or berths > line.berths:
            return None
        first, last = line.ports.get(start), line.ports.get(end)
        if first is None or last is None or first >= last:
            return None
        sails = line.leaving(first, int(day))
        if sails is None:
            return None
        fits = self.free(line, sails, first, last) >= berths
        if not fits and wait is None:
            return None
        number = len(self.account)
        row = (actor, line.number, sails, first, last, berths, BOOKED if fits else WAITING)
        for column, value in zip(self.columns.values(), row):
            column.append(value)
        self._add(number)
        self.of_account.setdefault(actor, array("I")).append(number)
        return f"{STATES[self.state[number]]} {number + 1} {self._price(number)}"

    def list(self, actor, count):
        numbers = self.of_account.get(actor, array("I"))[-int(count) :]
        rows = [f"bookings {len(numbers)}"]
        for number in reversed(numbers):
            line, start = self.lines.launched[self.line[number]], self.day[number] * DAY
            ports, first, last = list(line.ports), self.first[number], self.last[number]
            rows.append(
                f"{number + 1} {STATES[self.state[number]]} {line.name} {ports[first]} {moment(start + line.goes[first])}"
                f" {ports[last]} {moment(start + line.comes[last])} {self.berths[number]} {self._price(number)}"
            )
        return rows

    def refund(self, actor, word):
        number = int(word) - 1
        if number >= len(self.account) or self.account[number] != actor or self.state[number] > WAITING:
            return None
        sailing = self._sailing(self.lines.launched[self.line[number]], self.day[number])
        sailing.live.remove(number)
        if self.state[number] == WAITING:
            sailing.waiting.remove(number)
            self.state[number] = REFUNDED
            return "refunded 0 0"
        self.state[number] = REFUNDED
        self._occupy(sailing, number, -self.berths[number])
        still = [one for one in sailing.waiting if not self._serve(sailing, one)]
        served = len(sailing.waiting) - len(still)
        sailing.waiting = still
        return f"refunded {self._price(number)} {served}"

    def _serve(self, sailing, number):
        if min(sailing.free[self.first[number] : self.last[number]]) < self.berths[number]:
            return False
        self._occupy(sailing, number, self.berths[number])
        self.state[number] = BOOKED
        return True

    def cancel(self, line, day):
        line.cancelled.add(day)
        sailing = self.sailings.pop(line.number << 7 | day, None)
        live = () if sailing is None else sailing.live
        for number in live:
            self.state[number] = CANCELLED
        return f"cancelled {len(live)}"

    def manifest(self, line, day, accounts):
        found = self.sailings.get(line.number << 7 | day)
        ports, income, rows = list(line.ports), 0, []
        for number in () if found is None else found.live:
            state, price = self.state[number], self._price(number)
            income += price if state == BOOKED else 0
            way = f"{ports[self.first[number]]} {ports[self.last[number]]}"
            name = accounts.name(self.account[number])
            rows.append(f"{number + 1} {STATES[state]} {name} {way} {self.berths[number]} {price}")
        return [f"manifest {len(rows)} {income}", *rows]
