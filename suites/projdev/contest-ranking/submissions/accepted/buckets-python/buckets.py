# rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
"""A sorted collection in buckets: adding, removing and counting cost about the square root of its size, all in C."""

from bisect import bisect_left, bisect_right, insort

LARGEST = 600


class Buckets:
    """Keys in ascending order. Every bucket is sorted, not empty (but for the only one), and below the next."""

    def __init__(self):
        self.buckets = [[]]
        self.least = []  # the first key of each bucket but the first one
        self.size = 0

    def __len__(self):
        return self.size

    def add(self, key):
        at = bisect_right(self.least, key)
        bucket = self.buckets[at]
        insort(bucket, key)
        self.size += 1
        if len(bucket) > LARGEST:
            half = len(bucket) // 2
            self.buckets.insert(at + 1, bucket[half:])
            self.least.insert(at, bucket[half])
            del bucket[half:]

    def remove(self, key):
        at = bisect_right(self.least, key)
        bucket = self.buckets[at]
        del bucket[bisect_left(bucket, key)]
        self.size -= 1
        if not bucket and len(self.buckets) > 1:
            del self.buckets[at]
            del self.least[max(at - 1, 0)]

    def below(self, key):
        """How many keys are smaller."""
        at = bisect_right(self.least, key)
        return sum(map(len, self.buckets[:at])) + bisect_left(self.buckets[at], key)

    def slice(self, first, count):
        found = []
        for bucket in self.buckets:
            if len(found) >= count:
                break
            if first >= len(bucket):
                first -= len(bucket)
                continue
            found += bucket[first : first + count - len(found)]
            first = 0
        return found

    def first(self):
        return self.buckets[0][0]

    def last(self):
        return self.buckets[-1][-1]

    def __getitem__(self, place):
        return self.slice(place, 1)[0]
