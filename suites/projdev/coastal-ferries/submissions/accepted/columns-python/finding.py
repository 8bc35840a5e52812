# rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
"""Direct sailings, and connections with one change."""

from lines import DAY, moment

CHANGE = 20


def told(bookings, line, day, first, last):
    start = day * DAY
    leaves, arrives = moment(start + line.goes[first]), moment(start + line.comes[last])
    return f"{line.name} {leaves} {arrives} {line.costs[last] - line.costs[first]} {bookings.free(line, day, first, last)}"


def search(lines, bookings, start, end, day, order):
    found = []
    for line, first in lines.calls.get(start, ()):
        last = line.ports.get(end, 0)
        sails = line.leaving(first, int(day)) if last > first else None
        if sails is not None:
            table = line.costs if order == "price" else None
            weight = table[last] - table[first] if table else line.comes[last] - line.goes[first]
            found.append((weight, line.name, line, sails, first, last))
    found.sort(key=lambda one: one[:2])
    return [f"found {len(found)}", *(told(bookings, *one[2:]) for one in found)]


def onward(lines, port, end):
    """Lines on which one gets from this port to the end, with both places."""
    found = []
    for line, boards in lines.calls.get(port, ()):
        last = line.ports.get(end, 0)
        if last > boards:
            found.append((line, boards, last))
    return found


def change(lines, bookings, start, end, day, order):
    best, by_port = None, {}
    for line, first in lines.calls.get(start, ()):
        sails = line.leaving(first, int(day))
        if sails is None:
            continue
        leaves = sails * DAY + line.goes[first]
        for port, via in line.ports.items():
            if via <= first:
                continue
            ready = sails * DAY + line.comes[via] + CHANGE
            if port not in by_port:
                by_port[port] = onward(lines, port, end)
            for other, boards, last in by_port[port]:
                if other is line:
                    continue
                later = max(-((other.goes[boards] - ready) // DAY), other.days.start)
                while later in other.cancelled:
                    later += 1
                if later not in other.days:
                    continue
                duration = later * DAY + other.comes[last] - leaves
                price = line.costs[via] - line.costs[first] + other.costs[last] - other.costs[boards]
                keys = (price, duration) if order == "price" else (duration, price)
                key = (*keys, line.name, other.name, via)
                if best is None or key < best[0]:
                    best = key, port, (line, sails, first, via), (other, later, boards, last), price, duration
    if best is None:
        return ["none"]
    _, port, one, two, price, duration = best
    return [f"via {port} {price} {duration}", told(bookings, *one), told(bookings, *two)]
