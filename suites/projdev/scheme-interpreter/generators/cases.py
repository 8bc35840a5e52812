# rigorbench-canary 02637288-77f4-4b6f-b765-e04f42196472
"""Programs by hand, by group. The model computes their output."""

SAMPLES = {
    "values": """\
(define x 4)
(+ x 1)
(begin (display "x is ") (display x) x)
(car '())
"done"
(define (square n) (* n n)) ; a comment
(square (square 3))
'(1 (2 "three") . four)
(if (< 1 2) 'less)
(if #f 1)
square
(let ((x 1) (y x)) (list x y))
(quotient -7 2)
(modulo -7 2)
(foo 1)
(square 1 2)
(let ((x)) x)
""",
    "extension": """\
(define (sum . numbers) (fold-left + 0 numbers))
(sum 1 2 3 4)
(let loop ((i 0) (found '())) (if (= i 5) found (loop (+ i 1) (cons i found))))
(do ((i 0 (+ i 1)) (s 0 (+ s i))) ((= i 5) s))
`(1 ,(+ 1 1) ,@(map square '(1 2)) end)
(define (square n) (* n n))
`(1 ,(+ 1 1) ,@(map square '(1 2)) end)
(call/cc (lambda (leave) (for-each (lambda (n) (if (> n 2) (leave n))) '(1 2 3 4)) 'none))
(guard (e ((string? e) (string-append "caught " e)) ((error-object? e) (error-message e))) (raise "x"))
(guard (e ((string? e) e) ((error-object? e) (error-message e))) (quotient 1 0))
(guard (e ((string? e) e)) (raise 'stop))
(error "no such key:" 'k "a")
(define p (delay (begin (display "once ") 7)))
(list (force p) (force p))
(vector 1 "two" 'three)
(eval (list '+ 1 2))
""",
}

BASIC = {
    "numbers": """\
(+ 1 2) (+) (*) (- 5) (- 10 1 2 3) (* 2 3 4) (+ -4 4)
(quotient 17 5) (quotient -17 5) (quotient 17 -5) (remainder -17 5) (remainder 17 -5) (modulo -17 5) (modulo 17 -5) (modulo -15 5)
(= 1 1 1) (< 1 2 3) (< 1 3 2) (>= 3 3 1) (> 3 2 2) (<= 1 1 2) (= 4) (< 4)
(min 3 1 2) (max 3 1 2) (min 7) (abs -9) (abs 9) (expt 2 10) (expt -3 3) (expt 0 0) (expt 5 0) (expt -1 1000001) (expt 1 1000000)
(zero? 0) (positive? -1) (negative? -1) (even? 0) (odd? -3) (even? -3)
9223372036854775807 -9223372036854775808 (- 9223372036854775807 1) (expt 2 62) (- (- (expt 2 62)) (expt 2 62)) +12 -0
""",
    "lists": """\
'() '(1) '(1 2 3) '(1 . 2) '(1 2 . 3) '((1 . (2 . (3 . ()))) x) (cons 1 2) (cons 1 '()) (cons '(1) '(2)) (list) (list 1 (list 2 3) "s" 'q #t)
(car '(1 2)) (cdr '(1 2)) (cdr '(1)) (cadr '(1 2 3)) (cddr '(1 2 3)) (caddr '(1 2 3)) (caar '((1) 2))
(length '()) (length '(1 (2 3) 4)) (reverse '(1 2 3)) (reverse '()) (append) (append '(1)) (append '(1) '(2 3) '() '(4)) (append '(1) 2) (append '() '())
(list-tail '(1 2 3) 0) (list-tail '(1 2 3) 3) (list-ref '(a b c) 2)
(memq 'c '(a b c d)) (memq 'z '(a b)) (member "b" '("a" "b" "c")) (member '(1) '((0) (1) (2))) (memq 101 '(100 101 102))
(assq 'b '((a 1) (b 2))) (assoc "b" '(("a" . 1) ("b" . 2))) (assq 'z '()) (assoc 2 '((1 one) (2 two)))
(define p (cons 1 2)) (set-car! p 10) p (set-cdr! p '(20)) p (define q p) (set-car! q 'x) p (eq? p q) (eq? p (cons 'x '(20))) (equal? p (cons 'x '(20)))
''a '(quote a) '`(a ,b ,@c) '(1 . (2 3))
""",
    "predicates": """\
(eq? 'a 'a) (eq? '() '()) (eq? 100000000000 100000000000) (eqv? "a" "a") (equal? "a" "a") (equal? '(1 (2 "x")) '(1 (2 "x"))) (equal? '(1 2) '(1 3)) (equal? 1 "1")
(number? 1) (integer? 'a) (boolean? #f) (boolean? '()) (symbol? 'a) (symbol? "a") (string? "a") (pair? '()) (pair? '(1)) (null? '()) (null? 0)
(list? '(1 2)) (list? '(1 . 2)) (list? '()) (procedure? car) (procedure? (lambda () 1)) (procedure? 'car) (not #f) (not 0) (not '())
(if '() 'true 'false) (if 0 'true 'false) (if "" 'true 'false) (if #f 1 2) (if #f 1)
(and) (or) (and 1 2 3) (and 1 #f 3) (or #f #f) (or #f 2 3) (and (> 2 1) (or #f '()))
(cond (#f 1) ((= 1 1) 2 3) (else 4)) (cond (#f 1)) (cond ((assq 'b '((a 1) (b 2)))) (else 'no)) (cond (else 1 2))
car (lambda (x) x) (define f (lambda (x) x)) f
""",
    "recursion": """\
(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))
(fact 0) (fact 5) (fact 20)
(define (fib n) (cond ((< n 2) n) (else (+ (fib (- n 1)) (fib (- n 2))))))
(fib 15)
(define (even2? n) (if (= n 0) #t (odd2? (- n 1)))) (define (odd2? n) (if (= n 0) #f (even2? (- n 1))))
(even2? 101)
(define (insert x l) (cond ((null? l) (list x)) ((< x (car l)) (cons x l)) (else (cons (car l) (insert x (cdr l))))))
(define (sort l) (if (null? l) '() (insert (car l) (sort (cdr l)))))
(sort '(5 3 8 1 9 2 7))
(define (hanoi n from to by) (if (= n 0) 0 (+ (hanoi (- n 1) from by to) 1 (hanoi (- n 1) by to from))))
(hanoi 8 'a 'b 'c)
(define (depth t) (if (pair? t) (max (+ 1 (depth (car t))) (depth (cdr t))) 0))
(depth '(1 (2 (3 (4))) 5))
(define (gcd2 a b) (if (= b 0) a (gcd2 b (remainder a b))))
(gcd2 1071 462)
(define (power-set l) (if (null? l) '(()) (append (power-set (cdr l)) (with (car l) (power-set (cdr l))))))
(define (with x sets) (if (null? sets) '() (cons (cons x (car sets)) (with x (cdr sets)))))
(power-set '(a b c))
""",
    "output": """\
(display "plain") (newline)
(write "quoted\\n") (newline)
(display '(1 "two" (three))) (newline)
(write '(1 "two" (three))) (newline)
(display "left open")
42
(display "a\\nb")
(display "")
'c
(newline)
(display "ends\\n")
'd
(begin (display "x") (newline) "y")
(display "last")
""",
}

SCOPE = {
    "closures": """\
(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define a (counter)) (define b (counter))
(a) (a) (b) (a)
(define (account balance) (define (take x) (if (> x balance) 'short (begin (set! balance (- balance x)) balance))) (lambda (what x) (cond ((eq? what 'take) (take x)) (else 'what))))
(define acc (account 100)) (acc 'take 30) (acc 'take 80) (acc 'give 1)
(define (adder n) (lambda (m) (+ n m)))
((adder 3) 4)
(define add5 (adder 5)) (define n 1000) (add5 1)
(define (compose f g) (lambda (x) (f (g x))))
((compose car cdr) '(1 2 3))
(((lambda (x) (lambda (y) (list x y))) 1) 2)
(define x 1) (define (get-x) x) (let ((x 2)) (get-x)) (define x 3) (get-x)
(define fs (list (adder 1) (adder 2) (adder 3)))
((cadr fs) 10)
""",
    "let": """\
(define x 10)
(let ((x 1) (y x)) (list x y))
(let* ((x 1) (y x)) (list x y))
(let* ((x 1) (x (+ x 1)) (x (* x 10))) x)
(let* () 5) (let () 6)
(letrec ((even? (lambda (n) (if (= n 0) #t (odd? (- n 1))))) (odd? (lambda (n) (if (= n 0) #f (even? (- n 1)))))) (list (even? 10) (odd? 10)))
(even? 3)
(let ((x 1)) (let ((x (+ x 1))) (let ((x (+ x 1))) x)))
(let ((f (lambda (n) (* n x)))) (let ((x 3)) (f 2)))
(let ((x 1)) (set! x 5) (set! x (+ x 1)) x)
x
(let ((list (lambda (x) 'mine))) (list 1))
(list 1 2)
(let ((a 1)) (let ((b (lambda () a))) (set! a 2) (b)))
""",
    "bodies": """\
(define (f x) (define a 1) (define (g y) (+ y a x)) (g 10))
(f 100)
(define (even-or-odd n) (define (ev n) (if (= n 0) 'even (od (- n 1)))) (define (od n) (if (= n 0) 'odd (ev (- n 1)))) (ev n))
(even-or-odd 7)
(define a 'outer)
(define (h) (define a 'inner) a)
(list (h) a)
(define (nested) (define b 2) (let ((c 3)) (define d (+ b c)) (define (e) (* d d)) (e)))
(nested)
(let () (define x 1) (define y (+ x 1)) (set! x 10) (list x y))
(define (k) 1 2 3) (k)
((lambda () (define z 5) (set! z (+ z 1)) z))
(begin (define t 1) (define u 2)) (+ t u)
(define (shadow car) (car 1)) (shadow (lambda (x) (+ x 1)))
(define (redefine) (define list vector) 1) (redefine) (list 1)
(define (make) (define n 0) (define (up) (set! n (+ n 1)) n) up) (define m (make)) (m) (m) ((make))
""",
    "order": """\
(define trace '())
(define (note x) (set! trace (cons x trace)) x)
((begin (note 'op) +) (note 1) (note 2) (note 3))
(reverse trace)
(set! trace '())
(let ((a (note 'a)) (b (note 'b))) (note 'body))
(reverse trace)
(set! trace '())
(and (note 1) (note #f) (note 3)) (or (note #f) (note 5) (note 6))
(reverse trace)
(define car-was car)
(define (car x) 'mine)
(car '(1)) (car-was '(1))
(cadr '(1 2))
(define + -)
(+ 5 3)
(abs -3) (* 2 3)
(set! car car-was) (car '(9))
(define (if-test x) (cond ((note x) 'yes) (else 'no)))
(if-test #f) (if-test 0)
""",
}

ERRORS = {
    "messages": """\
foo
(set! foo 1)
(foo 1 2)
(1 2)
("f")
('car '(1))
((lambda (x) x))
((lambda (x) x) 1 2)
(car 1) (cdr '()) (car) (car '(1) '(2)) (cons 1)
(+ 1 'a) (- "1") (< 1 'b) (* 2 #t) (-) (<)
(quotient 1 0) (remainder 1 0) (modulo 1 0) (quotient 'a 0) (quotient 1)
(+ 9223372036854775807 1) (- -9223372036854775808 1) (* 4294967296 4294967296) (- -9223372036854775808) (abs -9223372036854775808) (quotient -9223372036854775808 -1)
(remainder -9223372036854775808 -1) (expt 2 63) (expt 2 64) (expt 10 19) (expt 2 -1) (expt -2 63)
(+ 9223372036854775807 1 'a) (+ 9223372036854775807 1 -1)
(length '(1 . 2)) (length 5) (reverse '(1 . 2)) (append '(1 . 2) '(3)) (append 1 '(2)) (list-ref '(1 2) 2) (list-ref '(1 2) -1) (list-tail '(1) 2) (list-ref '(1 2) 'a)
(memq 1 2) (assq 1 '(1)) (assoc 'a '((b 1) c (a 2))) (set-car! '() 1)
""",
    "syntax": """\
(if) (if 1) (if 1 2 3 4) (quote) (quote 1 2) (lambda (x)) (lambda) (lambda (1) 1) (lambda 5 1)
(let ((x)) x) (let ((x 1 2)) x) (let (x) x) (let ((1 2)) 3) (let ((x 1))) (let* ((x 1) (y)) y) (letrec ((x)) x) (let x) (let)
(define) (define x) (define x 1 2) (define 5 1) (define (f)) (define (1) 2) (set! x) (set! 1 2) (set! x 1 2)
() (1 . 2) (car . 1) (cond) (cond 1) (cond ()) (begin)
(begin (display "never") (if))
(define (broken) (display "never") (let ((x)) x))
(broken)
(define (fine) 'fine)
(fine)
(if #t 'taken (if))
(list (display "no") (lambda (x)))
(let ((x 1)) (define))
""",
    "order": """\
(define (say x) (display x) x)
((say 5) (say 6))
((say car) (say 1) (say 2))
(undefined-thing (say 1))
(car (say "text"))
(+ (say 1) (say 'x) (say 3))
(list (say 1) unknown (say 2))
(define y (begin (say "before ") (car '())))
y
(define (f) (say "in f ") (g) (say "not here"))
(f)
(define (g) 'g-now-there)
(f)
(if (say #f) (car '()) 'safe)
(and #f (car '())) (or 1 (car '()))
(let ((a 1) (b nope)) a)
(cons 1 (begin (display "line\\n") (cdr 5)))
(newline)
(exit)
(display "not reached")
""",
    "names": """\
a-name! <=>? ->x *stars* x.y.z $&:^_~
(define lambda-list '(x y)) lambda-list
(define X 1) x X
(define a1 'a1) (define a-1 'a-1) (list a1 a-1)
+ - ... -a +a 1+
(define - 5) -
-x
(define (g) undefined-in-g) (g)
(let ((u 1)) (set! u 2) (set! undefined-here u))
(display (list 'Hello "World" 'x))
unbound
(display "ends\\n")
unbound
""",
}

DATA = {
    "strings": """\
(string-length "") (string-length "a\\"b\\\\c\\n") (string-append) (string-append "ab" "" "cd" "e") (substring "hello" 1 3) (substring "hello" 0 0) (substring "hello" 5 5)
(string=? "a" "a") (string=? "a" "b") (string<? "abc" "abd") (string<? "b" "abc") (string<? "ab" "abc") (string<? "" "")
(number->string -42) (string->number "12") (string->number "-12") (string->number "+5") (string->number "1x") (string->number "") (string->number "-") (string->number "+-3") (string->number "9223372036854775808") (string->number "-9223372036854775808") (string->number "007") (string->number " 1")
(symbol->string 'abc) (string->symbol "x y") (eq? (string->symbol "abc") 'abc) (symbol? (string->symbol "1"))
(substring "abc" 2 1) (substring "abc" 0 4) (substring "abc" -1 2) (string-length 'a) (string-append "a" 1) (string->symbol 'a) (symbol->string "a") (string=? "a" 'a) (number->string "1") (string->number 1)
(write (string-append "tab" "\\"" "q")) (newline) (display (string-append "line1\\n" "line2")) (newline) (equal? (string-append "a" "b") "ab") (eq? "" (string-append))
""",
    "vectors": """\
(vector) (vector 1 "a" 'b '(c)) (make-vector 3) (make-vector 2 'x) (make-vector 0 1) (vector-length (vector 1 2 3)) (vector-ref (vector 'a 'b) 1)
(define v (make-vector 3 0)) (vector-set! v 0 'first) (vector-set! v 2 v2) (vector-set! v 2 "third") v (vector->list v) (list->vector '(1 2)) (list->vector '())
(vector-fill! v 7) v (equal? (vector 1 2) (vector 1 2)) (equal? (vector 1 2) (vector 1 2 3)) (eq? v v) (equal? (vector) '()) (vector? v) (vector? '(1)) (display (vector "a" '("b"))) (write (vector "a" '("b")))
(vector-ref v 3) (vector-ref v -1) (vector-ref v 'a) (vector-ref '(1) 0) (vector-set! v 3 0) (vector-ref (vector) 0) (make-vector -1) (make-vector 'a) (list->vector '(1 . 2)) (vector-length "abc")
(define shared (make-vector 2 (list 1))) (set-car! (vector-ref shared 0) 9) shared
""",
    "quasi": """\
(define x 5) (define l '(1 2 3))
`x `,x `(x ,x) `(,@l) `(0 ,@l 4) `(,@l . 4) `(1 . ,x) `((,x ,@l) "s" ,(* x x)) `() `(,@'() ,@'()) `(a (b (c ,(car l)))) `5 `"str"
`(,@l ,@l) `((,@l)) (quasiquote (a (unquote x) (unquote-splicing l)))
`(1 ,@5) `(,@l ,@5) `(,@5 1) `(,undefined)
(let ((cons list) (append +)) `(1 ,x ,@l))
(quasiquote) `(,(if))
(define (trace n) (display n) n) `(,(trace 1) (,(trace 2)) ,@(list (trace 3)) ,(trace 4))
""",
    "rest": """\
((lambda (a . r) (list a r)) 1) ((lambda (a . r) (list a r)) 1 2 3) ((lambda r r)) ((lambda r r) 1 2) (define (f a b . c) (list a b c)) (f 1 2) (f 1 2 3 4) (f 1)
(define (g . all) (length all)) (g) (g 1 2 3) ((lambda (a . 5) a) 1) ((lambda (a . r) (set! r (cons a r)) r) 1 2)
(apply + '()) (apply + 1 2 '(3 4)) (apply list 1 '()) (apply (lambda (a . r) r) '(1 2 3)) (apply f '(1)) (apply + 1) (apply + 1 '(2 . 3)) (apply 5 '()) (apply apply (list + (list 1 2)))
(define args '(1 2)) (define (keep . r) (set-car! r 'changed) r) (apply keep args) args
""",
    "higher": """\
(map (lambda (x) (* x x)) '(1 2 3)) (map + '(1 2) '(10 20)) (map car '((a b) (c d))) (map (lambda (x) x) '()) (define seen '()) (map (lambda (x) (set! seen (cons x seen)) x) '(1 2 3)) seen
(for-each (lambda (x) (display x) (display " ")) '(1 2 3)) (for-each (lambda (a b) (display (+ a b))) '(1 2) '(3 4)) (filter odd? '(1 2 3 4 5)) (filter (lambda (x) #f) '(1)) (filter (lambda (x) 0) '(1 2)) (fold-left - 10 '(1 2 3)) (fold-left cons '() '(1 2)) (fold-left + 0 '())
(map 5 '(1)) (map car '(1)) (map car 5) (map (lambda () 1) '(1)) (for-each car '(())) (filter odd? '(1 . 2)) (fold-left + 0 5) (map) (map car) (fold-left + 0)
(define (map f l) 'replaced) (for-each display '(1 2)) (newline) (map car '(1))
(define reverse 5) (define cons 5) (filter even? '(1 2 3 4)) (fold-left + 0 '(1 2 3))
""",
    "case-eval": """\
(define (kind x) (case x ((1 2 3) 'small) ((a b) 'letter) ((()) 'empty) ((#t #f) 'truth) (else 'other))) (map kind '(1 3 a () #t 99 "a"))
(case 5 ((1) 'one)) (case (+ 1 1) ((2) (display "two ") 'done) (else 'no)) (case "a" (("a") 'same) (else 'other)) (case 1) (case 'else ((else) 'symbol) (else 'default)) (case 1 ((1))) (case 1 (1 2))
(when #t 1 2) (when #f 1) (unless #f 1 2) (unless 0 1) (when #t) (when 1 (display "when ") 'x)
(eval '(+ 1 2)) (eval ''a) (eval (list 'define 'made 5)) made (let ((made 6)) (eval 'made)) (eval '(let ((x 1)) (+ x 1))) (eval '(if)) (eval 'unknown) (eval 5) (eval (list car ''(1 2))) (eval '(begin (define h 1) (+ h 1))) (eval) (eval "text")
(define (make-op op) (eval `(lambda (a b) (,op a b)))) ((make-op '*) 6 7) (eval `(list ,@(map (lambda (x) (* x x)) '(1 2 3))))
""",
}

CONTROL = {
    "escapes": """\
(call/cc (lambda (k) 1)) (call/cc (lambda (k) (k 1) 2)) (+ 1 (call/cc (lambda (k) (* 100 (k 1))))) (call/cc procedure?) (call/cc 5) (call/cc (lambda () 1)) (call/cc (lambda (k) (k)))
(define (find-first ok? l) (call/cc (lambda (return) (for-each (lambda (x) (if (ok? x) (return x))) l) #f))) (find-first even? '(1 3 4 5)) (find-first even? '(1 3))
(define (product l) (call/cc (lambda (k) (let loop ((l l)) (cond ((null? l) 1) ((= 0 (car l)) (k 'zero)) (else (* (car l) (loop (cdr l))))))))) (product '(1 2 3)) (product '(1 0 x))
(call/cc (lambda (outer) (+ 1 (call/cc (lambda (inner) (outer 'from-outer)))))) (call/cc (lambda (outer) (list 1 (call/cc (lambda (inner) (inner 2)))))) (list (call/cc (lambda (a) (map (lambda (x) (if (= x 2) (a 'escaped) x)) '(1 2 3)))) 'after)
(define n 0) (call/cc (lambda (k) (do ((i 0 (+ i 1))) (#f) (set! n i) (if (= i 10) (k i))))) n
(guard (e (#t 'not-here)) (call/cc (lambda (k) (k 'escape)))) (call/cc (lambda (k) (guard (e (#t (list 'caught e))) (k 5)))) (call/cc (lambda (k) (guard (e (#t (k (list 'handler e)))) (raise 1))))
(define (deep n k) (if (= n 0) (k 'bottom) (+ 1 (deep (- n 1) k)))) (call/cc (lambda (k) (deep 1000 k)))
(guard (e (#t (list 'still e))) (call/cc (lambda (k) (guard (e (#f 1)) (k 1)))) (raise 'later))
(force (call/cc (lambda (k) (delay 3))))
""",
    "guards": """\
(guard (e (#t (list 'got e))) (raise 'boom)) (guard (e ((symbol? e) 'sym) ((string? e) 'str)) (raise "x")) (guard (e ((symbol? e) 'sym)) (raise 5)) (guard (e ((assq 'a e)) (else 'none)) (raise '((a . 1)))) (guard (e (else e)) 1 2 3)
(guard (e (#t (error-message e))) (error "msg" 1 2)) (guard (e (#t (error-irritants e))) (error "msg" 1 "b" 'c)) (guard (e ((error-object? e) (list (error-message e) (error-irritants e)))) (car 5))
(guard (e (#t (error-message e))) undefined-name) (guard (e (#t (error-message e))) (vector-ref (vector 1) 1)) (guard (e (#t (error-message e))) (+ 9223372036854775807 1)) (guard (e (#t (error-message e))) ((lambda (x) x))) (guard (e (#t (error-message e))) (5)) (guard (e (#t (error-message e))) (eval '(if)))
(guard (e (#t 'no)) (if))
(guard (outer (#t (list 'outer outer))) (guard (inner ((number? inner) (raise (list 'again inner)))) (raise 1))) (guard (outer (#t (list 'outer outer))) (guard (inner ((string? inner) inner)) (raise 'passes)))
(guard (outer (#t (list 'outer outer))) (guard (inner (#t (car inner))) (raise 1)))
(define log '()) (define (note x) (set! log (cons x log))) (guard (e (#t (note 'handler) e)) (note 'before) (raise 'x) (note 'after)) (reverse log)
(+ 1 (guard (e (#t 10)) (+ 100 (raise 'x)))) (define (safe-div a b) (guard (e (#t 'infinite)) (quotient a b))) (map (lambda (b) (safe-div 10 b)) '(1 0 5))
(raise 'top) (raise "text") (raise '(1 "two")) (raise 42) (error "plain") (error "with" "string" 'sym '(l "s") #f 1) (error 'not-a-string 1) (error) (raise) (error-message 5) (error-irritants 'x)
(guard (e (#t (raise e))) (raise 'again)) (guard (e (#f 1)) (error "through" 1)) (guard (e)) (guard) (guard (e (#t 1))) (guard (5 (#t 1)) 2) (guard (e (#t (display "handled ") 'ok)) (display "body ") (raise 1))
(error-object? (guard (e (#t e)) (car 1))) (error-object? 5) (guard (e (#t e)) (error "x")) (list (guard (e (#t e)) (error "x")) 1)
(define (try thunk) (guard (e ((error-object? e) (error-message e)) (else (list 'raised e))) (thunk))) (try (lambda () (raise 'r))) (try (lambda () (cdr '()))) (try (lambda () 'fine)) (define v 1) (guard (e (#t (set! v (+ v 1)) v)) (set! v 10) (raise 'x)) v
""",
    "promises": """\
(define count 0) (define p (delay (begin (set! count (+ count 1)) count))) p count (force p) (force p) count (force 5) (force '(1)) (force (delay (force (delay 7)))) (delay) (delay 1 2) (force)
(define (integers n) (cons n (delay (integers (+ n 1))))) (define (take s n) (if (= n 0) '() (cons (car s) (take (force (cdr s)) (- n 1))))) (take (integers 1) 10)
(define (smap f s) (cons (f (car s)) (delay (smap f (force (cdr s)))))) (take (smap (lambda (x) (* x x)) (integers 1)) 5) (define (sfilter ok? s) (if (ok? (car s)) (cons (car s) (delay (sfilter ok? (force (cdr s))))) (sfilter ok? (force (cdr s)))))
(define (sieve s) (cons (car s) (delay (sieve (sfilter (lambda (x) (not (= 0 (remainder x (car s))))) (force (cdr s))))))) (take (sieve (integers 2)) 12)
(define tries 0) (define q (delay (begin (set! tries (+ tries 1)) (if (< tries 3) (car '()) 'worked)))) (force q) (force q) (force q) (force q) tries
(define x 5) (define r (delay (begin (set! x (+ x 1)) (if (> x 10) x (force r))))) (force r) (set! x 10) (force r) (let ((y 1)) (define s (delay y)) (set! y 2) (list (force s) (begin (set! y 3) (force s)))) (list (delay 1))
(define t (delay (raise 'inside))) (guard (e (#t (list 'caught e))) (force t)) (procedure? (delay 1)) (pair? (delay 1))
""",
}

LOOPS = {
    "named-let": """\
(let loop ((i 0)) (if (< i 10) (loop (+ i 1)) i)) (let f ((n 5) (acc 1)) (if (= n 0) acc (f (- n 1) (* acc n)))) (let rec ((l '(1 2 3))) (if (null? l) '() (cons (* 2 (car l)) (rec (cdr l))))) (define loop 'outer) (let loop ((x loop)) (if (eq? x 'outer) (loop 1) x)) loop (let f () 5) (let outer ((i 0) (l '())) (if (= i 3) (reverse l) (outer (+ i 1) (let inner ((j 0) (m l)) (if (= j 2) m (inner (+ j 1) (cons (list i j) m)))))))
(let loop) (let loop ()) (let loop ((x)) x) (let f ((x 1)) (f)) (define fs (let loop ((i 0) (l '())) (if (= i 3) l (loop (+ i 1) (cons (lambda () i) l))))) (map (lambda (f) (f)) fs) (let loop ((i 0)) (define j (* i 2)) (if (< j 10) (loop (+ i 1)) j))
""",
    "do": """\
(do ((i 0 (+ i 1))) ((= i 3) 'done)) (do ((i 0 (+ i 1)) (l '() (cons i l))) ((= i 5) l)) (do ((i 0 (+ i 1)) (j 10)) ((= i 3) j)) (do ((i 0 (+ i 1))) ((= i 3) (display i) (newline) (* i 100)) (display i)) (do ((a 1 b) (b 2 a) (i 0 (+ i 1))) ((= i 3) (list a b))) (do ((i 5)) (#t)) (do () (#t 'x)) (define v (make-vector 5)) (do ((i 0 (+ i 1))) ((= i 5)) (vector-set! v i (* i i))) v
(define fs '()) (do ((i 0 (+ i 1))) ((= i 3)) (set! fs (cons (lambda () i) fs))) (map (lambda (f) (f)) fs) (do) (do ()) (do ((i 0 1 2)) (#t)) (do ((i)) (#t)) (do ((i 0)) ()) (do (i) (#t)) (do ((i 0 (+ i 1)) (s 0 (+ s (do ((j 0 (+ j 1)) (t 0 (+ t j))) ((= j i) t))))) ((= i 6) s)) (do ((i 0 (+ i 1))) ((car i))) (define i 'outer) (do ((i 0 (+ i 1))) ((= i 1) i)) i
""",
}

GROUPS = {
    "1-basic": BASIC, "2-scope": SCOPE, "3-errors": ERRORS, "4-loops": LOOPS, "5-data": DATA, "6-control": CONTROL,
}  # fmt: skip
