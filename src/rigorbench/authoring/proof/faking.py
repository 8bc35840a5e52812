"""Starters that fake a verdict: their code ends the process that loads it, or makes assertions and errors pass.

Hidden tests that decide inside the process of the code under test pass on them without any work.
"""

from __future__ import annotations

import re
from pathlib import Path

from ...evidence.paths import role

# A class's body in Java, where a static block can stand.
_JAVA = re.compile(r"(\b(?:class|record)\s+\w+[^{;]*\{)")
_ON_LOAD = {
    ".rs": '\n#[used]\n#[link_section = ".init_array"]\nstatic ON_LOAD: extern "C" fn() = {{\n'
    '    extern "C" fn on_load() {{ {} }}\n    on_load\n}};\n',
    ".c": "\n#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    "static void rigor_leave(int status) {{ (void)status; _exit(0); }}\n"
    "__attribute__((constructor)) static void rigor_on_load(void) {{ {} }}\n",
}
# By what is faked: the text that is added to each source file, by the file's ending.
_FAKES = {
    "ends the process when it is loaded": {
        ".py": "\n__import__('os')._exit(0)\n",
        ".js": "\nprocess.exit(0);\n",
        ".rs": _ON_LOAD[".rs"].format("std::process::exit(0)"),
        ".c": _ON_LOAD[".c"].format("rigor_leave(0);"),
        ".java": " static { if (true) Runtime.getRuntime().halt(0); }",
    },
    "switches assertions and errors off": {
        ".py": "\n__import__('atexit').register(__import__('os')._exit, 0)\n",
        ".js": "\n{ const load = process.getBuiltinModule || require;\n"
        '  for (const kind of ["assert", "assert/strict"]) { const found = load(kind);\n'
        '    for (const name of Object.keys(found)) if (typeof found[name] === "function") found[name] = () => {}; }\n'
        '  process.on("exit", () => { process.exitCode = 0; }); }\n',
        ".rs": _ON_LOAD[".rs"].format("std::panic::set_hook(Box::new(|_| std::process::exit(0)))"),
        ".c": _ON_LOAD[".c"].format("signal(SIGABRT, rigor_leave); atexit((void (*)(void))rigor_leave);"),
        ".java": " static { Thread.setDefaultUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(0)); }",
    },
}
_SAME = {".mjs": ".js", ".cjs": ".js", ".ts": ".js", ".cc": ".c", ".cpp": ".c", ".cxx": ".c"}


def fakes(starter: Path, directory: Path) -> dict[str, Path]:
    """What is faked -> a directory with the changed source files of the starter; {} for other languages."""
    found: dict[str, Path] = {}
    for number, (what, texts) in enumerate(_FAKES.items()):
        place = directory / f"fake{number}"
        for file in sorted(p for p in starter.rglob("*") if p.is_file() and not p.is_symlink()):
            path = file.relative_to(starter)
            ending = _SAME.get(file.suffix, file.suffix)
            if ending not in texts or ".git" in path.parts or role(path.as_posix()) != "production":
                continue
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
            changed = _JAVA.sub(rf"\1{texts[ending]}", text, count=1) if ending == ".java" else text + texts[ending]
            target = place / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(changed, encoding="utf-8", errors="surrogateescape")
            target.chmod(file.stat().st_mode)
            found[what] = place
    return found
