# ruff: noqa: E501 (a program is one line, however long)
"""Programs that keep the rules they are judged by, in several styles. Each is judged by every preset it does not break.

`CPP` and `C` map a name to code, `BREAKS` the name of a program to the presets that it rightly breaks.
"""

from __future__ import annotations

PRESETS = frozenset(
    "std-containers std-algorithms goto asm process network dynamic-code global-state raw-new new-without-delete "
    "using-namespace-std exceptions-swallowed unsafe".split()
)
BREAKS = {
    "remove of a file, opened": "using-namespace-std",
    "contest style": "using-namespace-std global-state",
    "own vector": "raw-new",
    "own sort beside std": "using-namespace-std",
    "owned and deleted": "raw-new",
    "own allocator": "raw-new",
    "empty barrier": "asm",
    "own allocator of a pool": "unsafe",
    "own hash table": "raw-new",
    "cache line hint": "asm process network dynamic-code",
    "list in C": "raw-new",
}

CPP = {
    "remove of a file": '#include <cstdio>\nint f() { return std::remove("a.txt"); }\n',
    "remove of a file, opened": '#include <cstdio>\nusing namespace std;\nint f() { return remove("a.txt"); }\n',
    "hello": '#include <iostream>\nint main() { std::cout << "Hello\\n"; }\n',
    "contest style": "#include <bits/stdc++.h>\nusing namespace std;\n#define FOR(i, n) for (int i = 0; i < (n); i++)\ntypedef long long ll;\n"
    "ll best[105];\nint main() { ios::sync_with_stdio(false); int n; cin >> n; FOR(i, n) cin >> best[i]; "
    "ll s = 0; FOR(i, n) s = max(s, best[i]); cout << s << endl; }\n",
    "own vector": "#include <cstddef>\n#include <utility>\nnamespace own {\ntemplate <class T> class vector {\n  T *data_ = nullptr; std::size_t n_ = 0, room_ = 0;\n"
    " public:\n  ~vector() { delete[] data_; }\n  void push_back(T t) { if (n_ == room_) { T *d = new T[room_ = 2 * room_ + 1]; "
    "for (std::size_t i = 0; i < n_; ++i) d[i] = std::move(data_[i]); delete[] data_; data_ = d; } data_[n_++] = std::move(t); }\n"
    "  T *begin() { return data_; }\n  T *end() { return data_ + n_; }\n};\n}\nint f() { own::vector<int> v; v.push_back(1); return *v.begin(); }\n",
    "own list opened": "namespace own { template <class T> struct list { T *head = nullptr; }; }\nusing namespace own;\nint f() { list<int> l; return l.head == nullptr; }\n",
    "own sort": "void sort(int *a, int n) { for (int i = 1; i < n; ++i) for (int j = i; j && a[j] < a[j - 1]; --j) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; } }\nvoid f(int *a) { sort(a, 3); }\n",
    "own sort beside std": "#include <algorithm>\nusing namespace std;\nstruct Row { int n; };\nvoid sort(Row *r, int n) { if (n > 1 && r[1].n < r[0].n) swap(r[0], r[1]); }\nvoid f(Row *r) { sort(r, 2); }\n",
    "own find as a template": "template <class I, class T> I find(I a, I b, const T &t) { while (a != b && !(*a == t)) ++a; return a; }\nint *f(int *a) { return find(a, a + 3, 2); }\n",
    "methods of these names": "struct Heap { void sort(); int find(int x) { return x; } void merge(Heap &); int count() const { return 1; } void reverse() {} };\nint f(Heap &h) { h.reverse(); return h.find(h.count()); }\n",
    "method of a string": "#include <string>\nbool f(const std::string &s) { return s.find('x') != std::string::npos && s.substr(1).compare(\"a\") < 0; }\n",
    "own process words": "struct Scheduler { int fork() { return 1; } int system(int n) { return n; } void exec() {} };\nint f(Scheduler &s) { s.exec(); return s.fork() + s.system(2); }\n",
    "own function called system": "int system(int load) { return load * 2; }\nint f() { return system(3); }\n",
    "own bind and connect": "namespace graph { struct Node { int n; }; void connect(Node &a, Node &b) { a.n = b.n; } void bind(Node &) {} }\nvoid f(graph::Node &a) { connect(a, a); bind(a); }\n",
    "bind of std": "#include <functional>\nint g(int a, int b) { return a - b; }\nint f() { return std::bind(g, std::placeholders::_1, 2)(3); }\n",
    "smart pointers": "#include <memory>\nstruct N { std::unique_ptr<N> next; int v = 0; };\nint f() { auto n = std::make_unique<N>(); n->next.reset(new N); return std::unique_ptr<N>(new N)->v; }\n",
    "shared pointer": "#include <memory>\nstd::shared_ptr<int> f() { return std::shared_ptr<int>(new int(3)); }\n",
    "placement": "#include <new>\ntemplate <class T> struct Slot { alignas(T) unsigned char room[sizeof(T)]; T *make() { return new (room) T(); } };\nint f() { Slot<int> s; return *s.make(); }\n",
    "owned and deleted": "struct Node { Node *next; };\nint f() { Node *n = new Node{nullptr}; delete n; return 0; }\n",
    "handled": "#include <stdexcept>\n#include <iostream>\nint g();\nint f() { try { return g(); } catch (const std::exception &e) { std::cerr << e.what(); return -1; } }\n",
    "handled by a flag": "void g();\nbool f() { bool ok = true; try { g(); } catch (...) { ok = false; } return ok; }\n",
    "handled by a jump": "void g(int);\nint f() { for (int i = 0;; ++i) { try { g(i); } catch (int) { break; } } return 1; }\n",
    "rethrown": "void g();\nvoid undo();\nvoid f() { try { g(); } catch (...) { undo(); throw; } }\n",
    "handled by counting": "void g();\nint f() { int failed = 0; try { g(); } catch (...) { ++failed; } return failed; }\n",
    "constants": '#include <string_view>\nconstexpr int N = 3;\nconst double PI = 3.14;\nstatic constexpr std::string_view NAMES[] = {"a", "b"};\nconst char *const TITLE = "t";\nint f() { return N + NAMES[0].size(); }\n',
    "constant table": 'struct Row { int a; const char *b; };\nstatic const Row ROWS[] = {{1, "x"}, {2, "y"}};\nint f(int i) { return ROWS[i].a; }\n',
    "constant locals": "int f(int i) { static const int days[] = {31, 28}; static constexpr int k = 2; return days[i] + k; }\n",
    "enumerations": "enum class Colour { red, green };\nenum { LIMIT = 100 };\nusing Id = unsigned;\nint f(Colour c) { return c == Colour::red ? LIMIT : 0; }\n",
    "words in strings": 'const char *const HELP = "goto asm system(\\"x\\") std::vector<int> std::sort";\nconst char *f() { return HELP; }\n',
    "words in a raw string": 'const char *f() { return R"x(\n#include <vector>\n# 1 "/usr/include/stdio.h" 1 3\nstd::sort(a, b); goto out;\n)x"; }\n',
    "words in comments": '// std::vector<int> v; goto x;\n/* system("ls");\n#include <map>\n*/\nint f() { return 1; }\n',
    "dead code": '#if 0\n#include <vector>\nstd::vector<int> v; int x = system("ls");\n#endif\nint f() { return 1; }\n',
    "code for another system": '#ifdef _WIN32\n#include <windows.h>\nvoid cls() { system("cls"); }\n#endif\nint f() { return 1; }\n',
    "debugging that is off": "#ifdef DEBUG\n#include <vector>\nstd::vector<int> trace;\n#define TRACE(x) trace.push_back(x)\n#else\n#define TRACE(x) ((void)0)\n#endif\nint f() { TRACE(1); return 1; }\n",
    "assertions": '#include <cassert>\nint f(int n) { assert(n > 0); assert(n < 9 && "small"); return n; }\n',
    "static assertion": "#include <type_traits>\ntemplate <class T> T f(T t) { static_assert(std::is_integral_v<T>); return t; }\nint g() { return f(1); }\n",
    "concepts": "#include <concepts>\ntemplate <std::integral T> T twice(T t) { return t + t; }\nint f() { return twice(2); }\n",
    "ranges without algorithms": "#include <span>\nint f(std::span<const int> s) { int n = 0; for (int x : s) n += x; return n; }\n",
    "streams of text": "#include <sstream>\n#include <string>\nint f(const std::string &s) { std::istringstream in(s); int a = 0, b = 0; in >> a >> b; return a + b; }\n",
    "optional and variant": "#include <optional>\n#include <variant>\nstd::optional<int> f(std::variant<int, char> v) { if (auto *p = std::get_if<int>(&v)) return *p; return std::nullopt; }\n",
    "tuples": "#include <algorithm>\n#include <tuple>\nstd::tuple<int, int> g() { return {1, 2}; }\nint f() { auto [a, b] = g(); return std::max(a, b); }\n",
    "min and max": "#include <algorithm>\nint f(int a, int b) { return std::min(a, std::max(b, 3)) + std::clamp(a, 0, 9); }\n",
    "copy and fill": "#include <algorithm>\nvoid f(int *a, int *b) { std::copy(a, a + 3, b); std::fill(a, a + 3, 0); std::swap(*a, *b); }\n",
    "numbers of the library": "#include <cmath>\n#include <limits>\n#include <random>\ndouble f() { std::mt19937 r(1); return std::sqrt(std::numeric_limits<double>::max()) + r() % 3; }\n",
    "files": '#include <cstdio>\nint f() { std::FILE *p = std::fopen("a", "rb"); if (p == nullptr) return 1; std::fclose(p); return std::rename("a", "b"); }\n',
    "file streams": '#include <fstream>\n#include <string>\nint f() { std::fstream s("a.db", std::ios::in | std::ios::binary); std::string line; int n = 0; while (std::getline(s, line)) ++n; return n; }\n',
    "inheritance": "struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };\nstruct Square final : Shape { double side = 1; double area() const override { return side * side; } };\ndouble f() { Square s; return s.area(); }\n",
    "operators": "struct V { int x, y; V operator+(V o) const { return {x + o.x, y + o.y}; } auto operator<=>(const V &) const = default; };\n#include <compare>\n".replace(
        "struct V", "#include <compare>\nstruct V", 1
    )
    + "int f() { return (V{1, 2} + V{3, 4}).x; }\n",
    "curious templates": "template <class D> struct Base { int go() { return static_cast<D *>(this)->step(); } };\nstruct A : Base<A> { int step() { return 1; } };\nint f() { return A().go(); }\n",
    "variadic": "template <class... T> int sum(T... t) { return (0 + ... + t); }\nint f() { return sum(1, 2, 3); }\n",
    "generic lambda": "int f() { auto reverse = [](auto x) { return -x; }; auto fork = [] { return 1; }; return reverse(fork()); }\n",
    "variables of these names": "int f(int sort, int list) { int map = sort + list; int vector[3] = {map, 1, 2}; return vector[0]; }\n",
    "a label without a jump": "int f(int n) { switch (n) { case 1: return 2; default: break; } return 3; }\n",
    "chrono and threads": "#include <chrono>\n#include <thread>\nvoid f() { std::thread t([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }); t.join(); }\n",
    "coroutine of the hand": "struct Machine { enum State { A, B } state = A; int step() { switch (state) { case A: state = B; return 1; case B: state = A; return 2; } return 0; } };\nint f() { return Machine().step(); }\n",
    "own allocator": "#include <cstdlib>\n#include <new>\nstruct Arena { void *take(std::size_t n) { void *p = std::malloc(n); if (!p) throw std::bad_alloc(); return p; } void give(void *p) { std::free(p); } };\nvoid f(Arena &a) { a.give(a.take(3)); }\n",
    "Java style": '#include <string>\nclass Account {\nprivate:\n    std::string owner;\n    long balance;\npublic:\n    Account(std::string owner, long balance) : owner(owner), balance(balance) {}\n    long getBalance() const { return this->balance; }\n    void deposit(long amount) { this->balance += amount; }\n};\nlong f() { Account a("x", 1); a.deposit(2); return a.getBalance(); }\n',
    "casts that are safe": "struct B { virtual ~B() = default; };\nstruct D : B { int n = 0; };\nint f(B *b) { auto *d = dynamic_cast<D *>(b); return d ? d->n : static_cast<int>(2.5); }\n",
    "iterator of one's own": "struct Range { int n; struct It { int i; int operator*() const { return i; } It &operator++() { ++i; return *this; } bool operator!=(It o) const { return i != o.i; } }; It begin() const { return {0}; } It end() const { return {n}; } };\nint f() { int s = 0; for (int i : Range{4}) s += i; return s; }\n",
    "own header names a word": "#include <cstdint>\n#define SORT_KEY(x) ((std::uint32_t)(x))\n#define vector_of(x) x\nstd::uint32_t f(int n) { return SORT_KEY(vector_of(n)); }\n",
    "empty barrier": 'int f(int n) { asm volatile("" : : "r"(n) : "memory"); return n; }\n',
    "user literals": '#include <string>\nconstexpr long operator""_k(unsigned long long n) { return n * 1000; }\nlong f() { using std::string; return string("a").size() + 3_k; }\n',
    "coroutine": "#include <coroutine>\nstruct G { struct promise_type { int v = 0; G get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; } std::suspend_always initial_suspend() noexcept { return {}; } std::suspend_always final_suspend() noexcept { return {}; } std::suspend_always yield_value(int n) { v = n; return {}; } void return_void() {} void unhandled_exception() { throw; } }; std::coroutine_handle<promise_type> h; ~G() { h.destroy(); } };\nG count() { for (int i = 0; i < 3; ++i) co_yield i; }\nint f() { G g = count(); g.h.resume(); return g.h.promise().v; }\n",
    "concepts and a heap of one's own": "template <class T> concept Less = requires(T a, T b) { a < b; };\ntemplate <Less T, int N> class Heap { T a_[N]; int n_ = 0;\n public:\n  void push(T t) { int i = n_++; while (i && t < a_[(i - 1) / 2]) { a_[i] = a_[(i - 1) / 2]; i = (i - 1) / 2; } a_[i] = t; }\n  T top() const { return a_[0]; } };\nint f() { Heap<int, 4> h; h.push(3); h.push(1); return h.top(); }\n",
    "own unique and merge": "namespace lib { template <class T> struct List { T *head = nullptr; void merge(List &o) { if (!head) head = o.head; } void sort() {} void unique() {} void remove(const T &) {} }; }\nvoid f(lib::List<int> &a, lib::List<int> &b) { a.merge(b); a.sort(); a.unique(); a.remove(3); }\n",
    "visitor": "#include <variant>\n#include <string>\ntemplate <class... F> struct over : F... { using F::operator()...; };\nint f(const std::variant<int, std::string> &v) { return std::visit(over{[](int n) { return n; }, [](const std::string &s) { return (int)s.size(); }}, v); }\n",
    "raii file": '#include <cstdio>\n#include <memory>\nstruct Close { void operator()(std::FILE *f) const { std::fclose(f); } };\nint f() { std::unique_ptr<std::FILE, Close> p(std::fopen("a", "r")); return p ? 1 : 0; }\n',
    "file in memory": "#include <sys/mman.h>\nstatic const int both = PROT_READ | PROT_WRITE;\nvoid *f(int file, unsigned long size, bool writes) {\n  return writes ? mmap(nullptr, size, both, MAP_SHARED, file, 0)\n                : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);\n}\n",
    "handled by a result": "#include <stdexcept>\nint g();\nstruct R { int code; };\nR f() { try { return {g()}; } catch (const std::runtime_error &) { return {-1}; } }\n",
    "handled by a null pointer": "#include <memory>\nint *g();\nint *f() { int *p = nullptr; try { p = g(); } catch (...) { p = nullptr; } return p; }\n",
    "handled by a counter of the object": "void g();\nclass C { int failed_ = 0;\n public:\n  void f() { try { g(); } catch (...) { failed_ += 1; } } };\nvoid h(C &c) { c.f(); }\n",
    "lookup table made at compile time": "struct Table { unsigned v[16]; };\nconstexpr Table make() { Table t{}; for (unsigned i = 0; i < 16; ++i) t.v[i] = i * i; return t; }\nstatic constexpr Table TABLE = make();\nunsigned f(int i) { return TABLE.v[i]; }\n",
    "constexpr lambda at file scope": "inline constexpr auto twice = [](int n) { return 2 * n; };\nint f() { return twice(4); }\n",
    "function pointers constant": "static int add(int a, int b) { return a + b; }\nstatic int sub(int a, int b) { return a - b; }\nstatic int (*const OPS[])(int, int) = {add, sub};\nint f(int i) { return OPS[i](3, 2); }\n",
    "threads": "#include <thread>\n#include <mutex>\nint f() { std::mutex m; int n = 0; std::thread t([&] { std::lock_guard l(m); ++n; }); t.join(); return n; }\n",
    "own allocator of a pool": "#include <cstddef>\ntemplate <class T, std::size_t N> class Pool { alignas(T) std::byte room_[N * sizeof(T)]; std::size_t used_ = 0;\n public:\n  T *allocate() { return reinterpret_cast<T *>(room_ + sizeof(T) * used_++); } };\nint f() { Pool<int, 4> p; return *p.allocate() = 3; }\n",
    "own hash table": "#include <cstddef>\ntemplate <class K, class V> class Table { struct E { K k; V v; E *next; }; E **b_; std::size_t n_ = 8;\n public:\n  Table() : b_(new E *[8]()) {}\n  ~Table() { for (std::size_t i = 0; i < n_; ++i) for (E *e = b_[i]; e;) { E *x = e->next; delete e; e = x; } delete[] b_; }\n  V &operator[](const K &k) { E *&h = b_[k % n_]; for (E *e = h; e; e = e->next) if (e->k == k) return e->v; h = new E{k, V(), h}; return h->v; } };\nint f() { Table<int, int> t; t[3] = 4; return t[3]; }\n",
    "casts of C that are static": "struct A { int n; };\nstruct B : A {};\ndouble f(int a, B *b, void *p, const char *s) { A *c = (A *)b; return (double)a / (double)(a & 3) + c->n + *(int *)p + (unsigned char)*s + double(a & 1); }\n",
    "constant pointer to nothing": "struct Node { Node *next; };\nstatic Node *const END = nullptr;\nbool f(const Node *n) { return n == END; }\n",
    "handled by leaving early": "void g();\nvoid h();\nvoid f() { try { g(); } catch (...) { return; } h(); }\n",
    "handled by the next round": "void g(int);\nint f() { int n = 0; for (int i = 0; i < 3; ++i) { try { g(i); } catch (...) { continue; } ++n; } return n; }\n",
    "cache line hint": 'void f() { asm volatile("pause"); }\n',
    "handled by a macro": "#define FAILED ok = false\nvoid g();\nbool f() { bool ok = true; try { g(); } catch (...) { FAILED; } return ok; }\n",
    "handled by what a template is given": "#include <iostream>\ntemplate <class T> void f(T t) { try { t.go(); } catch (...) { std::cerr << t; } }\n",
    "smart pointer in a template": "#include <memory>\ntemplate <class T> struct L { struct N { T v; std::unique_ptr<N> next; }; std::unique_ptr<N> head; void push(T v) { auto n = std::unique_ptr<N>(new N{v, nullptr}); n->next = std::move(head); head = std::move(n); } };\nint f() { L<int> l; l.push(3); return l.head->v; }\n",
    "smart pointer of a template, filled": "#include <memory>\ntemplate <class T> struct L { struct N { T v; }; std::unique_ptr<N> head; void push(T v) { head.reset(new N{v}); } };\nint f() { L<int> l; l.push(3); return l.head->v; }\n",
    "smart pointer as a member of a template": "#include <memory>\ntemplate <class T> struct B { std::unique_ptr<T> p; B() : p(new T()) {} void again() { p.reset(new T()); } };\nint f() { B<int> b; b.again(); return *b.p; }\n",
    "smart pointer as a variable of a template": "#include <memory>\ntemplate <class T> int g() { std::unique_ptr<T> p(new T()); std::shared_ptr<T> q{new T()}; return *p + *q; }\nint f() { return g<int>(); }\n",
    "mapping that failed": "#include <sys/mman.h>\nbool f(void *p) { return p == MAP_FAILED; }\n",
    "signal ignored": "#include <csignal>\nvoid f() { std::signal(SIGPIPE, SIG_IGN); }\n",
    "constant reference to a row": '#include <string_view>\nusing Row = int[3];\nstatic constexpr Row ROWS[] = {{1, 2, 3}, {4, 5, 6}};\nstatic const auto &FIRST = ROWS[0];\nconstexpr std::string_view W[2] = {"a", "b"};\nint f() { return FIRST[0] + (int)W[1].size(); }\n',
    "empty declarations": "#define NOTHING\nnamespace a {;}\nNOTHING;\nstruct A {};;\nint f() { return 1; };\n",
}

C = {
    "remove of a file in C": '#include <stdio.h>\nint f(void) { return remove("a.txt"); }\n',
    "list in C": "#include <stdlib.h>\nstruct node { struct node *next; int v; };\nint f(void) { struct node *n = malloc(sizeof *n); if (!n) return 1; n->v = 2; free(n); return 0; }\n",
    "old style": "int add(a, b) int a; int b; { return a + b; }\nint f(void) { return add(1, 2); }\n",
    "own functions of these names": "static int sort(int *a, int n) { return a[n - 1]; }\nstatic int find(int x) { return x; }\nint f(int *a) { return sort(a, 3) + find(2); }\n",
    "names that C++ keeps": "int f(int new, int class, int template) { int delete = new; return delete + class + template; }\n",
    "a static function called fork": "static int fork(int way) { return way ? 1 : 2; }\nint f(void) { return fork(0); }\n",
    "bits and arrays": "#include <stdint.h>\n#include <string.h>\nuint32_t f(const uint8_t *p) { uint32_t n; memcpy(&n, p, sizeof n); return n >> 3 | n << 29; }\n",
    "constant table in C": "static const int TABLE[4] = {1, 2, 3, 4};\nint f(unsigned i) { return TABLE[i & 3]; }\n",
    "designated initialisers": "struct p { int x, y; };\nstatic const struct p POINTS[] = {[1] = {.x = 1, .y = 2}};\nint f(int i) { return POINTS[i].y; }\n",
    "statement expression": "#define MAX(a, b) ({ __auto_type x = (a); __auto_type y = (b); x > y ? x : y; })\nint f(int a, int b) { return MAX(a, b); }\n",
    "variable arguments": "#include <stdarg.h>\nint sum(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); va_end(a); return s; }\n",
    "null pointers": "#include <stdlib.h>\nstruct n { struct n *x; };\nint f(struct n *a) { return a == (struct n *)NULL || a == (struct n *)0; }\n",
    "signal of its own": "#include <signal.h>\nvoid f(void) { signal(SIGINT, SIG_DFL); }\n",
}
