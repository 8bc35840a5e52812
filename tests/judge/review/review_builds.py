# ruff: noqa: E501 (a file is one line, however long)
"""Repositories that are built: some hide what breaks a rule, others are clean.

`BUILDS` and `CLEAN` map a name to (what is forbidden, way of building, files).
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["make", "cmake"]

_PROJECT = "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\n"
_VECTOR = "#include <vector>\nint main() { std::vector<int> v(3); return v[0]; }\n"
_HIDDEN = 'const char *s = R"(";\nint main(void) { return system("ls"); }\nconst char *t = ")";\n'

BUILDS: dict[str, tuple[str, Kind, dict[str, str]]] = {
    "trigraphs of the strict mode": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) -std=c++11 main.cpp -o code\n",
            "main.cpp": "??=include <vector>\nint main() { std::vector<int> v(3); return v??(0??); }\n",
        },
    ),
    "comment that does not continue": (
        "std-containers",
        "make",
        {"Makefile": "code: main.cpp\n\t$(CXX) -std=gnu++17 main.cpp -o code\n", "main.cpp": "// why??/\n" + _VECTOR},
    ),
    "raw string that is none in strict C": (
        "process",
        "make",
        {
            "Makefile": "code: main.c\n\t$(CC) -std=c11 main.c -o code\n",
            "main.c": "#define R\nint system(const char *);\n" + _HIDDEN,
        },
    ),
    "macro of the strict mode": (
        "process",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) -std=c++17 main.cpp -o code\n",
            "main.cpp": '#include <cstdlib>\n#ifdef linux\nint main() {}\n#else\nint main() { return std::system("ls"); }\n#endif\n',
        },
    ),
    "configured source": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": _PROJECT + "set(KIND vector)\nconfigure_file(main.txt gen.cpp @ONLY)\n"
            "add_executable(code ${CMAKE_CURRENT_BINARY_DIR}/gen.cpp)\n",
            "main.txt": _VECTOR.replace("vector", "@KIND@"),
        },
    ),
    "written source": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": _PROJECT + 'string(CONCAT BODY "#include <vec" "tor>\\nstd::vec" "tor<int> v;\\n")\n'
            'file(WRITE "${CMAKE_BINARY_DIR}/gen.cpp" "${BODY}")\n'
            "add_executable(code main.cpp ${CMAKE_BINARY_DIR}/gen.cpp)\n",
            "main.cpp": "int main() {}\n",
        },
    ),
    "source made by a command": (
        "process",
        "cmake",
        {
            "CMakeLists.txt": _PROJECT
            + "add_custom_command(OUTPUT gen.cpp COMMAND sed s/@/t/g < ${CMAKE_SOURCE_DIR}/main.txt > gen.cpp)\n"
            "add_executable(code gen.cpp)\n",
            "main.txt": '#include <cs@dlib>\nin@ main() { re@urn s@d::sys@em("ls"); }\n',
        },
    ),
    "definition of the build": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": _PROJECT + "add_executable(code main.cpp)\n"
            'target_compile_options(code PRIVATE "-DT=std::vector<int>" -include vector)\n',
            "main.cpp": "T v;\nint main() {}\n",
        },
    ),
    "forced header of one's own": (
        "process",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) -include hidden.txt main.cpp -o code\n",
            "hidden.txt": "#include <unistd.h>\n#define wait_for_it fork\n",
            "main.cpp": "int main() { return wait_for_it(); }\n",
        },
    ),
    "language given by hand": (
        "process",
        "make",
        {
            "Makefile": "code: notes.txt\n\t$(CXX) -x c++ notes.txt -o code\n",
            "notes.txt": '#include <cstdlib>\nint main() { return std::system("ls"); }\n',
        },
    ),
    "compiler by another path": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t/usr/bin/g++ -c hidden.txt -x c++ -o /dev/null || true\n"
            "\t/usr/bin/g++ -x c++ -c hidden.txt -o part.o\n\t$(CXX) main.cpp part.o -o code\n",
            "hidden.txt": "#include <vector>\nstd::vector<int> v;\n",
            "main.cpp": "int main() {}\n",
        },
    ),
    "linked elsewhere": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) main.cpp -o other\n\t/usr/bin/g++ -x c++ hidden.txt -o code\n",
            "hidden.txt": _VECTOR,
            "main.cpp": "int main() {}\n",
        },
    ),
    "assembly in the build": (
        "process",
        "make",
        {
            "Makefile": "code: main.cpp go.s\n\t$(CXX) main.cpp go.s -o code\n",
            "go.s": ".globl go\ngo:\n mov $57, %eax\n syscall\n ret\n",
            "main.cpp": 'extern "C" int go();\nint main() { return go(); }\n',
        },
    ),
    "symbols renamed by the linker": (
        "process",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) -c main.cpp\n\tobjcopy --redefine-sym go=system main.o\n\t$(CXX) main.o -o code\n",
            "main.cpp": 'extern "C" int go(const char *);\nint main() { return go("ls"); }\n',
        },
    ),
    "detects the review by the compiler": (
        "std-containers",
        "make",
        {
            "Makefile": "ifneq ($(findstring rigor,$(CXX)),)\nF=clean.cpp\nelse\nF=dirty.txt\nendif\ncode:\n\t$(CXX) -x c++ $(F) -o code\n",
            "clean.cpp": "int main() {}\n",
            "dirty.txt": "#include <vector>\nint main() { std::vector<int> v(3); return v[0]; }\n",
        },
    ),
    "detects the review by its compiler": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": _PROJECT
            + "if(EXISTS /rigor/bin/g++)\nset(FROM clean.txt)\nelse()\nset(FROM dirty.txt)\nendif()\n"
            "configure_file(${FROM} main.cpp COPYONLY)\nadd_executable(code ${CMAKE_BINARY_DIR}/main.cpp)\n",
            "clean.txt": "int main() {}\n",
            "dirty.txt": _VECTOR,
        },
    ),
    "dependencies over a header": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\tcp hidden.txt cfg.h\n\t$(CXX) -MMD -MF cfg.h -MT // -c main.cpp -o main.o\n\t$(CXX) main.o -o code\n",
            "hidden.txt": "#include <vector>\nstatic std::vector<int> v(3);\n",
            "main.cpp": '#include "cfg.h"\nint main() {}\n',
        },
    ),
    "named pipe": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\trm -f cfg.h; mkfifo cfg.h\n\t(cat dirty.txt > cfg.h; sleep 0.5; while :; do cat clean.txt > cfg.h; sleep 0.2; done) & $(CXX) -c main.cpp -o main.o; kill $$!\n\t$(CXX) main.o -o code\n",
            "dirty.txt": "#include <vector>\nstatic std::vector<int> v(3);\n",
            "clean.txt": "// nothing\n",
            "main.cpp": '#include "cfg.h"\nint main() {}\n',
        },
    ),
    "precompiled from another file": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) -x c++-header dirty.txt -o all.hpp.gch\n\t$(CXX) main.cpp -o code\n",
            "dirty.txt": "#include <vector>\nstatic std::vector<int> v(3);\n",
            "all.hpp": "// nothing\n",
            "main.cpp": '#include "all.hpp"\nint main() {}\n',
        },
    ),
    "precompiled elsewhere": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\tmkdir pre && /usr/bin/g++ -x c++-header dirty.txt -o pre/all.hpp.gch\n\t$(CXX) -Ipre -I. main.cpp -o code\n",
            "dirty.txt": "#include <vector>\nstatic std::vector<int> v(3);\n",
            "all.hpp": "// nothing\n",
            "main.cpp": "#include <all.hpp>\nint main() {}\n",
        },
    ),
    "outside the source tree": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\tmkdir -p /tmp/usr && cp hidden.txt /tmp/usr/impl.hpp\n\t$(CXX) -I/tmp/usr main.cpp -o code\n",
            "hidden.txt": "#include <vector>\nstatic std::vector<int> v(3);\n",
            "main.cpp": "#include <impl.hpp>\nint main() {}\n",
        },
    ),
    "source outside the tree": (
        "process",
        "cmake",
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nconfigure_file(main.txt /tmp/gen.cpp COPYONLY)\nadd_executable(code /tmp/gen.cpp)\n",
            "main.txt": '#include <cstdlib>\nint main() { return std::system("ls"); }\n',
        },
    ),
    "object through the linker's options": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t/usr/bin/g++ -x c++ -c hidden.txt -o part.o\n\t$(CXX) main.cpp -Wl,part.o -o code\n",
            "hidden.txt": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "object by -Xlinker": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t/usr/bin/g++ -x c++ -c hidden.txt -o part.o\n\t$(CXX) main.cpp -Xlinker part.o -o code\n",
            "hidden.txt": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "linker options in a file": (
        "process",
        "make",
        {
            "Makefile": "code: main.cpp\n\techo --defsym=go=system > opts\n\t$(CXX) -static main.cpp -Wl,@opts -o code\n",
            "main.cpp": 'extern "C" int go(const char *);\nint main() { return go("ls"); }\n',
        },
    ),
    "library path by the environment": (
        "std-containers",
        "make",
        {
            "Makefile": "export LIBRARY_PATH=/w/src/lib\ncode: main.cpp\n\t/usr/bin/g++ -x c++ -c hidden.txt -o part.o; mkdir lib; ar rcs lib/libodd.a part.o\n\t$(CXX) main.cpp -lodd -o code\n",
            "hidden.txt": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "library as a separate word": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t/usr/bin/g++ -x c++ -c hidden.txt -o part.o; mkdir lib; ar rcs lib/libodd.a part.o\n\t$(CXX) main.cpp -Llib -l odd -o code\n",
            "hidden.txt": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "object library": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_library(o OBJECT part.cpp)\nadd_executable(code main.cpp $<TARGET_OBJECTS:o>)\n",
            "part.cpp": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "unity build": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_executable(code main.cpp part.cpp)\nset_target_properties(code PROPERTIES UNITY_BUILD ON)\n",
            "part.cpp": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "cmake precompiled headers": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_executable(code main.cpp)\ntarget_precompile_headers(code PRIVATE <vector>)\n",
            "main.cpp": "int main() { std::vector<int> v(3); return v[0]; }\n",
        },
    ),
    "shared library loaded": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_library(part SHARED part.cpp)\nadd_executable(code main.cpp)\ntarget_link_libraries(code part)\n",
            "part.cpp": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
        },
    ),
    "launcher that compiles another": (
        "std-containers",
        "cmake",
        {
            "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nset(CMAKE_CXX_COMPILER_LAUNCHER sh ${CMAKE_SOURCE_DIR}/swap.sh)\nadd_executable(code main.cpp)\n",
            "swap.sh": '"$@"\nfor w do [ "$o" = -o ] && out=$w; o=$w; done\ncase $out in *main.cpp.o) /usr/bin/g++ -x c++ -c /w/src/dirty.txt -o $out;; esac\n',
            "dirty.txt": "#include <vector>\nint main() { std::vector<int> v(3); return v[0]; }\n",
            "main.cpp": "int main() {}\n",
        },
    ),
    "named module": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t$(CXX) -std=c++20 -fmodules-ts -c part.cpp -o part.o\n\t$(CXX) -std=c++20 -fmodules-ts main.cpp part.o -o code\n",
            "part.cpp": "module;\n#include <vector>\nexport module part;\nexport int g() { return std::vector<int>(3)[0]; }\n",
            "main.cpp": "import part;\nint main() { return g(); }\n",
        },
    ),
    "assembler of the build's own": (
        "std-containers",
        "make",
        {
            "Makefile": "export PATH := /w/src/bin:$(PATH)\ncode: main.cpp\n\tmkdir bin; cp as.txt bin/as; chmod +x bin/as\n"
            "\tgcc -c main.cpp -o code.o; g++ code.o -o code\n",
            "as.txt": '#!/bin/sh\nfor w do [ "$o" = -o ] && out=$w; o=$w; done\n'
            "PATH=/usr/bin:/bin /usr/bin/g++ -x c++ -c /w/src/dirty.txt -o $out\n",
            "main.cpp": "int main() {}\n",
            "dirty.txt": _VECTOR,
        },
    ),
    "programs of the recorder": (
        "std-containers",
        "make",
        {
            "Makefile": "export PATH := /w/src/bin:$(PATH)\ncode: main.cpp\n\tmkdir bin; cp sed.txt bin/sed; chmod +x bin/sed\n"
            "\tcat main.cpp part.txt | sed '' > now.cpp; $(CXX) now.cpp -o code\n",
            "sed.txt": '#!/bin/sh\n/usr/bin/sed "$@" | /usr/bin/sed s/int.n/std::vector/\n',
            "main.cpp": "#include <vector>\nint main() {}\n",
            "part.txt": "int n<int> v;\n",
        },
    ),
    "file for the assembler": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\tg++ -x c++ -S dirty.txt -o part.s; $(CXX) -Wa,part.s main.cpp -o code\n",
            "main.cpp": "int g();\nint main() { return g(); }\n",
            "dirty.txt": "#include <vector>\nint g() { return std::vector<int>(3)[0]; }\n",
        },
    ),
    "precompiled header kept apart": (
        "std-containers",
        "make",
        {
            "Makefile": "code: main.cpp\n\t/usr/bin/g++ -x c++-header dirty.txt -o all.hpp.gch; $(CXX) -fpch-preprocess main.cpp -o code\n",
            "dirty.txt": "#include <vector>\nstatic std::vector<int> v(3);\n",
            "all.hpp": "// nothing\n",
            "main.cpp": '#include "all.hpp"\nint main() {}\n',
        },
    ),
}

_G = "int g() { return 3; }\n"
_MAIN = "int g();\nint main() { return g() - 3; }\n"
_ALL = "std-containers std-algorithms goto asm process network dynamic-code global-state raw-new exceptions-swallowed"

CLEAN: dict[str, tuple[str, Kind, dict[str, str]]] = {
    "precompiled headers": (
        _ALL,
        "cmake",
        {
            "CMakeLists.txt": _PROJECT
            + "add_executable(code main.cpp part.cpp)\ntarget_precompile_headers(code PRIVATE <string> <iostream>)\n",
            "main.cpp": "int g();\nint main() { std::string s(3, 'x'); std::cout << s << g(); }\n",
            "part.cpp": _G,
        },
    ),
    "libraries and options of many kinds": (
        _ALL,
        "cmake",
        {
            "CMakeLists.txt": _PROJECT
            + "include(CheckCXXCompilerFlag)\ncheck_cxx_compiler_flag(-fno-plt HAS_NO_PLT)\ninclude(CheckIncludeFileCXX)\ncheck_include_file_cxx(unistd.h HAS_UNISTD)\nset(CMAKE_CXX_STANDARD 20)\nset(CMAKE_BUILD_TYPE RelWithDebInfo)\nset(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)\nset(CMAKE_UNITY_BUILD ON)\nadd_library(s STATIC part.cpp)\nadd_library(o OBJECT other.cpp)\nadd_executable(code main.cpp $<TARGET_OBJECTS:o>)\ntarget_compile_options(code PRIVATE -Wall -Wextra -Werror)\ntarget_link_libraries(code s m)\n",
            "main.cpp": "#include <cassert>\n#include <cmath>\nint g();\nint h(double);\nint main(int n, char **) { assert(n > 0); return g() - h(std::sqrt(9.0 * n)); }\n",
            "part.cpp": _G,
            "other.cpp": "int h(double x) { return static_cast<int>(x); }\n",
        },
    ),
    "dependencies, an archive and all at once": (
        _ALL,
        "make",
        {
            "Makefile": "SRC = main.cpp part.cpp\nOBJ = $(SRC:.cpp=.o)\nCXXFLAGS += -std=c++17 -Wall -MMD -MP -g\ncode: main.o libpart.a three.cpp\n\t$(CXX) $(CXXFLAGS) main.o three.cpp -L. -lpart -o $@\nlibpart.a: part.o\n\tar rcs $@ $^\n-include $(OBJ:.o=.d)\n",
            "main.cpp": "int g();\nint three();\nint main() { return g() - three(); }\n",
            "part.cpp": _G,
            "three.cpp": "int three() { return 3; }\n",
        },
    ),
    "C and C++": (
        _ALL,
        "cmake",
        {
            "CMakeLists.txt": _PROJECT.replace("CXX", "C CXX")
            + "configure_file(version.h.in version.h)\ninclude_directories(${CMAKE_CURRENT_BINARY_DIR})\nadd_executable(code main.cpp part.c)\n",
            "version.h.in": '#define VERSION "1"\n',
            "main.cpp": '#include "version.h"\n#include <cstring>\nextern "C" int g(void);\nint main() { return g() + static_cast<int>(std::strlen(VERSION)) - 4; }\n',
            "part.c": "int g(void) { return 3; }\n",
        },
    ),
    "made by a program of the build": (
        _ALL,
        "cmake",
        {
            "CMakeLists.txt": _PROJECT
            + "add_executable(gen gen.cpp)\nadd_custom_command(OUTPUT table.cpp COMMAND gen > table.cpp DEPENDS gen)\nadd_executable(code main.cpp table.cpp)\n",
            "gen.cpp": '#include <cstdio>\nint main() { std::puts("int g() { return 3; }"); }\n',
            "main.cpp": _MAIN,
        },
    ),
    "the time of the build": (
        _ALL,
        "make",
        {
            "Makefile": "code: main.cpp\n\tsleep 1.1; $(CXX) main.cpp -o code\n",
            "main.cpp": "#include <cstdio>\nint main() { std::puts(__DATE__ __TIME__); }\n",
        },
    ),
}
