# rigorbench-canary 3946732e-f346-4ca6-977b-b81bb144cf12
"""Keeps an estimate of each barrel's rate and capacity, and empties where the most is expected.

Looks are spread over the season and go to where the choice is close: to the one of the best two that was seen longest
ago.
"""

import sys


class Barrel:
    def __init__(self):
        self.rate = None  # centilitres an hour; None: nothing seen yet
        self.most = 0  # the largest content seen
        self.full = False  # `most` was seen twice: that is the capacity
        self.known = 0  # content when last seen
        self.hours = 0  # of rain since then

    def expected(self):
        content = self.known + self.rate * self.hours
        if content <= self.most:
            return content
        # Nothing that large was ever in there: it may run over.
        return self.most if self.full else self.most + 0.7 * (content - self.most)

    def capacity(self):
        return max(1, self.most if self.full else 1.5 * self.most)

    def see(self, content):
        """Learn from a content."""
        if self.hours > 0:
            rate = (content - self.known) / self.hours
            if content == self.most and content > self.known:
                self.full = True
            overflowed = self.full and content >= self.most
            if self.rate is None:
                self.rate = rate
            elif overflowed:
                self.rate = max(self.rate, rate)  # it gained at least this
            else:
                weight = min(0.7, 0.25 + 0.05 * self.hours)
                self.rate += weight * (rate - self.rate)
        if content > self.most:
            self.most, self.full = content, False
        self.known, self.hours = content, 0


class Gardener:
    def __init__(self, count, hours, looks, ask):
        self.barrels = [Barrel() for _ in range(count)]
        self.count, self.hours, self.looks, self.ask = count, hours, looks, ask

    def worth(self, which):
        """Expected content times fullness: to leave a barrel that is not full costs nothing."""
        barrel = self.barrels[which]
        if barrel.rate is None:
            return float("inf")
        expected = barrel.expected()
        return expected * (expected / barrel.capacity()) ** 1.5

    def best(self):
        return sorted(range(self.count), key=self.worth, reverse=True)

    def play(self):
        pace = self.looks / self.hours
        saved = 0.0
        for _ in range(self.hours):
            for barrel in self.barrels:
                barrel.hours += 1
            order = self.best()
            saved += pace
            while saved >= 1 and self.looks > 0 and self.count > 1:
                leading, second = order[0], order[1]
                close = self.worth(second) > 0.75 * self.worth(leading)
                stale = [which for which in (leading, second) if self.barrels[which].hours > 1]
                if not close or not stale or self.barrels[leading].rate is None:
                    break
                which = max(stale, key=lambda each: self.barrels[each].hours)
                saved -= 1
                self.looks -= 1
                self.barrels[which].see(self.ask("look", which))
                order = self.best()
            barrel = self.barrels[order[0]]
            barrel.see(self.ask("empty", order[0]))
            barrel.known = barrel.hours = 0


def main():
    count, hours, looks = map(int, sys.stdin.readline().split())

    def ask(word, which):
        print(word, which + 1, flush=True)
        return int(sys.stdin.readline())

    Gardener(count, hours, looks, ask).play()


if __name__ == "__main__":
    main()
