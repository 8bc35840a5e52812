"""The rule about constructs: caught under every name they can be given, and never where they only seem to be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from review_helpers import decided, lines, problem, submission

from rigorbench.judge.codereview.coderules import constructs
from rigorbench.judge.codereview.compiled import ReviewContext
from rigorbench.judge.codereview.result import Undecidable, Violation
from rigorbench.judge.codereview.spec import Constructs

Found = dict[str, list[Violation]]
STL = 'forbid = ["std-containers"]'
# What the cases below use; each is in a namespace of its own, so that all are compiled at once.
HEAD = (
    "".join(
        f"#include <{name}>\n"
        for name in (
            *("array", "bitset", "deque", "iostream", "list", "map", "memory", "memory_resource", "new", "queue"),
            *("set", "stack", "string", "unordered_map", "vector", "debug/vector", "ext/pb_ds/assoc_container.hpp"),
            *("algorithm", "cstdlib", "cstring", "dlfcn.h", "unistd.h"),
        )
    )
    + "struct E {};\nvoid g();\nvoid log(const E &);\nint c(const void *, const void *);\n"
    "struct X { int system(int); int fork(); };\nvoid *pool(unsigned long);\n"
)


def findings_of(place: Path, cases: Mapping[str, tuple[str, str]]) -> Found:
    """The findings of each case (preset, code) in its own lines of one file."""
    text, places = HEAD, {}
    for n, (name, (_, code)) in enumerate(cases.items()):
        first = text.count("\n") + 1
        text += f"namespace c{n} {{\n{re.sub(r'#include.*', '', code)}\n}}\n"
        places[name] = range(first, text.count("\n") + 1)
    context = ReviewContext(problem(place / "p", ""), submission(place / "s", {"main.cpp": text}))
    found = {}
    for preset in {preset for preset, _ in cases.values()}:
        try:
            found[preset] = constructs(Constructs(id="r", text="t", forbid=(preset,)), context)
        except Undecidable as error:
            raise AssertionError(str(error)) from None
    return {name: [f for f in found[preset] if f.line in places[name]] for name, (preset, _) in cases.items()}


CONTAINERS = {
    "qualified": "std::vector<int> v;",
    "rooted": "::std::vector<int> v;",
    "rooted behind a word": "const ::std::vector<int> v;",
    "rooted behind a call": "int f() { return ::std::vector<int>(3)[0]; }",
    "typename": "template <class T> void f(typename ::std::list<T>::iterator i);",
    "white space": "std :: /* x */\n vector<int> v;",
    "continued": "st\\\nd::vec\\\ntor<int> v;",
    "using declaration": "using std::vector; vector<int> v;",
    "using directive": "using namespace std;\nvector<int> v;",
    "directive, deduced": "using namespace std;\nauto v = vector{1, 2};",
    "directive, deduced by a call": "using namespace std;\nint f() { auto v = vector(3, 1); return v[0]; }",
    "directive, made in an expression": "using namespace std;\nint f() { return vector<int>(3)[0]; }",
    "directive, as an argument": "using namespace std;\nvoid f(const map<int, int> &m);",
    "directive, as a base": "using namespace std;\nstruct S : vector<int> {};",
    "directive, its iterator": "using namespace std;\nvector<int>::iterator *i;",
    "directive, another container of its own name": "using namespace std;\nstruct A { int map; };\nmap<int, int> m;",
    "directive in a namespace": "namespace a { namespace b { using namespace std; } }\na::b::vector<int> v;",
    "directive in a namespace that another opens": "namespace a { using namespace std; }\n"
    "namespace b { using namespace a; }\nb::vector<int> v;",
    "alias in a namespace": "namespace a { namespace s = std; }\na::s::vector<int> v;",
    "directive of an alias": "namespace s = std;\nusing namespace s;\nset<int> v;",
    "alias of the namespace": "namespace s = ::std;\ns::list<int> v;",
    "alias of an alias": "namespace s = std;\nnamespace t = s;\nt::deque<int> v;",
    "alias of the type": "using V = std::vector<int>;\nV v;",
    "typedef": "typedef std::map<int, int> M;",
    "template alias": "template <class T> using V = std::vector<T>;",
    "macro of the namespace": "#define S std\nS::vector<int> v;",
    "macro of the name": "#define V vector\nstd::V<int> v;",
    "pasted": "#define C(a, b) a##b\nstd::C(vec, tor)<int> v;",
    "pasted twice": "#define C(a, b) a##b\n#define D(a, b) C(a, b)\nstd::D(C(ve, c), tor)<int> v;",
    "macro with arguments left out": "#define I(x, ...) x\nI(std::queue<int> q;, a, b)",
    "macro of a macro": "#define A std::B\n#define B stack<int>\nA v;",
    "in a branch": "#ifdef LOCAL\n#else\nstd::vector<int> v;\n#endif",
    "inner namespace": "std::pmr::vector<int> v;",
    "inner namespace, spelled": "std::__cxx11::list<int> v;",
    "inner name": "std::_Vector_base<int, std::allocator<int>> *v;",
    "the compiler's debugging twin": "__gnu_debug::vector<int> v;",
    "other library of the compiler": "__gnu_pbds::tree<int, int> t;",
    "own name elsewhere": "namespace mine { class vector {}; }\nusing namespace std;\nvector<int> v;",
    "as a template argument": "template <template <class...> class C> struct Q {};\nQ<std::unordered_map> q;",
    "in a lambda": "auto f = [] { return std::bitset<8>(); };",
    "in a default argument": "void f(int n = std::array<int, 3>().size());",
    "digraphs": "std::vector<:int:> v;".replace("<:int:>", "<int>") + " int a<:2:> = <%1, 2%>;",
    "behind a raw string": 'auto s = R"x()\\\nx")x";\nstd::vector<int> v;',
}


CLEAN = {
    "own class": "namespace sjtu { template <class T> class vector { T *data; }; }\nsjtu::vector<int> v;",
    "own class with std opened": "using namespace std;\n"
    "namespace m { template <class T> struct map {}; m::map<int> *x; map<int> *y; }",
    "own class beside a directive": "namespace a { using namespace std; namespace in { struct map {}; } "
    "template <class T> struct vector {}; }\na::vector<int> v; a::in::map *m;",
    "own member in own class": "using namespace std;\nstruct S { struct set {}; set *s; };",
    "variables and members": "using namespace std;\nint list = 3, map[4];\nstruct S { int set; void array(int); } s;\n"
    "int f(int deque) { s.set = deque; s.array(list); return list < map[1]; }",
    "functions": "using namespace std;\nint set(int x) { return x; }\nint y = set(3);",
    "one of several meanings": "#ifdef A\n#define V int\n#else\n#define V long\n#endif\nV v;",
    "a macro used again and again": "#define X(n) int n;\nX(a)\n#undef X\n#define X(n) void f_##n();\nX(b)\n#undef X",
    "other namespaces": "namespace other { struct A { template <class T> struct vector {}; }; }\n"
    "other::A::vector<int> v;",
}


def test_a_header_opens_the_namespace_for_another_file(tmp_path: Path) -> None:
    files = {
        "a.h": "#include <vector>\nusing namespace std;\n#define COLLECTION vector\n",
        "main.cpp": '#include "a.h"\nCOLLECTION<int> v;\n',
    }
    result = decided(tmp_path, "constructs", STL, files)
    assert lines(result) == [("main.cpp", 2)]


CALLS = {
    "goto": ("goto", "int f() { goto x; x: return 1; }"),
    "goto by a macro": ("goto", "#define JUMP goto\nint f() { JUMP x; x: return 1; }"),
    "goto by pasting": ("goto", "#define C(a, b) a##b\nint f() { C(go, to) x; x: return 1; }"),
    "computed goto": ("goto", "int f() { void *p = &&x; goto *p; x: return 1; }"),
    "asm": ("asm", 'void f() { asm("nop"); }'),
    "asm, other spelling": ("asm", 'void f() { __asm__ volatile ("nop"); }'),
    "asm outside": ("asm", '__asm("nop");'),
    "asm by a macro": ("asm", '#define A(x) __as##x("nop")\nvoid f() { A(m__); }'),
    "system": ("process", '#include <cstdlib>\nint f() { return system("ls"); }'),
    "system of std": ("process", 'int f() { return std::system("ls"); }'),
    "system, rooted": ("process", 'int f() { return ::system("ls"); }'),
    "system, rooted beside one's own": (
        "process",
        'struct S { int system(const char *); int f() { return ::system("ls"); } };',
    ),
    "system by its address": ("process", 'auto g = system;\nint f() { return g("ls"); }'),
    "system in parentheses": ("process", 'int f() { return (system)("ls"); }'),
    "system declared by hand": ("process", 'extern "C" int system(const char *);\nint f() { return system("ls"); }'),
    "system beside one's own": ("process", 'struct A { void system(); };\nint f() { return system("ls"); }'),
    "system beside a variable": ("process", 'namespace n { int system; }\nint f() { return system("ls"); }'),
    "system in another's block": (
        "process",
        'void g() { int system = 1; (void)system; }\nint f() { return system("ls"); }',
    ),
    "fork": ("process", "#include <unistd.h>\nint f() { return fork(); }"),
    "exec": ("process", 'int f() { return execv("ls", nullptr); }'),
    "system under another name": (
        "process",
        'extern "C" int run(const char *) asm("system");\nint f() { return run("ls"); }',
    ),
    "fork of the library": ("process", 'extern "C" int __fork();\nint f() { return __fork(); }'),
    "malloc of the compiler": ("raw-new", "void *f() { return __builtin_malloc(3); }"),
    "symbols at run time": ("process", 'void *f() { return dlsym(0, "sys" "tem"); }'),
    "sort": ("std-algorithms", "int f(int *a) { std::sort(a, a + 3); return 0; }"),
    "sort by its arguments": ("std-algorithms", "int f(std::string &s) { sort(s.begin(), s.end()); return 0; }"),
    "sort of ranges": ("std-algorithms", "int f(int *a) { std::ranges::sort(a, a + 3); return 0; }"),
    "qsort": ("std-algorithms", "int f(int *a) { qsort(a, 3, 4, c); return 0; }"),
    "global": ("global-state", "int counter;"),
    "global in a namespace": ("global-state", "namespace { int counter = 0; }"),
    "global by a macro": ("global-state", "#define GLOBAL(t, n) t n = 0;\nGLOBAL(int, counter)"),
    "global pointer to constants": ("global-state", 'const char *name = "x";'),
    "global object": ("global-state", "struct S {} s;"),
    "global array": ("global-state", "int table[100];"),
    "global, extern": ("global-state", "extern int counter;"),
    "global of a thread": ("global-state", "thread_local int counter;"),
    "static local": ("global-state", "int f() { static int n; return n++; }"),
    "static member": ("global-state", "struct S { static int n; };"),
    "static member, inline": ("global-state", "struct S { inline static int n = 0; };"),
    "pointer to a function": ("global-state", "int (*hook)(int);"),
    "new": ("raw-new", "int *f() { return new int(3); }"),
    "new of an array": ("raw-new", "int *f() { int *p = new int[3]; return p; }"),
    "operator new": ("raw-new", "void *f() { return ::operator new(40); }"),
    "operator new of an array": ("raw-new", "auto p = operator new[](40);"),
    "operator new by its address": ("raw-new", "auto f = static_cast<void *(*)(std::size_t)>(&::operator new);"),
    "process of the library's inside": (
        "process",
        'extern "C" int _IO_proc_open(void *, const char *);\nint f() { return _IO_proc_open(nullptr, "ls"); }',
    ),
    "malloc": ("raw-new", "void *f() { return std::malloc(3); }"),
    "never deleted": ("new-without-delete", "int *f() { return new int; }"),
    "operator never deleted": ("new-without-delete", "void *f() { return ::operator new(3); }"),
    "never freed": ("new-without-delete", "void *f() { return malloc(3); }"),
    "using namespace std": ("using-namespace-std", "using namespace std;"),
    "using namespace std, alias": ("using-namespace-std", "namespace s = std;\nusing namespace s;"),
    "using namespace std, inner": ("using-namespace-std", "using namespace std::literals;"),
    "swallowed": ("exceptions-swallowed", "int f() { try { g(); } catch (...) { } return 0; }"),
    "reinterpret_cast": ("unsafe", "int f(long p) { return *reinterpret_cast<int *>(p); }"),
}


NO_CALLS = {
    "own method, defined outside": (
        "process",
        "struct A { int fork(); int g(); };\nint A::fork() { return 1; }\nint A::g() { return fork(); }",
    ),
    "inherited method": ("process", "struct A { int fork(); };\nstruct B : A { int g() { return fork(); } };"),
    "member of something": ("process", "int f(X &x, X *p) { return x.system(1) + p->fork(); }"),
    "const reference": ("global-state", "const int &r = 3;"),
    "smart": (
        "raw-new",
        "void f() { std::unique_ptr<int> p(new int); p.reset(new int(3)); auto q = std::shared_ptr<int>(new int); }",
    ),
    "own operator new": (
        "raw-new",
        "struct A { void *operator new(unsigned long n); };\n"
        "void *A::operator new(unsigned long n) { return pool(n); }",
    ),
    "own function of the like": ("process", "int proc_open(int n) { return n; }\nint f() { return proc_open(1); }"),
    "freed": ("new-without-delete", "void f() { void *p = malloc(3); free(p); }"),
    "other namespaces opened": ("using-namespace-std", "namespace a {}\nusing namespace a;\nusing std::string;"),
}


BROKEN = {**{name: ("std-containers", code) for name, code in CONTAINERS.items()}, **CALLS}
KEPT = {**{name: ("std-containers", code) for name, code in CLEAN.items()}, **NO_CALLS}


# What uses this is slow: each worker of pytest compiles all of it for itself.
@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return findings_of(tmp_path_factory.mktemp("broken"), BROKEN)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return findings_of(tmp_path_factory.mktemp("kept"), KEPT)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_every_way_to_a_construct_is_caught(name: str, broken: Found) -> None:
    assert broken[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", KEPT)
def test_what_is_no_such_construct_passes(name: str, kept: Found) -> None:
    assert kept[name] == []


def test_names_of_ones_own(tmp_path: Path) -> None:
    keys = 'names = ["std::string", "memcpy", "boost::any"]'
    code = (
        "#include <string>\n#include <cstring>\nnamespace boost { struct any {}; }\nboost::any a;\n"
        "using namespace std;\nstring s;\nvoid f(char *p) { memcpy(p, p + 9, 3); }\nstd::string_view v;\n"
    )
    result = decided(tmp_path, "constructs", keys, {"a.cpp": code})
    assert {line for _, line in lines(result)} == {4, 6, 7}


def test_c_is_read_as_c(tmp_path: Path) -> None:
    code = "int class = 3;\nint f(void) { int *new = 0; goto end; end: return *new; }\n"
    assert lines(decided(tmp_path, "constructs", 'forbid = ["goto", "raw-new"]', {"a.c": code})) == [("a.c", 2)]


def test_a_file_of_assembly(tmp_path: Path) -> None:
    files = {"main.cpp": "int main() {}\n", "fast.S": "nop\n"}
    assert lines(decided(tmp_path, "constructs", 'forbid = ["asm"]', files)) == [("fast.S", None)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (
            "a.py",
            "import os, re\n# os.system\ns = 'os.system(1)'\nre.compile('x')\nx.system(1)\n"
            "os.path.join('a')\nCACHE = {}\n",
        ),
        ("a.rs", "use std::io;\nstatic N: i32 = 3;\nfn f() { std::process::exit(1); }\n// unsafe\n"),
        ("a.go", 'package main\nimport "os"\nvar ErrX = errors.New("x")\nfunc f() { os.Exit(1) }\n'),
        ("A.java", "class A { static final int N = 3; int n; void exec() {} void f() { exec(); } }\n"),
        ("a.js", "const n = 3;\nconst o = { exec: 1 };\n/x/.exec('x')\nfunction f() { let a = 1; return a }\n"),
    ],
)
def test_clean_code_of_other_languages_passes(tmp_path: Path, name: str, code: str) -> None:
    forbid = 'forbid = ["process", "dynamic-code", "global-state", "unsafe", "network", "goto", "asm"]'
    result = decided(tmp_path, "constructs", forbid, {name: code})
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (
            "a.py",
            "import os, shutil, sys\nshutil.rmtree('x')\na, b = os, 1\na.getcwd()\nhasattr(os, 'fork')\n"
            "getattr(os, 'getcwd')()\n'json' in sys.modules\ndef f(os=None, *, sys: int = 3):\n"
            "    return vars(f), f.__dict__\n",
        ),
        (
            "a.js",
            "const process = require('process')\n"
            "function fetch(x) { return x }\nfetch(1)\nconst eval2 = '\\u0065val(1)'\nsetTimeout(() => 1, 3)\n"
            "setTimeout(fetch, 3)\nclass A { constructor() { this.constructor.name }\ncopy() "
            "{ return new this.constructor(1) } }\nif (require.main === module) fetch(process.argv[2])\n"
            "module.exports = { fetch }\nfunction g(fetch) { return fetch(2) }\n",
        ),
        (
            "a.go",
            'package main\nimport "syscall"\n// go:linkname is not used\n//go:noinline\nfunc f() int '
            "{ return syscall.Getpid() }\n",
        ),
        (
            "A.java",
            "import static java.lang.Math.*;\nimport java.nio.charset.Charset;\nclass A { void loadClass(int n) {} "
            'void f() { loadClass(1); max(1, 2); Charset.forName("UTF-8"); String s = "\\u0052untime"; } }\n',
        ),
        (
            "a.rs",
            "use std::collections::*;\nmacro_rules! make { ($t:ty, $a:ident) => { <$t>::$a() }; ($t:ident) => "
            "{ $t::new(); $crate::f($t) } }\n#[derive(Debug)]\nstruct S;\nfn f() { vec![std::io::stdin(), 1]; "
            'println!("{}", std::process::id()); HashMap::new(); }\npub use std::fmt;\n',
        ),
    ],
)
def test_clean_code_beside_what_is_forbidden_passes(tmp_path: Path, name: str, code: str) -> None:
    forbid = 'forbid = ["process", "dynamic-code", "network"]'
    if name == "a.py":
        forbid = 'forbid = ["process", "network"]'
    result = decided(tmp_path, "constructs", forbid, {name: code})
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("name", ["main.cpp", "A.java"])
def test_text_of_another_encoding_is_not_passed_unread(tmp_path: Path, name: str, encoding: str) -> None:
    result = decided(tmp_path, "constructs", 'forbid = ["process"]', {name: "// clean\n".encode(encoding)})
    assert (result.outcome, result.reason) == ("error", f"{name}: is not UTF-8 text")


def test_an_encoding_that_python_knows(tmp_path: Path) -> None:
    code = b"# coding: utf-7\n# x+AAo-import subprocess\n"
    assert decided(tmp_path / "a", "constructs", 'forbid = ["process"]', {"a.py": code}).outcome == "error"
    code = b"# coding: latin-1\nx = 3  # \xe4\n"
    assert decided(tmp_path / "b", "constructs", 'forbid = ["process"]', {"a.py": code}).outcome == "passed"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"lib.a": "x"}, "lib.a: assembly or compiled code"),
        ({"run.S": "x"}, "run.S: assembly or compiled code"),
    ],
)
def test_what_no_rule_can_see_into_is_an_error(tmp_path: Path, more: dict[str, str], said: str) -> None:
    result = decided(tmp_path, "constructs", 'forbid = ["process"]', {"main.cpp": "int main() {}\n", **more})
    assert (result.outcome, result.findings) == ("error", [])
    assert said in result.reason
