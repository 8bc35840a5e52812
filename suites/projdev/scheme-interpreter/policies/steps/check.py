"""Runs build/code on small programs and compares what it writes."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "build" / "code"

CASES = {
    "values": ('(+ 1 2) "a\\nb" \'(1 (2) . x) car (if #f 1)', '3\n"a\\nb"\n(1 (2) . x)\n#<procedure>\n'),
    "closures": ("(define (f n) (lambda () (set! n (+ n 1)) n)) (define g (f 1)) (g) (g)", "2\n3\n"),
    "bodies": ("(define (f) (define a 1) (define (g) a) (g)) (f) a", "1\nerror: unbound variable a\n"),
    "lines": ('(display "x") 1 (display "y\\n") 2', "x\n1\ny\n2\n"),
    "errors": (
        "(car 5) (5) ((lambda (x) x)) (quotient 1 0) (+ 9223372036854775807 1) (begin (display 1) (if))",
        "error: wrong type\nerror: not a procedure\nerror: wrong number of arguments\nerror: division by zero\n"
        "error: integer overflow\nerror: bad syntax\n",
    ),
    "tail calls": ("(let loop ((i 0)) (cond ((< i 1000000) (loop (+ i 1))) (else i)))", "1000000\n"),
    "deep": ("(define (f n) (if (= n 0) 0 (+ 1 (f (- n 1))))) (f 50000)", "50000\n"),
    "quasiquote": ("`(1 ,(+ 1 1) ,@(list 3 4) . 5)", "(1 2 3 4 . 5)\n"),
    "escapes": ("(+ 1 (call/cc (lambda (k) (* 2 (k 5)))))", "6\n"),
    "guard": (
        "(guard (e ((string? e) e)) (raise 'x)) (guard (e (#t (error-message e))) (car 1)) (error \"m\" 1 \"s\")",
        'error: uncaught x\n"wrong type"\nerror: m 1 "s"\n',
    ),
    "promises": ("(define p (delay (begin (display 1) 2))) (force p) (force p)", "1\n2\n2\n"),
    "memory": (
        "(define (r) (define v (make-vector 500 0)) (define (f) v) (vector-set! v 0 f)) (do ((i 0 (+ i 1))) ((= i 100000) i) (r))",
        "100000\n",
    ),
}


def main() -> int:
    failed = 0
    for name, (program, wanted) in CASES.items():
        try:
            run = subprocess.run([PROGRAM], input=program + "\n", capture_output=True, text=True, check=False)
            said, code = run.stdout, run.returncode
        except OSError as problem:
            said, code = str(problem), -1
        if code != 0 or said != wanted:
            failed += 1
            sys.stdout.write(f"FAILED {name}: exit {code}, wrote {said!r}\n")
    sys.stdout.write(f"{len(CASES) - failed} passed, {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
