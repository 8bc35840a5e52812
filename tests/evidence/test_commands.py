"""What commands are for: by program and sub-command, never by a word in the line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import rows
from rigorbench.evidence.commands.classify import Classified, classify_line


def last(line: str) -> Classified:
    return classify_line(line)[-1]


def first(line: str) -> Classified:
    return classify_line(line)[0]


TESTS = rows({
    "pytest": ["pytest", "python -m pytest -q", "cd x && timeout 60 uv run pytest -q",
         "docker compose run --rm web pytest", "hatch test", "python -c 'import pytest; pytest.main([\"-q\"])'",
         "coverage run -m pytest"],
    "unittest": ["python - <<'EOF'\nimport unittest\nunittest.main()\nEOF", "python -m unittest discover -s tests",
         "python setup.py test"],
    "django": ["python -m django test app", "python manage.py test app", "./manage.py test",
         "coverage run manage.py test"],
    "trial": ["trial twisted.test"],
    "tox": ["tox", "tox -e py311 -- -k x"],
    "nox": ["nox -s tests"],
    "jest": ["npx jest", "node node_modules/.bin/jest src"],
    "vitest": ["node_modules/.bin/vitest run", "npx vitest run"],
    "mocha": ["npx mocha --recursive"],
    "node-test": ["node --test", "node --import tsx --test test/*.test.ts"],
    "ava": ["npx ava"],
    "tap": ["npx tap test"],
    "playwright": ["npx playwright test"],
    "cypress": ["npx cypress run"],
    "bun-test": ["bun test"],
    "deno-test": ["deno test -A"],
    "npm-script": ["npm test", "npm t", "npm run test:unit -- --watch=false", "npm --prefix web run test", "yarn test",
         "yarn workspace web test", "pnpm -r test", "pnpm --filter web test", "CI=1 npm run e2e", "npx nx test web",
         "npx turbo run test --filter=web", "vp test run test/worker.test.ts"],
    "go-test": ["go test ./..."],
    "gotestsum": ["gotestsum -- ./..."],
    "cargo-test": ["cargo test", "cargo +nightly test -p x"],
    "cargo-nextest": ["cargo nextest run"],
    "ctest": ["ctest --test-dir build --output-on-failure", "cmake --build build --target test"],
    "gtest": ["./build/x_test --gtest_filter=A.*"],
    "maven": ["mvn -q test", "mvn -pl core verify", "./mvnw -Dtest=FooTest surefire:test"],
    "gradle": ["./gradlew :app:testDebugUnitTest", "gradle check", "gradle clean integrationTest",
         "./gradlew :core:jvmTest jacocoTestReport"],
    "rspec": ["bundle exec rspec"],
    "rake": ["bundle exec rake spec"],
    "minitest": ["ruby -Itest test/x_test.rb", "bin/rails test"],
    "phpunit": ["vendor/bin/phpunit", "php vendor/bin/phpunit tests", "php artisan test"],
    "dotnet-test": ["dotnet test"],
    "mix-test": ["mix test"],
    "swift-test": ["swift test"],
    "bats": ["bats test.bats"],
    "prove": ["prove -r t"],
    "make": ["make test", "make -j 4 -C build check"],
    "just": ["just test"],
    "mise": ["mise run test:ci"],
    "composer": ["composer test"],
    "hatch": ["hatch run test"],
    "script": ["python test_x.py", "python tests/run.py", "python runtests.py app", "bin/test sympy", "./run_tests.sh",
         "bash test.sh", "node x.test.js", "npx tsx src/parse.spec.ts", "java -cp out FooTest"],
    "junit": ["java -jar junit-platform-console-standalone.jar execute -c FooTest"],
})  # fmt: skip


@pytest.mark.parametrize(("line", "runner"), TESTS)
def test_test_runs(line: str, runner: str) -> None:
    found = last(line)
    assert (found.kind, found.runner) == ("test", runner)


NOT_TESTS = rows({
    "vcs": ["git log -p test_config.py", "git diff tests/", "git add tests && git status"],
    "read": ["cat test_x.py", "sed -n '1,20p' tests/test_x.py", "head -50 tests/test_x.py", "nl -ba test_x.py"],
    "search": ["grep pytest setup.cfg", "rg 'npm test' -n", "find . -name 'test_*.py'", "git grep pytest"],
    "install": ["pip install pytest", "npm install --save-dev jest", "uv add --dev pytest", "npx playwright install",
         "apt-get install -y build-essential", "go mod tidy", "pre-commit install"],
    "noop": ['echo "pytest passed"', "cd tests", "export PYTEST_ADDOPTS=-q", "mkdir -p tests", "make -j 4 clean"],
    "probe": ["ls tests", "test -f pytest.ini", "[ -d tests ]", "which pytest", "command -v pytest",
         "diff test_a.py test_b.py", "wc -l tests/*.py", "pip show pytest", "pytest --version", "python -V",
         "node --version", "go version", "python -c 'import x; print(x.__version__)'", "golangci-lint linters"],
    "run": ["vim test.py", "Test-Connection example.com -Count 2", "speedtest", "./speedtest.sh",
         "./gradlew runReproduceTokenizer", "npx prettier --write .", "npm run format", "npm run test-format-fix",
         "ruff format a.py", "black tests", "cargo fmt", "gofmt -s -w .", "make fmt", "python repro.py",
         "python update_test.py", "python scripts/make_test_data.py", "node x.js", "curl -s http://localhost/test",
         "./a.out", "python latest.py", "python contest.py", "npm run attest"],
    "test": ["./run-tests.sh"],
    "edit": ["touch test_a.py", "rm test_a.py", "cat > test_a.py <<'EOF'\nx\nEOF", "echo x >> tests/a.txt",
         "sed -i s/a/b/ tests/test_x.py", "tee test.py <<< x"],
    "build": ["cargo build", "cargo check", "cargo test --no-run", "npx tsc --noEmit", "npm run build",
         "npm run typecheck", "go build ./...", "go vet ./...", "go test -c ./pkg", "make", "make build", "mvn package",
         "mvn -DskipTests verify", "./gradlew assemble", "./gradlew testClasses", "./gradlew compileTestJava",
         "./gradlew jacocoTestReport", "gradle build -x test", "cmake -S . -B build", "cmake --build build",
         "python -m compileall src", "python -m py_compile a.py", "gcc -o test test.c", "javac FooTest.java",
         "docker build -t test .", "npx vite build", "python setup.py build_ext --inplace", "make clean all"],
    "service": ["./gradlew bootRun", "npm start", "npm run dev", "python manage.py runserver", "docker compose up -d",
         "pkill -f pytest"],
    "lint": ["./gradlew :spotbugs:spotlessApply", "./gradlew checkstyleMain", "./gradlew licenseCheck",
         "ruff check tests", "python -m mypy tests", "npx eslint test", "npx prettier --check .",
         "npm run format:check", "ruff check --fix a.py", "npx eslint --fix a.ts", "gofmt -l .", "make fmt lint",
         "cargo clippy", "cargo fmt --check", "black --check tests", "golangci-lint run", "bundle exec rubocop",
         "npm run lint:test", "make lint", "tox -e lint", "pre-commit run --all-files", "mvn spotless:check",
         "bash -n test.sh"],
    "wait": ["sleep 5", "tail -f test.log", "gh run watch"],
})  # fmt: skip


@pytest.mark.parametrize(("line", "kind"), NOT_TESTS)
def test_everything_else(line: str, kind: str) -> None:
    assert last(line).kind == kind


@pytest.mark.parametrize(
    ("line", "targets", "selective"),
    [
        ("pytest", [], False),
        ("pytest tests", ["tests"], False),
        ("pytest -q --tb short -n 4 -p no:cacheprovider .", ["."], False),
        ("pytest tests/unit", ["tests/unit"], True),
        ("pytest tests/test_a.py::test_b", ["tests/test_a.py::test_b"], True),
        ("pytest -k 'a and not b'", ["a and not b"], True),
        ("pytest -m slow tests", ["slow", "tests"], True),
        ("pytest --lf", [], True),
        ("python -m unittest tests.test_a.A.test_b", ["tests.test_a.A.test_b"], True),
        ("go test ./...", ["./..."], False),
        ("go test ./pkg/... -run TestA", ["./pkg/...", "TestA"], True),
        ("cargo test name", ["name"], True),
        ("cargo test", [], False),
        ("npx jest src/a.test.ts -t 'adds'", ["src/a.test.ts", "adds"], True),
        ("npx vitest run", [], False),
        ("npm test -- src/a.test.ts", ["src/a.test.ts"], True),
        ("mvn -Dtest=A#b test", ["A#b"], True),
        ("gradle test --tests A.b", ["A.b"], True),
        ("ctest -R name", ["name"], True),
        ("bundle exec rspec spec/a_spec.rb:3", ["spec/a_spec.rb:3"], True),
        ("dotnet test --filter Name=x", ["Name=x"], True),
        ("make test", ["test"], False),
    ],
)
def test_what_a_run_selects(line: str, targets: list[str], selective: bool) -> None:
    found = last(line)
    assert (found.kind, found.targets, found.selective) == ("test", targets, selective)


@pytest.mark.parametrize(
    "line",
    ["pytest --collect-only -q", "pytest --co", "npx jest --listTests", "go test -list . ./...", "ctest -N", "tox -l",
     "cargo nextest list", "npx playwright test "
         "--list", "rspec --dry-run", "dotnet test --list-tests", "pytest --help"],
)  # fmt: skip
def test_listing_tests_is_a_probe(line: str) -> None:
    assert last(line).kind == "probe"


def test_filters_of_another_commands_output_do_nothing_of_their_own() -> None:
    kinds = [c.kind for c in classify_line("pytest -q 2>&1 | grep -E 'FAIL|passed' | sort | head -20 | tee /tmp/x.log")]
    assert kinds == ["test", "noop", "noop", "noop", "noop"]
    assert [c.kind for c in classify_line("git ls-files | xargs grep -l test")] == ["vcs", "search"]
    assert [c.kind for c in classify_line("cat a.py | tee b.py")] == ["read", "edit"]


@pytest.mark.parametrize(
    ("line", "message", "amend", "all_files"),
    [
        ("git commit -m 'Fix it'", "Fix it", False, False),
        ("git commit -qam 'Fix it' -m Because", "Fix it\n\nBecause", False, True),
        ("git commit -mFix", "Fix", False, False),
        ('git commit --message="Fix it"', "Fix it", False, False),
        ("git -c user.name=x -C sub commit -m y", "y", False, False),
        ("git commit -m \"$(cat <<'EOF'\nFix it\n\nDetails.\nEOF\n)\"", "Fix it\n\nDetails.", False, False),
        ("git commit -F - <<'EOF'\nFix it\nEOF", "Fix it", False, False),
        ("printf 'Fix it\\n' | git commit -F -", "Fix it", False, False),
        ("git commit --amend --no-edit", None, True, False),
        ("git commit -a", None, False, True),
        ("git commit --fixup abc", "fixup! abc", False, False),
        ("git commit -F msg.txt", None, False, False),
    ],
)
def test_commits(line: str, message: str | None, amend: bool, all_files: bool) -> None:
    found = last(line)
    assert found.kind == "commit"
    assert (found.message, found.amend, found.all_files) == (message, amend, all_files)


def test_a_commit_names_the_files_and_the_file_of_its_message() -> None:
    assert last("git commit -m x a.py b.py").targets == ["a.py", "b.py"]
    assert last("git commit -F msg.txt").message_file == "msg.txt"
    assert last("git commit --dry-run -m x").kind == "vcs"


def test_wrapped_test_runs_keep_their_status_link() -> None:
    assert first("npm test || true").command.status == "none"
    assert last("cd x && npm test").command.status == "exact"


_WORDS = st.sampled_from(
    "git npm pytest python make go cargo mvn gradle docker find rm sed node bash tox ruff pip yarn java commit "
    "checkout -m -c -e "
    "-f -i -- test run --filter -k x a.py tests/ -C . --list '' - --help exec compose -F -Dtest= -x $X".split()
)


@settings(max_examples=300)
@given(st.one_of(st.lists(_WORDS, min_size=1, max_size=8).map(" ".join), st.text(max_size=40)))
def test_classifying_is_total(line: str) -> None:
    for found in classify_line(line):
        assert (found.runner is not None) or found.kind != "test"
        assert found.message is None or found.kind == "commit"
