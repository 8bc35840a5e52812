# ruff: noqa: E501 (a program is one line, however long)
"""Programs that break a rule and try to hide it. Every one compiles; none may pass.

`CPP` and `C` map what is forbidden (a preset of `constructs`, or "<header>" for `includes`) to programs by name.
"""

from __future__ import annotations

CPP = {
    "std-containers": {
        "trigraph that is none": "#include <vector>\n// really??/\nstd::vector<int> v;\n",
        "valarray": "#include <valarray>\nstd::valarray<int> v(3);\n",
        "dynamic bitset of tr2": "#include <tr2/dynamic_bitset>\nstd::tr2::dynamic_bitset<> b;\n",
        "tr1": "#include <tr1/unordered_map>\nstd::tr1::unordered_map<int, int> m;\n",
        "policy-based trie": "#include <ext/pb_ds/priority_queue.hpp>\n__gnu_pbds::priority_queue<int> q;\n",
        "old hash map": "#define _GLIBCXX_PERMIT_BACKWARD_HASH\n#include <ext/hash_map>\n__gnu_cxx::hash_map<int, int> m;\n",
        "rope": "#include <ext/rope>\n__gnu_cxx::rope<int> r;\n",
        "red-black tree": "#include <map>\nusing T = std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>>;\nT *t;\n",
        "deduced from a function of the library": "#include <algorithm>\n#include <string>\n#include <queue>\n"
        "template <class T> struct In;\nusing Q = decltype(new std::priority_queue<int>);\nQ q;\n",
        "named by a member type": "#include <queue>\n#include <string>\nusing Queue = std::queue<int>;\nQueue::container_type c;\n",
        "default argument of a template": "#include <map>\ntemplate <class T = std::map<int, int>> struct Box { T t; };\nBox<> b;\n",
        "macro by line": "#include <vector>\n#define J_(a, b) a##b\n#define J(a, b) J_(a, b)\n#define T4 std::vector<int>\n"
        "#line 4\nJ(T, __LINE__) v;\n",
        "macro with __VA_OPT__": "#include <vector>\n#define W(n, ...) std::__VA_OPT__(n)<int>\nW(vector, 1) v;\n",
        "deferred macro": "#include <vector>\n#define EMPTY\n#define NAME() vector\n#define LATER NAME EMPTY ()\n#define EVAL(...) __VA_ARGS__\nstd::EVAL(LATER)<int> v;\n",
        "counter": "#include <vector>\n#define A_(n) X##n\n#define A(n) A_(n)\n#define X0 int\n#define X1 std::vector<int>\nA(__COUNTER__) a;\nA(__COUNTER__) b;\n",
        "pushed macro": '#include <vector>\n#define T std::vector<int>\n#pragma push_macro("T")\n#undef T\n#define T int\n#pragma pop_macro("T")\nT v;\n',
        "claims to be a system header": '#include <vector>\n# 1 "/usr/include/c++/12/vector" 1 3\nstd::vector<int> v;\n# 4 "main.cpp" 2\n',
        "renamed by line": '#include <vector>\n#line 1 "/usr/include/c++/12/vector"\nstd::vector<int> v;\n',
        "container in a lambda of a template": "#include <set>\ntemplate <class T> auto f() { return [](auto x) { std::set<T> s; s.insert(x); return s.size(); }; }\nauto n = f<int>()(3);\n",
        "friend of the allocator": "#include <deque>\nauto f() -> decltype(std::deque<int>{}.size()) { return 3; }\n",
        "structured": "#include <array>\nint f() { auto [a, b] = std::array{1, 2}; return a + b; }\n",
        "export under a typedef in std": "#include <vector>\nnamespace std { typedef vector<int> thing; }\nstd::thing v;\n",
        "rooted use under a directive": "#include <vector>\nusing namespace std;\n::vector<int> v;\n",
        "conversion to a container": "#include <vector>\nstruct Any { template <class T> operator T() { return T{}; } };\nvoid take(const std::vector<int> &);\nvoid f() { take(Any{}); }\n",
        "node handle": "#include <set>\nusing N = std::set<int>::node_type;\nN n;\n",
        "enclosed in a lambda capture": "#include <map>\nauto f() { return [m = std::map<int, int>{}]() mutable { return m[1]; }; }\n",
        "system header pragma": "#pragma GCC system_header\n#include <vector>\nstd::vector<int> f() { return {1}; }\n",
    },
    "std-algorithms": {
        "decoy overload": "#include <vector>\n#include <algorithm>\nnamespace own { struct No {}; void sort(No, No); }\nusing own::sort;\n"
        "void f(std::vector<int> &v) { sort(v.begin(), v.end()); }\n",
        "decoy template that std beats": "#include <vector>\n#include <algorithm>\nstruct Any { template <class T> Any(T) {} };\nvoid sort(Any, Any) {}\n"
        "void f(std::vector<int> &v) { sort(v.begin(), v.end()); }\n",
        "method of a list": "#include <list>\nvoid f(std::list<int> &l) { l.sort(); }\n",
        "passed as an object": "#include <algorithm>\ninline constexpr auto order = std::ranges::sort;\nvoid f(int (&a)[3]) { order(a); }\n",
        "passed as a pointer": "#include <algorithm>\nvoid (*order)(int *, int *) = std::sort<int *>;\n",
        "heap": "#include <algorithm>\nvoid f(int *a) { using namespace std; make_heap(a, a + 3); sort_heap(a, a + 3); }\n",
        "unique of a list": "#include <forward_list>\nvoid f(std::forward_list<int> &l) { l.reverse(); }\n",
        "parallel": "#include <parallel/algorithm>\nvoid f(int *a) { __gnu_parallel::sort(a, a + 3, __gnu_parallel::sequential_tag()); }\n",
        "niebloid by reference": "#include <algorithm>\nvoid f(int (&a)[3]) { auto &&s = std::ranges::sort; decltype(s) t = s; t(a); }\n",
        "type of a niebloid": "#include <algorithm>\nvoid f(int (&a)[3]) { decltype(std::ranges::sort){}(a); }\n",
    },
    "<algorithm>": {
        "internal header": "#include <bits/stl_algo.h>\nvoid f(int *a) { std::sort(a, a + 3); }\n",
    },
    "network": {
        "syscall by number": "#include <unistd.h>\nlong f() { return syscall(41, 2, 1, 0); }\n",
        "connects": "#include <sys/socket.h>\nint f(int s, sockaddr *a) { return connect(s, a, sizeof *a); }\n",
        "older name service": '#include <netdb.h>\nint f() { return gethostbyname2("a", 2) != nullptr; }\n',
    },
    "exceptions-swallowed": {
        "swallowed by a semicolon": "void g();\nvoid f() { try { g(); } catch (...) {;} }\n",
        "swallowed by a cast": "void g();\nvoid f() { try { g(); } catch (const int &e) { (void)e; } }\n",
        "swallowed by an unused variable": "void g();\nvoid f() { try { g(); } catch (...) { int unused = 0; {} } }\n",
        "swallowed by a macro": "#define IGNORE catch (...) { ((void)0); }\nvoid g();\nvoid f() { try { g(); } IGNORE }\n",
        "swallowed around a function": "void g();\nvoid f() try { g(); } catch (...) { }\n",
    },
    "raw-new": {
        "allocator": "#include <memory>\nint *f() { return std::allocator<int>().allocate(3); }\n",
        "allocator by its traits": "#include <memory>\nint *f(std::allocator<int> &a) { return std::allocator_traits<std::allocator<int>>::allocate(a, 3); }\n",
        "temporary buffer": '#include <memory>\n#include <cstddef>\n#pragma GCC diagnostic ignored "-Wdeprecated-declarations"\n'
        "auto f() { return std::get_temporary_buffer<int>(3); }\n",
        "new that does not throw": "#include <new>\nint *f() { return new (std::nothrow) int(3); }\n",
        "memory resource": "#include <memory_resource>\nvoid *f() { return std::pmr::new_delete_resource()->allocate(8); }\n",
        "new in a template": "template <class T> T *make() { return new T(); }\nint *f() { return make<int>(); }\n",
        "new by a class of std": "#include <new>\nvoid *f() { return std::launder(static_cast<int *>(::operator new(4))); }\n",
        "memory of the system": "#include <unistd.h>\nvoid *f() { return sbrk(100); }\n",
    },
    "process": {
        "label in pieces": 'int go(const char *) asm("sys" "tem");\nint f() { return go("ls"); }\n',
        "label of the internal name": 'extern "C" int go() asm("__libc_fork");\nint f() { return go(); }\n',
        "pointer in a table": "#include <unistd.h>\nusing F = int (*)();\nF table[] = {(F)fork};\n",
        "clone": "#include <sched.h>\nint g(void *);\nint f(char *s) { return clone(g, s, 0, nullptr); }\n",
        "decoy method": '#include <cstdlib>\nstruct S { int system(const char *); int f() { return (::system)("ls"); } };\nint g() { return S().f(); }\n',
        "through std": '#include <cstdlib>\nnamespace s = std;\nint f() { using s::system; return system("ls"); }\n',
        "as a template argument": '#include <cstdlib>\ntemplate <auto F> int call() { return F("ls"); }\nint f() { return call<std::system>(); }\n',
        "alias of a pointer": '#include <cstdlib>\nextern "C" { int (*hidden)(const char *) = system; extern int (*shown)(const char *) __attribute__((alias("hidden"))); }\nint f() { return shown("ls"); }\n',
        "ifunc": '#include <unistd.h>\nextern "C" {\nstatic int (*pick())() { return fork; }\nint go() __attribute__((ifunc("_ZL4pickv")));\n}\nint f() { return go(); }\n',
        "pragma operator": '#include <cstdlib>\n_Pragma("redefine_extname go system")\nextern "C" int go(const char *);\nint f() { return go("ls"); }\n',
    },
    "dynamic-code": {
        "code in memory": '#include <sys/syscall.h>\n#include <unistd.h>\nlong f() { return syscall(SYS_memfd_create, "x", 0); }\n',
    },
    "goto": {
        "goto by a statement expression": "#define RETRY ({ goto again; 0; })\nint f(int n) { again: if (n++ < 3) (void)RETRY; return n; }\n",
        "goto by assembly": 'int f() { asm goto("" : : : : out); return 1; out: return 0; }\n',
        "case in a loop": "int f(int n) { int i = 0; switch (n) { for (; i < 3;) { case 1: ++i; } } return i; }\n",
        "goto in a template never used": "template <class T> T f(T n) { again: if (n++ < 3) goto again; return n; }\n",
    },
    "asm": {
        "label in assembly": 'int f() { asm goto("" : : : : out); return 1; out: return 2; }\n',
        "register variable": 'register long sp __asm__("rsp");\nlong f() { return sp; }\n',
    },
    "global-state": {
        "constant with a mutable member": "struct S { mutable int n = 0; };\nconst S s;\nint f() { return ++s.n; }\n",
        "reference to what changes": "int &counter() { static int &n = *new int(0); return n; }\n",
        "in a local class": "int f() { struct S { int next() { static int n = 0; return ++n; } }; return S().next(); }\n",
        "member of a template": "template <class T> struct S { static inline int n = 0; };\nint f() { return ++S<int>::n; }\n",
        "state in a lambda": "inline auto counter = [n = 0]() mutable { return ++n; };\nint f() { return counter(); }\n",
    },
    "using-namespace-std": {
        "declarations in it": "#include <iostream>\nnamespace std { int mine() { cout << 1; return 0; } }\n",
        "opened in a function": "#include <string>\nint f() { using namespace ::std; return string().size(); }\n",
    },
    "unsafe": {
        "cast in a macro": "#define AS(t, e) reinterp##ret_cast<t>(e)\nlong f(int *p) { return AS(long, p); }\n",
        "cast of C between pointers": "long f(const char *s) { return *(long *)s; }\n",
    },
    "<vector>": {
        "header through a macro": "#define X(a) <a>\n#define Y vector\n#include X(Y)\nint f() { return std::vector<int>(3)[0]; }\n",
        "header by next": "#include_next <vector>\nstd::vector<int> v;\n",
    },
    "<stdio.h>": {
        "header by an absolute path": '#include "/usr/include/stdio.h"\nint f() { return EOF; }\n',
    },
    "<map>": {
        "everything": "#include <bits/stdc++.h>\nstd::map<int, int> m;\n",
    },
}

C = {
    "process": {
        "true is no macro in C": '#include <stdlib.h>\n#if true\nint f(void) { return 0; }\n#else\nint f(void) { return system("ls"); }\n#endif\n',
        "a name of the system": '#include <stdlib.h>\n#ifdef unix\nint f(void) { return system("ls"); }\n#endif\n',
        "implicit": 'int f() { return system("ls"); }\n',
        "pragma that renames": '#pragma redefine_extname go system\nint go(const char *);\nint f(void) { return go("ls"); }\n',
    },
    "identifiers": {
        "extended identifiers": "int \\u0430bc;\n",
    },
    "std-containers": {
        "hcreate": "#include <search.h>\nint f(void) { return hcreate(10); }\n",
    },
    "std-algorithms": {
        "generic": "#include <stdlib.h>\nint c(const void *, const void *);\nvoid f(int *a) { _Generic(a, int *: qsort)(a, 3, 4, c); }\n",
    },
}
