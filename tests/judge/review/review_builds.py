# ruff: noqa: E501 (a file is one line, however long)
"""Repositories that CMake builds, in which `ALL` may be forbidden."""

from __future__ import annotations

_PROJECT = "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\n"
_G = "int g() { return 3; }\n"
_MAIN = "int g();\nint main() { return g() - 3; }\n"
ALL = "std-containers std-algorithms goto asm process network dynamic-code global-state raw-new exceptions-swallowed"

CLEAN: dict[str, dict[str, str]] = {
    "precompiled headers": {
        "CMakeLists.txt": _PROJECT
        + "add_executable(code main.cpp part.cpp)\ntarget_precompile_headers(code PRIVATE <string> <iostream>)\n",
        "main.cpp": "int g();\nint main() { std::string s(3, 'x'); std::cout << s << g(); }\n",
        "part.cpp": _G,
    },
    "libraries and options of many kinds": {
        "CMakeLists.txt": _PROJECT
        + "include(CheckCXXCompilerFlag)\ncheck_cxx_compiler_flag(-fno-plt HAS_NO_PLT)\ninclude(CheckIncludeFileCXX)\ncheck_include_file_cxx(unistd.h HAS_UNISTD)\nset(CMAKE_CXX_STANDARD 20)\nset(CMAKE_BUILD_TYPE RelWithDebInfo)\nset(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)\nset(CMAKE_UNITY_BUILD ON)\nadd_library(s STATIC part.cpp)\nadd_library(o OBJECT other.cpp)\nadd_executable(code main.cpp $<TARGET_OBJECTS:o>)\ntarget_compile_options(code PRIVATE -Wall -Wextra -Werror)\ntarget_link_libraries(code s m)\n",
        "main.cpp": "#include <cassert>\n#include <cmath>\nint g();\nint h(double);\nint main(int n, char **) { assert(n > 0); return g() - h(std::sqrt(9.0 * n)); }\n",
        "part.cpp": _G,
        "other.cpp": "int h(double x) { return static_cast<int>(x); }\n",
    },
    "C and C++": {
        "CMakeLists.txt": _PROJECT.replace("CXX", "C CXX")
        + "configure_file(version.h.in version.h)\ninclude_directories(${CMAKE_CURRENT_BINARY_DIR})\nadd_executable(code main.cpp part.c)\n",
        "version.h.in": '#define VERSION "1"\n',
        "main.cpp": '#include "version.h"\n#include <cstring>\nextern "C" int g(void);\nint main() { return g() + static_cast<int>(std::strlen(VERSION)) - 4; }\n',
        "part.c": "int g(void) { return 3; }\n",
    },
    "made by a program of the build": {
        "CMakeLists.txt": _PROJECT
        + "add_executable(gen gen.cpp)\nadd_custom_command(OUTPUT table.cpp COMMAND gen > table.cpp DEPENDS gen)\nadd_executable(code main.cpp table.cpp)\n",
        "gen.cpp": '#include <cstdio>\nint main() { std::puts("int g() { return 3; }"); }\n',
        "main.cpp": _MAIN,
    },
}
