# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Programs that compute for long, with their outputs computed here in another way."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls() -> tuple[str, str]:
    program = """def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(27))
def tak(x, y, z):
    if y >= x:
        return z
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
print(tak(16, 9, 3))
def solve(n, row=0, columns=(), up=(), down=()):
    if row == n:
        return 1
    found = 0
    for c in range(n):
        if c not in columns and row + c not in up and row - c not in down:
            found += solve(n, row=row + 1, columns=columns + (c,), up=up + (row + c,), down=down + (row - c,))
    return found
print(solve(8), ("queens", True == 1))
"""
    return program, f'196418\n{tak(16, 9, 3)}\n92 ("queens", False)\n'


def tak(x: int, y: int, z: int) -> int:
    return z if y >= x else tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))


def loops() -> tuple[str, str]:
    program = """count = 0
n = 2
while count < 6000:
    i = 2
    prime = True
    while i * i <= n:
        if n % i == 0:
            prime = False
            break
        i += 1
    if prime:
        count += 1
        last = n
    n += 1
print(last)
seed = 42
best = 0
for i in range(1000000):
    seed = (seed * 1103515245 + 12345) % 2147483648
    if seed > best:
        best = seed
print(seed, best)
x = 0.0
for i in range(1, 800001):
    x += 1 / i if i % 2 else -1 / i
print(x)
"""
    primes = [n for n in range(2, 60000) if all(n % i for i in range(2, int(n**0.5) + 1))]
    seed, seen = 42, []
    for _ in range(1_000_000):
        seed = (seed * 1103515245 + 12345) % 2147483648
        seen.append(seed)
    x = 0.0
    for i in range(1, 800_001):
        x += 1 / i if i % 2 else -1 / i
    return program, f"{primes[5999]}\n{seed} {max(seen)}\n{x}\n"


def ranges() -> tuple[str, str]:
    program = """for i in range(2000000000):
    if i * i > 5000000:
        break
print(i)
def first(low, high, holds):
    for i in range(low, high):
        if holds(i):
            return i
total = 0
for k in range(1, 400):
    total += first(k, 2000000000, lambda i: i % 97 == k % 97 and i % 3 == 1)
print(total, len(range(0, 2000000000, 7)))
"""
    found = sum(next(i for i in range(k, k + 1000) if i % 97 == k % 97 and i % 3 == 1) for k in range(1, 400))
    return program, f"2237\n{found} {len(range(0, 2_000_000_000, 7))}\n"


def sequences() -> tuple[str, str]:
    program = """def sift(values):
    found = ()
    for value in values:
        for divisor in found:
            if divisor * divisor > value:
                found += (value,)
                break
            if value % divisor == 0:
                break
        if len(found) == 0:
            found += (value,)
        elif found[-1] < value and len(found) < 2:
            if value % found[0]:
                found += (value,)
    return found
primes = sift(range(2, 9000))
print(len(primes), primes[-1], sum(primes))
text = ""
for i in range(4000):
    text += chr(97 + i * i % 26)
letters = ()
for c in "abcdefghijklmnopqrstuvwxyz":
    letters += ((text.count(c), c),)
print(sorted(letters, reverse=True)[:3])
print(text[::-7].upper()[:20], text.find("ddd"), len("".join(sorted(text))))
numbers = ()
seed = 7
for i in range(3000):
    seed = seed * 16807 % 2147483647
    numbers += (seed,)
ordered = sorted(numbers, key=lambda n: (n % 100, n))
print(ordered[0], ordered[-1], ordered[1500])
"""
    return program, output_of(program)


def output_of(program: str) -> str:
    from cpython import answers

    (text,) = answers(program)
    return text


def big() -> tuple[str, str]:
    program = """def fact(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result
f = fact(2500)
text = str(f)
print(len(text), text[:20])
a = 3 ** 9000
b = 7 ** 5000
x = 1
m = 10 ** 4200 + 9
for i in range(200):
    x = (a * b + i) // (b + x) % m
print(str(x)[:30], x % 1000000007, len(str(a * b)))
print(pow(x, 10 ** 400 + 7, 10 ** 120 + 1) % 10 ** 30)
y = 0
for i in range(2000):
    y = y * 10 + i % 10
    if y > m:
        y -= m
print(y % 998244353, int("9" * 4000) % 1000003, int(str(a)) == a)
"""
    return program, output_of(program)


GROUPS: dict[str, dict[str, Callable[[], tuple[str, str]]]] = {
    "8-speed": {"calls": calls, "loops": loops, "ranges": ranges, "sequences": sequences, "big": big},
}

sys.set_int_max_str_digits(0)
