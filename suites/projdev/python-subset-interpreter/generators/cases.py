# rigorbench-canary 3b1d7a52-95f4-4d0e-8a67-6d1c0c1f2e14
"""Programs written by hand, by group. Those in `OTHER_THAN_CPYTHON` use what the statement lists as differences."""

SAMPLES = {
    "programs": """# Greatest common divisors, and what is shown how.
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
print(gcd(84, 36), gcd(b=10 ** 30, a=6 ** 40))
pair = ("it's", 1.5, (True, None))
print(pair, pair[0], len(pair), 7 / 2, 7 // -2, 2 ** 100)
for i, word in ((1, "one"), (2, "two")):
    print(i, word.upper(), sep=":", end=";")
print()
print(sorted((3, 1, 2), key=lambda n: -n))
""",
    "defaults": """n = 1
def f(a, b=n * 10):
    return a + b
n = 7
print(f(1), f(1, b=2), f(b=n, a=0))
""",
    "scopes": """def counter():
    n = 0
    def next(step=1):
        nonlocal n
        n += step
        return n
    return next
a = counter()
b = counter()
print(a(), a(step=5), b())
""",
    "error": """def third(values):
    return values[2]
print("a", "b", end="")
print(third((1, 2, 3)), third("xy"))
""",
}

GROUPS = {
    "1-basic": {
        "arithmetic": '''print(1 + 2 * 3, (1 + 2) * 3, 2 - 3 - 4, -2 ** 2, 2 ** 3 ** 2, (-2) ** 2)
print(7 // 2, -7 // 2, 7 // -2, -7 // -2, 0 // 5, 6 // -3)
print(7 % 3, -7 % 3, 7 % -3, -7 % -3, 0 % -5, 6 % -3)
print(--5, +-5, -+5, 10 - -3, 2 * -3, 2 ** 0, 0 ** 0)
a = b = 17
a += 3
b -= 20
print(a, b)
a *= b
b //= 2
print(a, b, a % 7)
a %= 11
a **= 3
print(a, 100 // 7 % 4, 100 % 7 // 2, 1 - 2 + 3)
print(1000000007 * 998244353, 9223372036854775807 - 1, -9223372036854775807)
''',
        "truth": '''print(True, False, None, not True, not 0, not "", not (), not None, not "0")
print(1 < 2, 2 <= 2, 3 > 4, 4 >= 5, 1 == 1, 1 != 1, "a" < "b", "abc" < "abd", "Z" < "a", "" < "a")
print(1 < 2 < 3, 1 < 3 < 2, 3 > 2 > 1, 1 < 3 > 2, 1 == 1 < 2, 1 != 2 != 1)
print(0 or 5, 3 or 5, 0 and 5, 3 and 5, "" or "x", None or False, 1 and "" or "z")
print(not 1 == 2, not 1 < 2 or 3, 1 if "" else 2, 1 if 0 else 2 if 0 else 3)
print(True == True, True == 1, False == 0, None == False, "1" == 1, True != 1)
print(True and False or True, not (True and False))
print(bool(0), bool("a"), bool(()), bool((0,)), bool(None), bool(range(0)))
''',
        "loops": '''n = 27
steps = 0
while n != 1:
    if n % 2 == 0:
        n //= 2
    else:
        n = 3 * n + 1
    steps += 1
print(steps)
for i in range(2, 30):
    prime = True
    for j in range(2, i):
        if j * j > i:
            break
        if i % j == 0:
            prime = False
            break
    if not prime:
        continue
    print(i, end=" ")
print()
for i in range(10, 0, -3):
    print(i, end=",")
print(i)
for i in range(5, 5):
    print("never")
print(i)
for c in "abc":
    print(c, end=c)
print()
k = 0
while True:
    k += 1
    if k < 3:
        continue
    elif k == 5:
        pass
    elif k > 7:
        break
    else:
        print("k", k)
for i in range(3):
    i = i * 10
    print(i)
total = 0
for i in range(100):
    for j in range(i):
        if j > 5:
            break
        total += j
print(total)
''',
        "printing": '''print()
print("a", 1, True, None, "")
print("a", "b", sep="")
print("a", "b", end="!\\n")
print("a", end="")
print("b", end="")
print()
print(1, 2, 3, sep=", ", end=".\\n")
print("tab\\there", 'single "double"', "it's", 'it\\'s', "back\\\\slash", "two\\nlines")
print(("it's", '"', "\\\\", "\\n"), ("a",), ())
print("x" + "y" * 3, 2 * "ab", "a" * 0, "a" * -1, "=" * 10)
# a comment
x = 5  # another one
print(x, "# none")  # a third one

print("", "")
print(str(12) + "3", str(True), str(None) + "!", str((1, "a")), int("12") + 3, len("four"), len(""))
print(end="")
print(sep=";")
print("a\\n", end="")
print("last")
''',
        "words": '''text = "the quick brown fox"
longest = ""
word = ""
for c in text + " ":
    if c == " ":
        if len(word) > len(longest):
            longest = word
        word = ""
    else:
        word += c
print(longest, len(longest))
vowels = 0
for c in text:
    if c in "aeiou":
        vowels += 1
    elif c not in "bcdfghjklmnpqrstvwxyz":
        print("[" + c + "]", end="")
print(vowels)
a, b = 3, 4
a, b = b, a
print(a, b, min(a, b), max(a, b), abs(-5), abs(5))
low = 0
high = 1000000
while low < high:
    middle = (low + high) // 2
    if middle * middle < 123456789:
        low = middle + 1
    else:
        high = middle
print(low)
''',
    },
    "2-functions": {
        "calls": '''def nothing():
    pass
def twice(x):
    return x * 2
def early(n):
    for i in range(n):
        if i == 3:
            return "three"
    return
print(nothing(), twice(4), twice("ab"), twice((1,)), early(2), early(9))
print(twice(twice(twice(1))))
def apply(f, x):
    return f(x)
print(apply(twice, 21), apply(len, "four"), apply(lambda x: x + 1, 1))
print(twice, nothing, len, lambda: 0, apply == apply, twice == nothing)
g = twice
def twice(x):
    return x * 200
print(g(1), twice(1), g)
def power(base, exponent):
    result = 1
    while exponent:
        if exponent % 2:
            result *= base
        base *= base
        exponent //= 2
    return result
print(power(3, 20), power(exponent=3, base=20), power(2, exponent=10))
''',
        "named": '''def show(a, b=2, c=3, d=4):
    print(a, b, c, d)
show(1)
show(1, 5)
show(1, d=5)
show(1, c=6, b=7)
show(d=1, c=2, b=3, a=4)
show(a=0)
show(1, 2, 3, 4)
def order(x):
    print("order", x, end=" ")
    return x
show(order(3), d=order(1), b=order(2))
print("a", "b", end="|\\n", sep=order("-"))
print(sorted((3, 1, 2), reverse=True), sorted("hello", key=lambda c: -ord(c)), sorted((1, 2), reverse=False))
f = lambda x, y=10: x - y
print(f(1), f(1, 2), f(y=1, x=5))
''',
        "defaults": '''n = 1
def f(a, b=n * 10):
    return a + b
print(f(1))
n = 5
print(f(1), f(1, 2))
def count():
    global n
    n += 1
    return n
def g(a=count(), b=count()):
    return (a, b)
print(n, g(), g(), g(1), g(b=1), n)
def make(x):
    def inner(y=x * 2):
        return y
    x += 100
    return inner
print(make(1)(), make(1)(7))
for i in range(3):
    def h(k=i):
        return k
print(h(), h(k=9))
i = 50
print(h())
def late(a, b=a_later):
    return a + b
a_later = 1000
print(late(1))
def self_call(n, rest=0):
    return rest if n == 0 else self_call(n - 1, rest=rest + n)
print(self_call(10))
a = "global"
def p(a, b=a):
    return b
print(p("argument"))
m = lambda q=n: q
n = 77
print(m(), m(3))
''',
        "recursion": '''def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(15))
def hanoi(n, a="A", b="B", c="C"):
    if n == 0:
        return 0
    return hanoi(n - 1, a=a, b=c, c=b) + 1 + hanoi(n - 1, a=c, b=b, c=a)
print(hanoi(8))
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
print(even(100), odd(100), even(7))
def permutations(s):
    if len(s) < 2:
        return (s,)
    found = ()
    for i in range(len(s)):
        for rest in permutations(s[:i] + s[i + 1:]):
            found += (s[i] + rest,)
    return found
print(permutations("abc"))
def depth(n):
    if n == 0:
        return 0
    return 1 + depth(n - 1)
print(depth(2990))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))
print(ackermann(2, 3))
''',
        "parsing": '''# Evaluates sums and products that are written in strings.
def number(text, at):
    value = 0
    while at < len(text) and text[at] in "0123456789":
        value = value * 10 + ord(text[at]) - ord("0")
        at += 1
    return value, at
def factor(text, at=0):
    if text[at] == "(":
        value, at = total(text, at=at + 1)
        return value, at + 1
    return number(text, at)
def product(text, at=0):
    value, at = factor(text, at)
    while at < len(text) and text[at] == "*":
        other, at = factor(text, at=at + 1)
        value *= other
    return value, at
def total(text, at=0):
    value, at = product(text, at)
    while at < len(text) and text[at] in "+-":
        sign = 1 if text[at] == "+" else -1
        other, at = product(text, at + 1)
        value += sign * other
    return value, at
for text in ("1+2*3", "(1+2)*3", "2*(3+4)*(5-1)", "100-20-3", "((7))"):
    print(text, total(text)[0], total(text), sep=" = ")
''',
    },
    "3-scopes": {
        "local": '''x = "global"
y = 1
def f():
    x = "local"
    return x
def g():
    return x
def h():
    global x, z
    x = "changed"
    z = "new"
    return x
print(f(), x, g(), h(), x, z)
def shadow(y):
    y += 1
    return y
print(shadow(10), y)
def loop():
    for y in range(3):
        pass
    return y
print(loop(), y)
def branch(flag):
    if flag:
        value = 1
    else:
        value = 2
    return value
print(branch(True), branch(False))
len = 3
print(len)
def again():
    def len(x):
        return "mine"
    return len("abc")
print(again(), len)
def uses_later():
    return defined_later
defined_later = "there"
print(uses_later())
''',
        "closures": '''def counter(start=0):
    n = start
    def up(by=1):
        nonlocal n
        n += by
        return n
    def read():
        return n
    return up, read
up, read = counter()
up()
up(by=10)
other, _ = counter(start=100)
print(read(), other(), read(), up(), read())
def adders():
    found = ()
    for i in range(3):
        found += (lambda x: x + i,)
    return found
for add in adders():
    print(add(10), end=" ")
print()
def adder(i):
    return lambda x: x + i
found = ()
for i in range(3):
    found += (adder(i),)
i = 1000
for add in found:
    print(add(10), end=" ")
print()
def compose(f, g):
    return lambda x: f(g(x))
def twice(f):
    return compose(f, f)
print(twice(twice(lambda x: x * 3))(1), compose(str, len)("abc") + "!")
def parameter(a):
    def change():
        nonlocal a
        a *= 2
        return a
    a += 1
    return (change(), a, change(), a)
print(parameter(1))
''',
        "nested": '''x = 0
def a():
    x = 1
    def b():
        def c():
            nonlocal x
            x += 1
            return x
        return c() + c()
    return b() + x
print(a(), x)
def d():
    x = 10
    def e():
        global x
        x += 5
        def f():
            return x
        return f()
    return (e(), x)
print(d(), x)
def outer():
    def fact(n):
        return 1 if n == 0 else n * fact(n - 1)
    def even(n):
        return n == 0 or odd(n - 1)
    def odd(n):
        return n != 0 and even(n - 1)
    return fact(20), even(10), odd(10)
print(outer())
def stack():
    items = ()
    def push(x):
        nonlocal items
        items += (x,)
    def pop():
        nonlocal items
        last = items[-1]
        items = items[:-1]
        return last
    def size():
        return len(items)
    return push, pop, size
push, pop, size = stack()
for i in range(5):
    push(i * i)
print(pop(), pop(), size())
def passing(n):
    def inner():
        def innermost():
            return n
        return innermost
    n += 1
    return inner()()
print(passing(5))
def targets():
    a, b = 1, 2
    def swap():
        nonlocal a, b
        a, b = b, a
        return a, b
    for a in range(3):
        pass
    return swap(), a, b
print(targets(), True == 1)
''',
        "lambdas": '''inc = lambda x: x + 1
print(inc(1), (lambda: 5)(), (lambda a, b=2: a * b)(3), (lambda a, b=2: a * b)(b=4, a=5))
pick = lambda flag: inc if flag else lambda x: x - 1
print(pick(True)(10), pick(False)(10))
curry = lambda a: lambda b: lambda c: (a, b, c)
print(curry(1)(2)(3))
fact = lambda n: 1 if n < 2 else n * fact(n - 1)
print(fact(10))
def ycombinator(f):
    return (lambda x: x(x))(lambda y: f(lambda v: y(y)(v)))
print(ycombinator(lambda self: lambda n: 0 if n == 0 else n + self(n - 1))(10))
pair = lambda a, b: lambda f: f(a, b)
first = lambda p: p(lambda a, b: a)
second = lambda p: p(lambda a, b: b)
p = pair(1, pair(2, 3))
print(first(p), first(second(p)), second(second(p)))
print(sorted(("bb", "a", "ccc"), key=lambda s: -len(s)), lambda: 0)
x = 5
f = lambda x: (lambda x: x + 1)(x * 2) + x
print(f(10), x)
n = 3
scale = lambda v, by=n: v * by
n = 4
print(scale(10), scale(10, by=1))
''',
        "bank": '''def account(owner, balance=0):
    log = ()
    def deposit(amount, note=""):
        nonlocal balance, log
        balance += amount
        log += ((amount, note or "deposit"),)
        return balance
    def withdraw(amount, note=""):
        nonlocal log
        if amount > balance:
            log += ((0, "refused"),)
            return None
        return deposit(-amount, note=note or "withdrawal")
    def report():
        print(owner, balance, log)
    return deposit, withdraw, report
d1, w1, r1 = account("ann")
d2, w2, r2 = account(balance=50, owner="bob")
d1(100)
w1(30, note="shoes")
print(w1(1000))
w2(20)
r1()
r2()
total = 0
def tally(x):
    global total
    total += x
    return total
print(tally(5), tally(x=6), total)
''',
    },
    "4-sequences": {
        "indexes": '''s = "abcdef"
t = (10, 20, 30, 40, 50)
print(s[0], s[5], s[-1], s[-6], t[2], t[-2])
print(s[1:3], s[:3], s[3:], s[:], s[-3:], s[:-2], s[4:2], s[10:], s[-10:2], s[2:100])
print(s[::2], s[1::2], s[::-1], s[4:1:-1], s[-2::-2], s[:2:-1], s[100::-3], s[::100], s[::-100])
print(t[1:3], t[::-1], t[::2], t[5:], t[-2:], t[:0], t[3:0:-2])
nested = ((1, 2), ("x", (3, 4)), ())
print(nested[1][1][0], nested[0] + nested[1], len(nested), nested)
print(s[len(s) - 1], s[1:][0], (1, 2, 3)[1], "xyz"[2], s[2:4][::-1])
for i in range(-3, 3):
    print(s[i:], s[:i], s[i::-1], t[i], sep=" ", end=";")
print()
print(s[1:10 ** 30], s[-10 ** 30:2], s[::10 ** 30], t[10 ** 30:], t[:: -10 ** 30])
''',
        "tuples": '''print((), (1,), (1, 2), ("a",), ((),), (None, True, 1.5))
a, b, c = 1, (2, 3), "x"
print(a, b, c)
a, = (5,)
print(a)
x = 1, 2
y = 3,
print(x + y, y * 3, 2 * x, x * 0, x == (1, 2), x != (1, 2), (1, 2) < (1, 3), (1,) < (1, 0), () < (0,))
print((1, "a") == (1, "a"), (1, 2) == (1.0, 2.0), (1, (2, 3)) < (1, (2, 4)), (True,) == (1,))
print(1 in (1, 2), "a" in ("b", "ab"), (1,) in ((1,), 2), 1.0 in (1,), True in (1,), None in (None,), 3 not in (1, 2))
a, b = "xy"
c, d, e = range(3)
print(a, b, c, d, e)
a = b, c = (7, 8)
print(a, b, c)
for i, x in ((1, 2), (3, 4)):
    print(i, x, end=" ")
print()
def minmax(values):
    low = high = values[0]
    for value in values:
        low = min(low, value)
        high = max(high, value)
    return low, high
low, high = minmax((3, 9, 2))
print(low, high, minmax("hello"), tuple("abc"), tuple(range(4)), tuple(()))
print(len((1, (2, 3))), sum((1, 2, 3)), sum(range(101)), sum(()), min((4, 2)), max("hello"), min(3, 2.5), max((1, 2), (1, 3)))
t = ()
for i in range(5):
    t += (i * i,)
print(t)
print(("it's", 'say "hi"', "a\\\\b", "line\\nend\\t."), repr("q"), repr(("q",)), str("q"))
''',
        "methods": '''s = "  Hello, World \\n"
print("[" + s.strip() + "]", s.upper().strip(), s.lower().strip(), "".strip() + "|", " \\t ".strip() + "|")
print("banana".find("na"), "banana".find("x"), "banana".find(""), "banana".count("a"), "aaaa".count("aa"), "a".count("aaa"))
print("banana".replace("na", "NA"), "aaa".replace("aa", "b"), "abc".replace("x", "y"), "a.b.c".replace(".", ""))
print(tuple("a,b,,c".split(",")), tuple("abc".split(",")), tuple("".split(",")), tuple("a--b--".split("--")))
print(", ".join(("a", "b", "c")), "-".join("abc"), "x".join(()), "x".join(("one",)), "".join(("a", "b")))
print("hello".startswith("he"), "hello".startswith(""), "hello".endswith("lo"), "hello".endswith("hello!"), "a".startswith("ab"))
print("el" in "hello", "" in "abc", "lh" in "hello", "x" not in "abc")
print(ord("a"), ord(" "), chr(65), chr(122), "a" < "B", chr(ord("a") + 1))
def caesar(text, shift=3):
    result = ""
    for c in text:
        if "a" <= c <= "z":
            c = chr((ord(c) - ord("a") + shift) % 26 + ord("a"))
        result += c
    return result
print(caesar("hello, xyz"), caesar(caesar("secret"), shift=-3))
line = "name=ann;age=30;city=oslo"
for field in line.split(";"):
    key, value = field.split("=")
    print(key.upper() + ":" + " ".join(value))
print("ab" * 2 + "-" * 3, ("x" + "y").upper().lower().replace("x", "z"))
''',
        "sorting": '''print(sorted((3, 1, 2)), sorted("hello"), sorted(()), sorted(range(3), reverse=True), sorted((2, 1.5, -1)))
words = ("pear", "fig", "apple", "kiwi", "date", "plum")
print(sorted(words), sorted(words, key=len), sorted(words, key=len, reverse=True))
pairs = ((2, "b"), (1, "z"), (2, "a"), (1, "a"))
print(sorted(pairs), sorted(pairs, key=lambda p: p[0]), sorted(pairs, key=lambda p: p[1], reverse=True))
print(sorted(pairs, key=lambda p: (-p[0], p[1])))
calls = 0
def key(x):
    global calls
    calls += 1
    print(x, end=" ")
    return x % 3
print(sorted((5, 4, 3, 2, 1), key=key), calls)
def insertion(values, less=lambda a, b: a < b):
    result = ()
    for value in values:
        i = 0
        while i < len(result) and not less(value, result[i]):
            i += 1
        result = result[:i] + (value,) + result[i:]
    return result
print(insertion((3, 1, 2)), insertion("hello", less=lambda a, b: a > b))
def quick(values):
    if len(values) < 2:
        return values
    low = ()
    high = ()
    for value in values[1:]:
        if value < values[0]:
            low += (value,)
        else:
            high += (value,)
    return quick(low) + values[:1] + quick(high)
seed = 12345
numbers = ()
for i in range(60):
    seed = (seed * 1103515245 + 12345) % 2147483648
    numbers += (seed % 1000,)
print(quick(numbers) == sorted(numbers), quick(numbers)[:5], ("a", 1) == ("a", True))
''',
        "matrix": '''def multiply(a, b):
    result = ()
    for row in a:
        line = ()
        for j in range(len(b[0])):
            total = 0
            for k in range(len(b)):
                total += row[k] * b[k][j]
            line += (total,)
        result += (line,)
    return result
def show(matrix, width=4):
    for row in matrix:
        for value in row:
            text = str(value)
            print(" " * (width - len(text)) + text, end="")
        print()
m = ((1, 1), (1, 0))
p = m
for i in range(10):
    p = multiply(p, m)
show(p)
show(multiply(((1, 2, 3), (4, 5, 6)), ((1, 2), (3, 4), (5, 6))), width=5)
board = "X.O" + "OX." + "..X"
lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
for a, b, c in lines:
    if board[a] != "." and board[a] == board[b] == board[c]:
        print("winner", board[a], (a, b, c), (board[a],))
''',
    },
    "5-floats": {
        "text": '''print(1.0, 0.5, -2.25, 100.0, 1e10, 123456789.0, 0.1, 0.2 + 0.1, 1 / 3, 2 / 3, 10 / 4)
print(1e15, 1e16, 9999999999999998.0, 12345678901234567.0, 1e17, 1.5e17, 1e22, 1e23, 1.7976931348623157e308)
print(0.0001, 0.00012, 0.00001, 1.5e-5, 1e-7, 5e-324, 2.2250738585072014e-308, 1e-10)
print(0.0, -0.0, 0 / 5, 0 / -5, -0.0 + 0.0, 0.0 * -1)
print(3.14159, 2.718281828459045, 1e100, 123e-7, 4.35, 0.3, 1e5, 1e-4, 1e2)
print((1.0, -0.5, 1e16), str(2.50), repr(0.1) + "x", ("a", 1.0))
x = 1.0
for i in range(20):
    print(x, end=" ")
    x *= 10
print()
for i in range(25):
    x /= 10
print(x, x * 3)
''',
        "arithmetic": '''print(1.5 + 2, 2 - 0.5, 3 * 1.5, 7 / 2, 6 / 3, 1.0 * 3, -1.5, +1.5, - -1.5)
print(7.5 // 2, -7.5 // 2, 7.5 // -2, -7.5 // -2, 7 // 2.0, 6.0 // 3, -6.0 // 4)
print(7.5 % 2, -7.5 % 2, 7.5 % -2, -7.5 % -2, 7 % 2.5, 6.0 % 3, -6.0 % 3, 6.0 % -3, 0.0 % -2, -0.0 % 2)
print(0.3 // 0.1, 0.3 % 0.1, 1.0 // 0.1, 1 % 0.1, 5.0 // 1e-3, 1e300 % 7, -1e-20 % 1)
print(2.0 ** 3, 2 ** -1, 2 ** -2, 4 ** 0.5, 10 ** -3, 1.5 ** 2, 0.0 ** 0, 0 ** 0.0, (-2) ** -1, (-2.0) ** 3, 2.0 ** -1074)
print(divmod(7.5, 2), divmod(-7, 2), divmod(7, -2.0), abs(-1.5), abs(-0.0))
print(1 == 1.0, 1 < 1.5, 1.5 > 1, 2 >= 2.0, 0.1 + 0.2 == 0.3, 0.0 == -0.0, 1.0 == True, "1.0" == 1.0)
print(min(1, 1.0), max(1, 1.0), min(2.5, 1), sum((0.5, 1, 2.25)), sum((1, 2.0)), max((0.5, 0.25)))
print(sorted((2.5, 1, 3, 0.5, -1e5)), 1.0 in (1, 2), 3 // 0.7, -3 % 0.7)
a = 1.5
a += 1
a *= 2
a -= 0.5
a /= 3
a //= 0.5
a **= 2
print(a)
''',
        "conversions": '''print(int(1.9), int(-1.9), int(0.5), int(-0.5), int(1e15), int(123456789.987), int(-0.0))
print(int("42"), int("-17"), int("+5"), int("007"), int(True), int(False), int(5))
print(float(3), float("1.5"), float("-2"), float("1e3"), float("+0.25e-2"), float("007.50"), float(2.5), float("-0"))
print(float(9007199254740993), float(9007199254740995), 9007199254740993 + 0.0, float(2 ** 70 + 1))
print(9007199254740993 == 9007199254740992.0, 9007199254740993 > 9007199254740992.0, 9007199254740992 == 9007199254740992.0)
print(2 ** 53 + 1 < 2.0 ** 53, 2.0 ** 53 < 2 ** 53 + 1, 2 ** 63 == 2.0 ** 63, 2 ** 63 - 1 < 2.0 ** 63, -2 ** 63 <= -2.0 ** 63)
print(str(1.0), str(10 ** 5), bool(0.0), bool(-0.0), bool(0.1), not 0.0, 1.5 or 2, 0.0 or "zero")
print(int(1e18), int(1e18) + 1, int(float(10 ** 18)), int(4.999999999999999), int(2.0 ** 62), int(-2.0 ** 63))
print(True == 1.0, (1, 2.0) == (1.0, 2))
''',
        "algorithms": '''def sqrt(x, steps=30):
    guess = x
    for i in range(steps):
        guess = (guess + x / guess) / 2
    return guess
print(sqrt(2), sqrt(16.0), sqrt(x=10, steps=50))
def integrate(f, a, b, n=64):
    width = (b - a) / n
    total = 0.0
    for i in range(n):
        total += f(a + (i + 0.5) * width) * width
    return total
print(integrate(lambda x: x * x, 0, 4), integrate(lambda x: 2 * x + 1, 0.0, 8, n=16))
def exp(x):
    term = total = 1.0
    for i in range(1, 30):
        term *= x / i
        total += term
    return total
print(exp(1), exp(0), exp(-1), exp(0.5))
def mean(values):
    return sum(values) / len(values)
values = (2.5, 3.5, 8, 1)
m = mean(values)
print(m, sum(tuple(sorted(values))[1:3]) / 2, (m, "mean"))
def rounded(x, digits=2):
    scale = 10 ** digits
    return int(x * scale + 0.5) / scale
print(rounded(3.14159), rounded(2.71828, digits=3), rounded(10))
balance = 1000.0
year = 0
while balance < 2000:
    balance *= 1.07
    year += 1
print(year, balance)
''',
    },
    "6-big-integers": {
        "arithmetic": '''a = 123456789012345678901234567890
b = 987654321098765432109876543210
print(a + b, a - b, b - a, a * b, b // a, b % a, -a, - -a)
print(-b // a, -b % a, b // -a, b % -a, -b // -a, -b % -a, a // b, -a // b, a % b, -a % b)
print(9223372036854775807 + 1, -9223372036854775808 - 1, -9223372036854775807 - 1, 9223372036854775807 * 2)
print(4611686018427387904 * 2, 4611686018427387904 * -2, 3037000500 * 3037000500, -(-9223372036854775807 - 1))
print((-9223372036854775807 - 1) // -1, (-9223372036854775807 - 1) % -1, 10 ** 18 * 10, 10 ** 19 // 10 ** 18, 10 ** 20 - 10 ** 20)
print(2 ** 64, 2 ** 64 - 1, 2 ** 63, 2 ** 128, (-2) ** 63, (-2) ** 64, (-3) ** 41, 7 ** 77)
print(a - a, a - a == 0, (a * b) // b == a, a * 0, 0 // a, abs(-a), abs(a))
print(10 ** 40 // 3, -10 ** 40 // 3, 10 ** 40 % 97, (10 ** 40 + 1) // 10 ** 20, (10 ** 40 - 1) // 10 ** 20)
print(2 ** 96 // (2 ** 64 - 1), (2 ** 96 - 1) // 2 ** 32, (2 ** 128 - 1) // (2 ** 64 - 1), (2 ** 96 - 2 ** 32) // (2 ** 64 - 1))
print(340282366920938463463374607431768211455 // 18446744073709551615, (2 ** 127 - 1) % (2 ** 63 + 1))
print(len(str(2 ** 1000)), str(3 ** 50) + "!", int("1" * 40), int("-" + "9" * 25), int("0" * 30 + "7"), (2 ** 70, "a"))
''',
        "comparisons": '''a = 2 ** 70
print(a == 2 ** 70, a != 2 ** 70 + 1, a < a + 1, -a < a, -a - 1 < -a, a > 5, 5 < a, -a < -5, a >= a, max(a, 5, -a), min(a, 5, -a))
print(a == 2.0 ** 70, a + 1 == 2.0 ** 70, a + 1 > 2.0 ** 70, a < 1e300, -a > -1e300, 10 ** 400 > 1e308, -10 ** 400 < 1.5, 1.5 < 10 ** 400)
print(float(a), float(-a), a + 0.0, a * 1.5, a - 0.5, float(10 ** 22), float(10 ** 23), float(2 ** 100 + 2 ** 47), float(2 ** 100 + 2 ** 48))
print(float(2 ** 100 + 2 ** 47 + 1), float(3 * 2 ** 99 + 2 ** 47), float(2 ** 1023), float(2 ** 1024 - 2 ** 971), float(9007199254740993 * 2 ** 40))
print(int(1e20), int(1e22), int(1e23), int(-1e25), int(1.5e300) % 1000000007, int(2.0 ** 100) == 2 ** 100)
print(bool(a), not a, a and 1, a in (1, 2 ** 70), (a, 1) < (a, 2), sorted((a, -a, 0, 1.5, 10 ** 30, 1e29)))
print(a / 2 ** 69, 10 ** 30 / 10 ** 29, 2 ** 80 / 3, a // 1.0 == a, a % 7.0, 2.0 ** 70 // 2 ** 35)
print(divmod(10 ** 30, 10 ** 10 + 1), divmod(-10 ** 30, 7), sum((2 ** 64, 2 ** 65, -1)), True == a)
print("ab" * (a - a + 2), "abc"[2 ** 64 - 2 ** 64 + 1])
''',
        "factorials": '''def fact(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result
print(fact(25), fact(100))
def binomial(n, k):
    return fact(n) // fact(k) // fact(n - k)
print(binomial(100, 50), binomial(60, 3), binomial(n=200, k=100))
def fib(n):
    a, b = 0, 1
    for i in range(n):
        a, b = b, a + b
    return a
print(fib(100), fib(500))
def digits(n, base=10):
    found = ()
    while n:
        n, digit = divmod(n, base)
        found = (digit,) + found
    return found
print(sum(digits(fact(100))), len(digits(2 ** 200, base=2)), digits(10 ** 20, base=16))
def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)
print(gcd(fact(30), 2 ** 100 * 3 ** 5), gcd(fib(120), fib(90)) == fib(30))
def root(n):
    low, high = 0, n + 1
    while low + 1 < high:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low
print(root(2 * 10 ** 60), root(10 ** 40), root(10 ** 40 - 1))
''',
        "modular": '''print(pow(2, 10, 1000), pow(3, 0, 7), pow(5, 3, 1), pow(2, 10, -1000), pow(-3, 3, 10), pow(0, 0, 5), pow(7, 2, -5))
p = 2 ** 127 - 1
print(pow(3, p - 1, p), pow(2, 10 ** 50, 10 ** 9 + 7), pow(123456789, p, 10 ** 30))
def is_prime(n):
    if n < 2:
        return False
    for small in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % small == 0:
            return n == small
    d, r = n - 1, 0
    while d % 2 == 0:
        d //= 2
        r += 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(base, d, n)
        if x == 1 or x == n - 1:
            continue
        for i in range(r - 1):
            x = x * x % n
            if x == n - 1:
                break
        if x != n - 1:
            return False
    return True
for n in (10 ** 18 + 9, 10 ** 18 + 10, 2 ** 61 - 1, 2 ** 89 - 1, 2 ** 83 - 1, p):
    print(n, is_prime(n), (str(n)[:2],))
def inverse(a, m):
    old, new, x, y = a % m, m, 1, 0
    while new:
        q = old // new
        old, new, x, y = new, old - q * new, y, x - q * y
    return x % m
print(inverse(3, 11), inverse(12345, p), inverse(12345, p) * 12345 % p, inverse(-7, 10 ** 20 + 39))
''',
    },
    "7-errors": {
        "names": '''print("before")
def f():
    return unknown
def g():
    x = f()
    return x
if True:
    print("a", end=" ")
    g()
print("never")
''',
        "local": '''x = 1
def f(flag):
    if flag:
        x = 2
    return x
print(f(True))
print(f(False))
''',
        "types": '''def f(n):
    if n > 2:
        return n + "a"
    return f(n + 1)
print(("a", 1), f(0))
''',
        "truth": '''print(True == 1, False == 0)
def f(x):
    y = 3
    return y + x
print(f(True))
''',
        "arguments": '''def f(a, b=1):
    return a
print(f(1), f(b=2, a=3))
def g():

    return f(1, a=2)
print(g())
''',
        "missing": '''def f(a, b=1, c=2):
    return a + b + c
print(f(1, c=5))
for i in range(3):
    # a comment
    if i == 2:
        print(f(b=i))
    print(i)
''',
        "unknown-name": '''def f(a):
    return a
print(f(a=1))
print(f(1, z=2))
''',
        "too-many": '''print(len("a"), len((1, 2)))
print(len("a", "b"))
''',
        "index": '''t = (1, 2, 3)
i = 0
while True:
    print(t[i], end="")
    i += 1
''',
        "index-below": '''s = "abc"
print(s[-3], s[-10:], s[10:])
print(s[-4])
''',
        "zero": '''def divide(a, b):
    return a // b
x = divide(7, 2)
print(x)
if divide(1, 2) == 0:
    pass
elif divide(1, 0) == 1:
    print("no")
else:
    print("no")
''',
        "elif": '''x = 5
if x == 1:
    print(1)
elif x < "a":
    print(2)
else:
    print(3)
''',
        "while": '''x = 3
while 6 // x:
    print(x, 6 % x)
    x -= 1
print("no")
''',
        "for": '''print(1)
for i in 5:
    print(i)
''',
        "unpack": '''a, b = 1, 2
print(a, b)
a, b = (1, 2, 3)
''',
        "unpack-loop": '''for a, b in ((1, 2), "xy", (3,)):
    print(a, b)
''',
        "conversion": '''print(int("12"), float("1.5"))
x = "12a"
print(x, int(x))
''',
        "float-text": '''for s in ("1", "1.5", "1e5", ".5"):
    print(float(s))
''',
        "overflow": '''x = 1.5
n = 0
while n < 2000:
    x = x * 2
    n += 1
    if n % 500 == 0:
        print(n)
print(x)
''',
        "big-overflow": '''print(10 ** 300 / 10 ** 299)
x = 10 ** 400
print(x > 1.5)
print(x + 0.5)
''',
        "power": '''print(2 ** -1, 4 ** 0.5, (-8) ** 2.0)
print(0 ** 5)
print(0 ** -1)
''',
        "root": '''print((-8) ** 3, (-8.0) ** 2)
print((-8) ** 0.5)
''',
        "depth": '''def down(n):
    return 0 if n == 0 else 1 + down(n - 1)
print(down(2999))
print("three thousand:")
print(down(3000))
''',
        "endless": '''def f(n, m=0):

    return g(n=n + 1)
def g(n):
    return f(n)
print("begin", end="")
f(0)
''',
        "lambda": '''f = lambda x: 10 // x
def g(h):
    return h(0)
print(f(3))
print(g(f))
''',
        "default": '''def f(a,  b=1 // zero):
    return a
zero = 1
print(f(1, b=2), f(1))
zero = 0
print(f(1, 2))
print(f(1))
''',
        "sorted": '''print(sorted((2, 1)), sorted((None,)[1:]))
print(sorted((1, "a")))
''',
        "key": '''def key(x):
    return 1 // x
print(sorted((3, 1, 2), key=key))
print(sorted((2, 1, 0), key=key))
''',
        "method": '''print("a".upper(), "a,b".split(",")[1])
print("abc".split(""))
''',
        "method-type": '''x = "abc"
print(x.find("c"))
x = 5
print(x.find("c"))
''',
        "call": '''f = len
print(f("abc"))
f = 5
print(f("abc"))
''',
        "chained": '''print(1 < 2 < 3, 3 < 2 < "a")
print(1 < 2 < "a")
''',
        "order": '''def say(x):
    print(x, end=" ")
    return x
say(1) + say("a")
''',
        "print": '''print(1, 2, sep="-")
print(1, 2, sep=3)
''',
        "empty": '''print(max((1, 2)), min("ba"))
print("x", end="")
print(max(()))
''',
        "modulo": '''print(pow(2, 5, 7))
print(pow(2, 5, 0))
''',
        "late-global": '''def f():
    global counter
    counter += 1
    return counter
counter = 0
print(f(), f())
def g():
    global other
    other += 1
g()
''',
        "nonlocal": '''def outer():
    def inner():
        nonlocal x
        return x
    print("called")
    inner()
    x = 1
outer()
''',
        "step": '''for i in range(0, 10, 5):
    print(i)
for i in range(0, 10, 0):
    print(i)
''',
        "character": '''print(chr(97), ord("b"))
print(ord("ab"))
''',
        "bool-index": '''print("abc"[1])
print("abc"[True])
''',
        "none": '''def f():
    pass
print(f())
x = f() * 2
''',
    },
}  # fmt: skip

# Their differences are the point of these, or they cannot be had in CPython.
OTHER_THAN_CPYTHON = {
    "sample/defaults", "1-basic/truth", "2-functions/defaults", "3-scopes/nested", "3-scopes/lambdas", "4-sequences/tuples",
    "4-sequences/sorting", "5-floats/arithmetic", "5-floats/conversions", "6-big-integers/comparisons", "7-errors/truth", "7-errors/overflow",
    "7-errors/root", "7-errors/depth", "7-errors/endless", "7-errors/default", "7-errors/bool-index", "7-errors/float-text",
    "7-errors/print", "7-errors/modulo", "7-errors/character",
}  # fmt: skip
