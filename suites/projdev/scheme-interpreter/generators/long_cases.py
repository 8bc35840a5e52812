# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""Long programs, and their output computed in Python without the model."""

from __future__ import annotations

from collections.abc import Callable

Made = tuple[str, str]
BIG = 2**31 - 1


def lines(*values: object) -> str:
    return "".join(f"{value}\n" for value in values)


# ------------------------------------------------------------------------------------------------------------------ loops
def tail_calls() -> Made:
    count = 300_000
    program = f"""\
(define (down n) (if (= n 0) 'down (down (- n 1))))
(down {count})
(define (ev n) (if (= n 0) #t (od (- n 1))))
(define (od n) (if (= n 0) #f (ev (- n 1))))
(ev {count})
(define (by-cond n s) (cond ((= n 0) s) ((even? n) (by-cond (- n 1) (+ s n))) (else (by-cond (- n 1) s))))
(by-cond {count} 0)
(define (by-and n) (or (= n 0) (and #t (by-and (- n 1)))))
(by-and {count})
(define (by-let n) (let ((m (- n 1))) (let* ((k m)) (letrec ((j k)) (begin (if (< j 0) 'let (by-let j)))))))
(by-let {count})
(define (by-when n) (when (> n 0) (unless (= n 1) (by-when (- n 1)))))
(by-when {count})
(define (by-case n) (case n ((0) 'case) (else (by-case (- n 1)))))
(by-case {count})
(define (pass n k) (if (= n 0) (k 0) (pass (- n 1) (lambda (x) (k (+ x 1))))))
(pass 40000 (lambda (x) x))
"""
    return program, lines("down", "#t", sum(range(0, count + 1, 2)), "#t", "let", "case", 40_000)


def deep_recursion() -> Made:
    depth = 50_000
    program = f"""\
(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1)))))
(count {depth})
(define (make n) (if (= n 0) '() (cons n (make (- n 1)))))
(define l (make {depth}))
(length l)
(define (total l) (cond ((null? l) 0) (else (let ((rest (total (cdr l)))) (+ rest (car l))))))
(total l)
(define (last n) (if (= n 0) (car '()) (+ 1 (last (- n 1)))))
(last {depth})
(list-ref (append l l) {depth})
(equal? l (make {depth}))
"""
    return program, lines(depth, depth, depth * (depth + 1) // 2, "error: wrong type", depth, "#t")


def long_loops() -> Made:
    count = 700_000
    program = f"""\
(let loop ((i 0) (x 1)) (if (= i {count}) x (loop (+ i 1) (modulo (+ (* x 48271) 11) {BIG}))))
(do ((i 0 (+ i 1)) (s 0 (+ s (remainder i 7)))) ((= i 300000) s))
"""
    x = 1
    for _ in range(count):
        x = (x * 48271 + 11) % BIG
    return program, lines(x, sum(i % 7 for i in range(300_000)))


# ------------------------------------------------------------------------------------------------------------------ speed
def calls() -> Made:
    program = """\
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(fib 25)
(define (tak x y z) (if (< y x) (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y)) z))
(tak 16 11 5)
"""

    def tak(x: int, y: int, z: int) -> int:
        return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)) if y < x else z

    return program, lines(75025, tak(16, 11, 5))


def primes() -> Made:
    most = 200_000
    program = f"""\
(define (sieve n)
  (let ((marks (make-vector (+ n 1) #t)))
    (let next ((i 2) (found 0) (sum 0))
      (cond ((> i n) (list found sum))
            ((vector-ref marks i)
             (do ((k (* i i) (+ k i))) ((> k n)) (vector-set! marks k #f))
             (next (+ i 1) (+ found 1) (+ sum i)))
            (else (next (+ i 1) found sum))))))
(sieve {most})
"""
    marks = bytearray([1]) * (most + 1)
    found = []
    for i in range(2, most + 1):
        if marks[i]:
            found.append(i)
            marks[i * i :: i] = bytes(len(range(i * i, most + 1, i)))
    return program, lines(f"({len(found)} {sum(found)})")


def sorting() -> Made:
    count = 15_000
    program = f"""\
(define (draw n x l) (if (= n 0) l (draw (- n 1) (modulo (* x 16807) {BIG}) (cons (quotient x 1000) l))))
(define (split l a b) (if (null? l) (cons a b) (split (cdr l) b (cons (car l) a))))
(define (merge a b done)
  (cond ((null? a) (append (reverse done) b))
        ((null? b) (append (reverse done) a))
        ((< (car b) (car a)) (merge a (cdr b) (cons (car b) done)))
        (else (merge (cdr a) b (cons (car a) done)))))
(define (sort l)
  (if (or (null? l) (null? (cdr l))) l
      (let ((parts (split l '() '()))) (merge (sort (car parts)) (sort (cdr parts)) '()))))
(define sorted (sort (draw {count} 42 '())))
(list (list-ref sorted 0) (list-ref sorted 7000) (list-ref sorted 14999))
(let check ((l sorted)) (or (null? (cdr l)) (and (<= (car l) (cadr l)) (check (cdr l)))))
"""
    x, drawn = 42, []
    for _ in range(count):
        drawn.append(x // 1000)
        x = x * 16807 % BIG
    drawn.sort()
    return program, lines(f"({drawn[0]} {drawn[7000]} {drawn[14999]})", "#t")


def queens() -> Made:
    program = """\
(define (safe? column distance placed)
  (or (null? placed)
      (and (not (= column (car placed))) (not (= (abs (- column (car placed))) distance)) (safe? column (+ distance 1) (cdr placed)))))
(define (place row placed)
  (if (= row 0) 1
      (let try ((column 1) (found 0))
        (if (> column 8) found
            (try (+ column 1) (if (safe? column 1 placed) (+ found (place (- row 1) (cons column placed))) found))))))
(place 8 '())
(define many 20000)
(define table (map (lambda (n) (cons n (* n n))) (let up ((i 299) (l '())) (if (< i 0) l (up (- i 1) (cons i l))))))
(let look ((i 0) (s 0)) (if (= i 3000) s (look (+ i 1) (+ s (cdr (assq (modulo (* i 7919) 300) table))))))
(string-length (let grow ((i 0) (s "")) (if (= i 3000) s (grow (+ i 1) (string-append s "ab")))))
"""
    return program, lines(92, sum((i * 7919 % 300) ** 2 for i in range(3000)), 6000)


# ----------------------------------------------------------------------------------------------------------------- memory
def short_lists() -> Made:
    program = """\
(define (make n) (let loop ((i 0) (l '())) (if (= i n) l (loop (+ i 1) (cons i l)))))
(do ((k 0 (+ k 1)) (s 0 (+ s (length (make 20000))))) ((= k 100) s))
"""
    return program, lines(2_000_000)


def cycles() -> Made:
    """Each round makes procedures and pairs that refer to each other: counting references does not free them."""
    program = """\
(define (round n)
  (define kept (make-vector 400 n))
  (define (ev k) (if (= k 0) (vector-ref kept 0) (od (- k 1))))
  (define (od k) (if (= k 0) 'odd (ev (- k 1))))
  (let ((ring (list 1 2 3)))
    (set-cdr! (cddr ring) ring)
    (vector-set! kept 1 ring)
    (vector-set! kept 2 ev)
    (ev 2)))
(let loop ((i 0) (s 0)) (if (= i 100000) s (loop (+ i 1) (+ s (round 1)))))
"""
    return program, lines(100_000)


def much_kept() -> Made:
    """A large structure stays while much else comes and goes."""
    program = """\
(define (make n) (let loop ((i 0) (l '())) (if (= i n) l (loop (+ i 1) (cons i l)))))
(define kept (make 150000))
(define slots (make-vector 100 '()))
(let loop ((i 0))
  (if (< i 700000)
      (begin (vector-set! slots (modulo (* i 31) 100) (list i (number->string i) (vector i i i i))) (loop (+ i 1)))))
(length kept)
(vector-ref slots 31)
(fold-left + 0 kept)
"""
    last = max(i for i in range(699_900, 700_000) if i * 31 % 100 == 31)
    slot = f'({last} "{last}" #({last} {last} {last} {last}))'
    return program, lines(150_000, slot, sum(range(150_000)))


def strings() -> Made:
    program = """\
(define base (let grow ((i 0) (s "0123456789")) (if (= i 9) s (grow (+ i 1) (string-append s s)))))
(string-length base)
(do ((i 0 (+ i 1)) (s base (string-append (substring s 1 5120) "x"))) ((= i 80000) (substring s 5110 5120)))
(define (escape n) (call/cc (lambda (k) (k (guard (e (#t e)) (raise n))))))
(do ((i 0 (+ i 1)) (s 0 (+ s (escape 1)))) ((= i 20000) s))
"""
    return program, lines(5120, '"xxxxxxxxxx"', 20_000)


GROUPS: dict[str, dict[str, Callable[[], Made]]] = {
    "4-loops": {"tail-calls": tail_calls, "deep": deep_recursion, "long": long_loops},
    "7-speed": {"calls": calls, "primes": primes, "sorting": sorting, "queens": queens},
    "8-memory": {"short-lists": short_lists, "cycles": cycles, "much-kept": much_kept, "strings": strings},
}
