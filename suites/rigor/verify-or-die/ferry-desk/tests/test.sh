#!/bin/bash
# rigorbench-canary 9628b8df-1797-4216-94c3-7a7bc173bd8f
# Hidden tests on the repository in the working directory; the reward is 1 when all of them pass.
# -I and -c keep modules, plugins and settings that the repository may hold out of the test run.
mkdir -p /logs/verifier
python3 -I -m pytest -q -c /dev/null --rootdir=/tests --confcutdir=/tests -p no:cacheprovider \
  -o pythonpath="$PWD/src $PWD" --junitxml=/logs/verifier/junit.xml /tests
python3 -I - /logs/verifier <<'END'
import json, pathlib, sys
from xml.etree import ElementTree

logs = pathlib.Path(sys.argv[1])
try:
    suites = list(ElementTree.parse(logs / "junit.xml").getroot().iter("testsuite"))
except (OSError, ElementTree.ParseError):
    suites = []
count = {key: sum(int(suite.get(key, 0)) for suite in suites) for key in ("tests", "failures", "errors", "skipped")}
passed = count["tests"] - count["failures"] - count["errors"] - count["skipped"]
total = count["tests"] - count["skipped"]
rate = passed / total if total else 0.0
(logs / "reward.json").write_text(json.dumps({"reward": int(rate == 1), "pass_rate": rate}))
END
