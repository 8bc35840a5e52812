"""What commands are for: by program and sub-command, never by a word in the line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.evidence.commands.classify import Classified, classify_line


def last(line: str) -> Classified:
    return classify_line(line)[-1]


def first(line: str) -> Classified:
    return classify_line(line)[0]


TESTS = [
    ("pytest", "pytest"),
    ("python -m pytest -q", "pytest"),
    ("cd x && timeout 60 uv run pytest -q", "pytest"),
    ("docker compose run --rm web pytest", "pytest"),
    ("hatch test", "pytest"),
    ("python -c 'import pytest; pytest.main([\"-q\"])'", "pytest"),
    ("python - <<'EOF'\nimport unittest\nunittest.main()\nEOF", "unittest"),
    ("python -m unittest discover -s tests", "unittest"),
    ("python setup.py test", "unittest"),
    ("python -m django test app", "django"),
    ("python manage.py test app", "django"),
    ("./manage.py test", "django"),
    ("coverage run manage.py test", "django"),
    ("coverage run -m pytest", "pytest"),
    ("trial twisted.test", "trial"),
    ("tox", "tox"),
    ("tox -e py311 -- -k x", "tox"),
    ("nox -s tests", "nox"),
    ("npx jest", "jest"),
    ("node node_modules/.bin/jest src", "jest"),
    ("node_modules/.bin/vitest run", "vitest"),
    ("npx vitest run", "vitest"),
    ("npx mocha --recursive", "mocha"),
    ("node --test", "node-test"),
    ("node --import tsx --test test/*.test.ts", "node-test"),
    ("npx ava", "ava"),
    ("npx tap test", "tap"),
    ("npx playwright test", "playwright"),
    ("npx cypress run", "cypress"),
    ("bun test", "bun-test"),
    ("deno test -A", "deno-test"),
    ("npm test", "npm-script"),
    ("npm t", "npm-script"),
    ("npm run test:unit -- --watch=false", "npm-script"),
    ("npm --prefix web run test", "npm-script"),
    ("yarn test", "npm-script"),
    ("yarn workspace web test", "npm-script"),
    ("pnpm -r test", "npm-script"),
    ("pnpm --filter web test", "npm-script"),
    ("CI=1 npm run e2e", "npm-script"),
    ("npx nx test web", "npm-script"),
    ("npx turbo run test --filter=web", "npm-script"),
    ("go test ./...", "go-test"),
    ("gotestsum -- ./...", "gotestsum"),
    ("cargo test", "cargo-test"),
    ("cargo +nightly test -p x", "cargo-test"),
    ("cargo nextest run", "cargo-nextest"),
    ("ctest --test-dir build --output-on-failure", "ctest"),
    ("cmake --build build --target test", "ctest"),
    ("./build/x_test --gtest_filter=A.*", "gtest"),
    ("mvn -q test", "maven"),
    ("mvn -pl core verify", "maven"),
    ("./mvnw -Dtest=FooTest surefire:test", "maven"),
    ("./gradlew :app:testDebugUnitTest", "gradle"),
    ("gradle check", "gradle"),
    ("gradle clean integrationTest", "gradle"),
    ("./gradlew :core:jvmTest jacocoTestReport", "gradle"),
    ("bundle exec rspec", "rspec"),
    ("bundle exec rake spec", "rake"),
    ("ruby -Itest test/x_test.rb", "minitest"),
    ("bin/rails test", "minitest"),
    ("vendor/bin/phpunit", "phpunit"),
    ("php vendor/bin/phpunit tests", "phpunit"),
    ("php artisan test", "phpunit"),
    ("dotnet test", "dotnet-test"),
    ("mix test", "mix-test"),
    ("swift test", "swift-test"),
    ("bats test.bats", "bats"),
    ("prove -r t", "prove"),
    ("make test", "make"),
    ("make -j 4 -C build check", "make"),
    ("just test", "just"),
    ("mise run test:ci", "mise"),
    ("composer test", "composer"),
    ("hatch run test", "hatch"),
    ("python test_x.py", "script"),
    ("python tests/run.py", "script"),
    ("python runtests.py app", "script"),
    ("bin/test sympy", "script"),
    ("./run_tests.sh", "script"),
    ("bash test.sh", "script"),
    ("node x.test.js", "script"),
    ("npx tsx src/parse.spec.ts", "script"),
    ("java -cp out FooTest", "script"),
    ("java -jar junit-platform-console-standalone.jar execute -c FooTest", "junit"),
    ("vp test run test/worker.test.ts", "npm-script"),
]


@pytest.mark.parametrize(("line", "runner"), TESTS)
def test_test_runs(line: str, runner: str) -> None:
    found = last(line)
    assert (found.kind, found.runner) == ("test", runner)


NOT_TESTS = [
    ("git log -p test_config.py", "vcs"),
    ("git diff tests/", "vcs"),
    ("git add tests && git status", "vcs"),
    ("cat test_x.py", "read"),
    ("sed -n '1,20p' tests/test_x.py", "read"),
    ("head -50 tests/test_x.py", "read"),
    ("nl -ba test_x.py", "read"),
    ("grep pytest setup.cfg", "search"),
    ("rg 'npm test' -n", "search"),
    ("find . -name 'test_*.py'", "search"),
    ("git grep pytest", "search"),
    ("pip install pytest", "install"),
    ("npm install --save-dev jest", "install"),
    ("uv add --dev pytest", "install"),
    ("npx playwright install", "install"),
    ("apt-get install -y build-essential", "install"),
    ("go mod tidy", "install"),
    ('echo "pytest passed"', "noop"),
    ("cd tests", "noop"),
    ("export PYTEST_ADDOPTS=-q", "noop"),
    ("mkdir -p tests", "noop"),
    ("ls tests", "probe"),
    ("test -f pytest.ini", "probe"),
    ("[ -d tests ]", "probe"),
    ("which pytest", "probe"),
    ("command -v pytest", "probe"),
    ("diff test_a.py test_b.py", "probe"),
    ("wc -l tests/*.py", "probe"),
    ("pip show pytest", "probe"),
    ("pytest --version", "probe"),
    ("python -V", "probe"),
    ("node --version", "probe"),
    ("go version", "probe"),
    ("python -c 'import x; print(x.__version__)'", "probe"),
    ("vim test.py", "run"),
    ("Test-Connection example.com -Count 2", "run"),
    ("speedtest", "run"),
    ("./speedtest.sh", "run"),
    ("./run-tests.sh", "test"),
    ("touch test_a.py", "edit"),
    ("rm test_a.py", "edit"),
    ("cat > test_a.py <<'EOF'\nx\nEOF", "edit"),
    ("echo x >> tests/a.txt", "edit"),
    ("sed -i s/a/b/ tests/test_x.py", "edit"),
    ("tee test.py <<< x", "edit"),
    ("cargo build", "build"),
    ("cargo check", "build"),
    ("cargo test --no-run", "build"),
    ("npx tsc --noEmit", "build"),
    ("npm run build", "build"),
    ("npm run typecheck", "build"),
    ("go build ./...", "build"),
    ("go vet ./...", "build"),
    ("go test -c ./pkg", "build"),
    ("make", "build"),
    ("make build", "build"),
    ("mvn package", "build"),
    ("mvn -DskipTests verify", "build"),
    ("./gradlew assemble", "build"),
    ("./gradlew runReproduceTokenizer", "run"),
    ("./gradlew bootRun", "service"),
    ("./gradlew testClasses", "build"),
    ("./gradlew compileTestJava", "build"),
    ("./gradlew jacocoTestReport", "build"),
    ("./gradlew :spotbugs:spotlessApply", "lint"),
    ("./gradlew checkstyleMain", "lint"),
    ("./gradlew licenseCheck", "lint"),
    ("gradle build -x test", "build"),
    ("cmake -S . -B build", "build"),
    ("cmake --build build", "build"),
    ("python -m compileall src", "build"),
    ("python -m py_compile a.py", "build"),
    ("gcc -o test test.c", "build"),
    ("javac FooTest.java", "build"),
    ("docker build -t test .", "build"),
    ("npx vite build", "build"),
    ("python setup.py build_ext --inplace", "build"),
    ("ruff check tests", "lint"),
    ("python -m mypy tests", "lint"),
    ("npx eslint test", "lint"),
    ("npx prettier --check .", "lint"),
    ("npm run format:check", "lint"),
    ("ruff check --fix a.py", "lint"),
    ("npx eslint --fix a.ts", "lint"),
    ("gofmt -l .", "lint"),
    ("npx prettier --write .", "run"),
    ("npm run format", "run"),
    ("npm run test-format-fix", "run"),
    ("ruff format a.py", "run"),
    ("black tests", "run"),
    ("cargo fmt", "run"),
    ("gofmt -s -w .", "run"),
    ("make fmt", "run"),
    ("make -j 4 clean", "noop"),
    ("make clean all", "build"),
    ("make fmt lint", "lint"),
    ("cargo clippy", "lint"),
    ("cargo fmt --check", "lint"),
    ("black --check tests", "lint"),
    ("golangci-lint run", "lint"),
    ("golangci-lint linters", "probe"),
    ("pre-commit install", "install"),
    ("bundle exec rubocop", "lint"),
    ("npm run lint:test", "lint"),
    ("make lint", "lint"),
    ("tox -e lint", "lint"),
    ("pre-commit run --all-files", "lint"),
    ("mvn spotless:check", "lint"),
    ("bash -n test.sh", "lint"),
    ("sleep 5", "wait"),
    ("tail -f test.log", "wait"),
    ("gh run watch", "wait"),
    ("npm start", "service"),
    ("npm run dev", "service"),
    ("python manage.py runserver", "service"),
    ("docker compose up -d", "service"),
    ("pkill -f pytest", "service"),
    ("python repro.py", "run"),
    ("python update_test.py", "run"),
    ("python scripts/make_test_data.py", "run"),
    ("node x.js", "run"),
    ("curl -s http://localhost/test", "run"),
    ("./a.out", "run"),
    ("python latest.py", "run"),
    ("python contest.py", "run"),
    ("npm run attest", "run"),
]


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
