"""Estimates rates and capacities from what was taken, the weather from how far that is from what was expected.

Each hour the barrel is emptied from which the most is expected; looks are spent where two are close.
"""

import sys


class Barrel:
    def __init__(self, hours):
        self.rate = None  # per hour of ordinary rain; None: nothing known
        self.most = 0  # the largest content seen
        self.full = False  # `most` was seen twice: it is the capacity
        self.since = 0.0  # ordinary hours of rain since it was empty
        self.known = 0  # content at the last look, and ordinary hours since
        self.later = 0.0

    def expected(self):
        if self.rate is None:
            return None
        content = self.known + self.rate * self.later
        if self.full:
            return min(content, self.most)
        # It may run over at any content above the largest seen: half of what lies above is believed.
        return content if content <= self.most else self.most + 0.6 * (content - self.most)


class Gardener:
    def __init__(self, count, hours, looks, ask):
        self.barrels = [Barrel(hours) for _ in range(count)]
        self.count, self.hours, self.looks, self.ask = count, hours, looks, ask
        self.sky = 1.0

    def note(self, barrel, content):
        """Learn from a content that was seen."""
        rain = max(barrel.since, 0.25)
        gain = content - barrel.known
        if content == barrel.most and content > 0 and gain > 0:
            barrel.full = True
        elif content > barrel.most:
            barrel.most, barrel.full = content, False
        expected = barrel.rate * barrel.later if barrel.rate is not None else None
        if barrel.full and content == barrel.most:
            # It ran over: the rate is at least this, and may be more.
            if barrel.rate is None or barrel.rate * rain < content:
                barrel.rate = content / rain
        elif expected is None:
            barrel.rate = content / rain
        elif barrel.later > 0:
            ratio = gain / max(expected, 1e-9)
            # How wet it has been is seen in all barrels alike; what is left is the barrel's own.
            weight = min(1.0, 6 / barrel.later) * 0.3
            self.sky = max(0.3, min(1.8, self.sky * (1 - weight + weight * max(0.2, min(3.0, ratio)))))
            share = 0.35 if 0.4 < ratio < 2.2 else 0.6
            barrel.rate = (1 - share) * barrel.rate + share * gain / barrel.later

    def look(self, which):
        barrel = self.barrels[which]
        self.looks -= 1
        content = self.ask("look", which)
        self.note(barrel, content)
        barrel.known, barrel.later = content, 0.0

    def worth(self, which):
        barrel = self.barrels[which]
        expected = barrel.expected()
        if expected is None:
            return float("inf")
        near = barrel.full and barrel.most - expected < 2 * barrel.rate
        return expected if near else 0.85 * expected

    def play(self):
        for hour in range(self.hours):
            for barrel in self.barrels:
                barrel.since += self.sky
                barrel.later += self.sky
            order = sorted(range(self.count), key=self.worth, reverse=True)
            # Spread over the season, more where the second comes close to the first.
            while self.looks * (self.hours) > 0 and self.looks >= (self.hours - hour) * self.reserve():
                fresh = [which for which in order[:3] if self.barrels[which].later > 0.5]
                if not fresh:
                    break
                self.look(fresh[0])
                order = sorted(range(self.count), key=self.worth, reverse=True)
            which = order[0]
            barrel = self.barrels[which]
            taken = self.ask("empty", which)
            if barrel.later > 0:
                self.note(barrel, taken)
            barrel.known = 0
            barrel.since = barrel.later = 0.0

    def reserve(self):
        return 0.0


def main():
    count, hours, looks = map(int, sys.stdin.readline().split())

    def ask(word, which):
        print(word, which + 1, flush=True)
        return int(sys.stdin.readline())

    Gardener(count, hours, looks, ask).play()


if __name__ == "__main__":
    main()
