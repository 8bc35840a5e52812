"""Suites of one small task that is not in Python: a program with a defect, its own tests, hidden tests, a policy.

In each language the program prints how many pages ``COUNT`` entries fill, and the defect is that it rounds down.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct

from sources import text_file

HIDDEN = text_file("tiny_languages.hidden.txt")


class Language(Struct, frozen=True):
    """``fix``: file, old text, new text. ``test``: file, place, and what is put before it: a test of the fix."""

    tools: tuple[str, ...]
    build: str
    test: str
    program: tuple[str, ...]
    starter: dict[str, str]
    fix: tuple[str, str, str]
    added: tuple[str, str, str]
    names: tuple[str, ...]  # ids of the starter's tests in the output of the test command
    coverage: str | None = None


NODE = Language(
    tools=("node",),
    build="node --check src/pages.mjs && node --check src/main.mjs",
    test="node --test tests/",
    program=("node", "src/main.mjs"),
    starter={
        "package.json": '{"name": "pages", "type": "module", "scripts": {"test": "node --test tests/"}}\n',
        "src/pages.mjs": (
            "export function pages(count, size) {\n  return Math.floor(count / size);\n}\n\n"
            "export const last = (count, size) => count % size || size;\n"
        ),
        "src/main.mjs": 'import { pages } from "./pages.mjs";\n\nconsole.log(pages(Number(process.argv[2]), 10));\n',
        "tests/pages.test.mjs": (
            'import assert from "node:assert/strict";\nimport { describe, test } from "node:test";\n\n'
            'import { last, pages } from "../src/pages.mjs";\n\n'
            'test("full pages", () => {\n  assert.equal(pages(20, 10), 2);\n});\n\n'
            'describe("the last page", () => {\n  test("is what is left", () => {\n'
            "    assert.equal(last(23, 10), 3);\n  });\n});\n"
        ),
    },
    fix=("src/pages.mjs", "Math.floor(", "Math.ceil("),
    added=(
        "tests/pages.test.mjs",
        'describe("the last page"',
        'test("a part of a page", () => {\n  assert.equal(pages(21, 10), 3);\n});\n\n',
    ),
    names=("full pages", "the last page > is what is left"),
    coverage=(
        "node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info tests/"
    ),
)
RUST = Language(
    tools=("cargo",),
    build="cargo build",
    test="cargo test",
    program=("target/debug/pages",),
    starter={
        ".gitignore": "/target/\n",
        "Cargo.toml": '[package]\nname = "pages"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 4\n\n[[package]]\nname = "pages"\nversion = "0.1.0"\n',
        "src/lib.rs": (
            "pub fn pages(count: u64, size: u64) -> u64 {\n    count / size\n}\n\n"
            "pub fn last(count: u64, size: u64) -> u64 {\n"
            "    if count % size == 0 { size } else { count % size }\n}\n\n"
            "#[cfg(test)]\nmod tests {\n    #[test]\n    fn nothing_has_no_page() {\n"
            "        assert_eq!(super::pages(0, 10), 0);\n    }\n}\n"
        ),
        "src/main.rs": (
            "fn main() {\n    let count = std::env::args().nth(1).unwrap().parse().unwrap();\n"
            '    println!("{}", pages::pages(count, 10));\n}\n'
        ),
        "tests/pages.rs": (
            "use pages::{last, pages};\n\n#[test]\nfn full_pages() {\n    assert_eq!(pages(20, 10), 2);\n}\n\n"
            "#[test]\nfn the_last_page_is_what_is_left() {\n    assert_eq!(last(23, 10), 3);\n}\n"
        ),
    },
    fix=("src/lib.rs", "    count / size\n", "    count.div_ceil(size)\n"),
    added=(
        "tests/pages.rs",
        "#[test]\nfn the_last",
        "#[test]\nfn a_part_of_a_page() {\n    assert_eq!(pages(21, 10), 3);\n}\n\n",
    ),
    names=("tests/pages.rs::full_pages", "tests/pages.rs::the_last_page_is_what_is_left"),
)
JAVA = Language(
    tools=("javac",),
    build="rm -rf out && javac -d out src/pages/*.java",
    test="rm -rf out && javac -d out src/pages/*.java tests/pages/*.java && java -cp out pages.PagesTests",
    program=("java", "-cp", "out", "pages.Main"),
    starter={
        ".gitignore": "/out/\n",
        "src/pages/Pages.java": (
            "package pages;\n\npublic final class Pages {\n    private Pages() {}\n\n"
            "    public static long pages(long count, long size) {\n        return count / size;\n    }\n\n"
            "    public static long last(long count, long size) {\n"
            "        return count % size == 0 ? size : count % size;\n    }\n}\n"
        ),
        "src/pages/Main.java": (
            "package pages;\n\npublic final class Main {\n    public static void main(String[] words) {\n"
            "        System.out.println(Pages.pages(Long.parseLong(words[0]), 10));\n    }\n}\n"
        ),
        "tests/pages/PagesTests.java": (
            "package pages;\n\nimport java.lang.reflect.Method;\n\npublic final class PagesTests {\n"
            "    static void assertEquals(long expected, long found) {\n        if (expected != found) {\n"
            '            throw new AssertionError(found + " is not " + expected);\n        }\n    }\n\n'
            "    static void testFullPages() {\n        assertEquals(2, Pages.pages(20, 10));\n    }\n\n"
            "    static void testTheLastPage() {\n        assertEquals(3, Pages.last(23, 10));\n    }\n\n"
            "    public static void main(String[] words) throws Exception {\n"
            "        int number = 0;\n        int failed = 0;\n"
            "        for (Method method : PagesTests.class.getDeclaredMethods()) {\n"
            '            if (!method.getName().startsWith("test")) {\n                continue;\n            }\n'
            "            number++;\n            try {\n                method.invoke(null);\n"
            '                System.out.println("ok " + number + " - " + method.getName());\n'
            "            } catch (ReflectiveOperationException error) {\n                failed++;\n"
            '                System.out.println("not ok " + number + " - " + method.getName());\n'
            '                System.out.println("# " + error.getCause());\n            }\n        }\n'
            '        System.out.println("1.." + number);\n        System.exit(failed == 0 ? 0 : 1);\n    }\n}\n'
        ),
    },
    fix=("src/pages/Pages.java", "return count / size;", "return (count + size - 1) / size;"),
    added=(
        "tests/pages/PagesTests.java",
        "    static void testTheLastPage",
        "    static void testAPartOfAPage() {\n        assertEquals(3, Pages.pages(21, 10));\n    }\n\n",
    ),
    names=("testFullPages", "testTheLastPage"),
)
CPP = Language(
    tools=("g++", "make"),
    build="make",
    test="make test",
    program=("build/pages",),
    starter={
        ".gitignore": "/build/\n",
        "Makefile": (
            "CXXFLAGS = -std=c++17 -Wall -Isrc\n\nbuild/pages: src/main.cpp src/pages.hpp\n"
            "\tmkdir -p build && $(CXX) $(CXXFLAGS) -o $@ src/main.cpp\n\n"
            "build/tests: $(wildcard tests/*) src/pages.hpp\n"
            "\tmkdir -p build && $(CXX) $(CXXFLAGS) -o $@ $(wildcard tests/*.cpp)\n\n"
            "test: build/tests\n\t./build/tests\n\n.PHONY: test\n"
        ),
        "src/pages.hpp": (
            "#pragma once\n\ninline long pages(long count, long size) {\n    return count / size;\n}\n\n"
            "inline long last_page(long count, long size) {\n    return count % size ? count % size : size;\n}\n"
        ),
        "src/main.cpp": (
            '#include <cstdlib>\n#include <iostream>\n\n#include "pages.hpp"\n\nint main(int, char** words) {\n'
            '    std::cout << pages(std::atol(words[1]), 10) << "\\n";\n}\n'
        ),
        "tests/tests.cpp": (
            '#include <iostream>\n\n#include "pages.hpp"\n\nstatic int number = 0, failed = 0;\n'
            "static bool good = true;\n\n#define CHECK(what) (good = (what) && good)\n\n"
            "static void run(const char* name, void (*test)()) {\n    good = true;\n    test();\n"
            "    failed += !good;\n"
            '    std::cout << (good ? "ok " : "not ok ") << ++number << " - " << name << std::endl;\n}\n\n'
            "static void test_full_pages() { CHECK(pages(20, 10) == 2); }\n\n"
            "static void test_the_last_page() { CHECK(last_page(23, 10) == 3); }\n\n"
            "#define RUN(test) run(#test, test)\n\nint main() {\n    RUN(test_full_pages);\n"
            "    RUN(test_the_last_page);\n"
            '    std::cout << "1.." << number << std::endl;\n    return failed != 0;\n}\n'
        ),
    },
    fix=("src/pages.hpp", "return count / size;", "return (count + size - 1) / size;"),
    added=(
        "tests/tests.cpp",
        "#define RUN(test) run(#test, test)\n\nint main() {\n",
        "static void test_a_part_of_a_page() { CHECK(pages(21, 10) == 3); }\n\n"
        "#define RUN(test) run(#test, test)\n\nint main() {\n    RUN(test_a_part_of_a_page);\n",
    ),
    names=("test_full_pages", "test_the_last_page"),
)
LANGUAGES = {"node": NODE, "rust": RUST, "java": JAVA, "cpp": CPP}


def write_task(directory: Path, name: str) -> Path:
    """A suite in ``directory`` with one task in this language, with the policy ``careful``; the task's directory."""
    language = LANGUAGES[name]
    task = directory / "verify-or-die" / f"pages-{name}"
    path, old, new = language.fix
    parts = {f"environment/repo/{p}": text for p, text in language.starter.items()}
    fixed = language.starter[path].replace(old, new)
    parts[f"golden/{path}"] = fixed
    parts[f"faulty/{path}"] = language.starter[path]
    parts["tests/test_hidden.py"] = HIDDEN % {"build": language.build, "program": list(language.program)}
    parts["instruction.md"] = "A part of a page is a page.\n"
    parts["task.toml"] = _task(name, language)
    parts["policies/careful.toml"] = _policy(language)
    for place, text in parts.items():
        target = task / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return task


def _task(name: str, language: Language) -> str:
    lines = [
        'schema_version = "1.4"',
        "[task]",
        f'name = "tests/pages-{name}"',
        "[metadata.rigor]",
        f'id = "pages-{name}"',
        'category = "verify-or-die"',
        f"tools = {json.dumps(language.tools)}",
        f"build = {json.dumps(language.build)}",
        f"test = {json.dumps(language.test)}",
        'reference = "golden"',
        *([f"coverage = {json.dumps(language.coverage)}"] if language.coverage is not None else []),
        "[[metadata.rigor.requirements]]",
        'id = "part"',
        'text = "a part of a page is a page"',
        'faulty = "faulty"',
        'tests = ["test_hidden.py::test_a_part_of_a_page_is_a_page"]',
    ]
    return "\n".join(lines) + "\n"


def _policy(language: Language) -> str:
    path, old, new = language.fix
    test, place, text = language.added
    added = text if place in text else text + place
    calls = [
        {"tool": "read", "path": path},
        {"tool": "edit", "path": test, "old": place, "new": added},
        {"tool": "shell", "command": language.test},
        {"tool": "edit", "path": path, "old": old, "new": new},
        {"tool": "shell", "command": language.test},
        {"tool": "shell", "command": "git add -A && git commit -m 'Count a part of a page as a page'"},
    ]
    lines = ['description = "Tests first, fixes, tests."']
    for call in calls:
        lines += ["[[turn]]", "[[turn.call]]", *(f"{key} = {json.dumps(value)}" for key, value in call.items())]
    return "\n".join([*lines, "[[turn]]", 'text = "A part of a page counts as a page; the tests pass."', ""])
