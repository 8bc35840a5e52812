"""The precompiled standard header changes the time that a compile takes and nothing else."""

from __future__ import annotations

import pytest
from judge_build_tools import Compile, execute, problem

from rigorbench.judge.build import source
from rigorbench.judge.build.unit import CompileUnit

pytestmark = [pytest.mark.bwrap, pytest.mark.usefixtures("native")]


def test_it_is_asked_for_only_by_sources_that_include_the_header(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []

    def precompiled(common: object, flags: tuple[str, ...]) -> tuple[()]:
        asked.append(flags)
        return ()

    monkeypatch.setattr(source, "precompiled", precompiled)
    assert compiled(
        {"main.cpp": '// <bits/stdc++.h>\nint main() { return sizeof "#include <bits/stdc++.h>"; }\n'}
    ).compilation.ok
    assert asked == []
    with_local = {
        "main.cpp": "#include <bits/stdc++.h>\nint main() { return OURS; }\n",
        "bits/stdc++.h": "#define OURS 6\n",
    }
    built = compiled(with_local, of=problem(standard="c++17"))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs[""]).measured.exit_code == 6, "a header of the submission's own goes first"
    assert asked == [("-std=c++17", "-O2", "-pipe", "-DONLINE_JUDGE", "-pthread")]


@pytest.mark.slow
def test_programs_compile_alike_with_and_without_it(compiled: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    include = "#include <bits/stdc++.h>\n"
    sources = [
        include + "int main() { std::vector<int> v(3); std::cout << v.size(); }\n",
        f"#define _GLIBCXX_DEBUG 1\n{include}int main() {{ std::vector<int> v(3); std::cout << v[3]; }}\n",
        f'#define NDEBUG\n#include <cstdio>\n{include}int main() {{ assert(false); std::puts("x"); }}\n',
        f"#define private public\n{include}int main() {{ std::queue<int> q; std::cout << q.c.size(); }}\n",
        include + "int main() { std::cout << undefined; }\n",
        f"{include}#include <bits/extc++.h>\nint main() {{ std::cout << __gnu_cxx::power(2, 5); }}\n",
    ]
    used: list[CompileUnit] = []
    real = source.run_unit

    def noted(unit: CompileUnit, *rest: object) -> object:
        used.append(unit)
        return real(unit, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(source, "run_unit", noted)
    seen = [_outcome(compiled, text) for text in sources]
    assert used
    cheap = compiled({"main.cpp": sources[0] + "// again\n"}).compilation.usage.cpu
    monkeypatch.setattr(source, "precompiled", lambda common, flags: ())
    # Another content, so that nothing comes from the cache.
    assert [_outcome(compiled, text + "// without\n") for text in sources] == seen
    dear = compiled({"main.cpp": sources[0] + "// and again\n"}).compilation.usage.cpu
    assert cheap < dear


def _outcome(compiled: Compile, text: str) -> tuple[object, ...]:
    built = compiled({"main.cpp": text})
    if not built.compilation.ok:
        # The way to an error in the standard header goes through one file more.
        return (False, [line for line in built.compilation.log.splitlines() if f"from {source.TARGET}/" not in line])
    ran = execute(built.programs[""]).measured
    return (True, ran.exit_code, ran.signal, ran.stdout)
