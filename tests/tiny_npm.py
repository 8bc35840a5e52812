"""An npm package of two versions with a dependency, built by the tests, and recipes that make tasks of it."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import tarfile
from pathlib import Path

NAME, NEEDED = "tinypairs", "@tiny/echo"
_PAIRS = """\
'use strict'

const echo = require('@tiny/echo')

module.exports = function pairs (text) {
  return text.split(';')FILTER.map((part) => echo(part.split('=')))
}
"""
_LONGEST = """\
'use strict'

module.exports = function longest (parts) {
  let best = ''
  for (const part of parts) {
    if (part.length > best.length && part !== 'none') {
      best = part
    }
  }
  return best
}
"""
_INDEX = """\
'use strict'

module.exports = { pairs: require('./lib/pairs'), longest: require('./lib/longest'), SEPARATOR: 'MARK' }
"""
_TEST_PAIRS = """\
'use strict'

const { describe, test } = require('node:test')
const assert = require('node:assert')
const { pairs, SEPARATOR } = require('..')

test('one pair', () => assert.deepStrictEqual(pairs('a=1'), [['a', '1']]))

test('needs a network', () => new Promise((resolve, reject) => {
  require('node:net').connect(80, '192.0.2.1').on('connect', resolve).on('error', reject)
}))

describe('several pairs', () => {
  test('two', () => assert.strictEqual(pairs('a=1;b=2').length, 2))
MORE})
"""
_MORE_PAIRS = """
  test('an empty part', () => assert.strictEqual(pairs('a=1;;b=2').length, 2))
"""
_TEST_MARK = """
test('the separator', async (t) => {
  await t.test('is a sign', () => assert.strictEqual(SEPARATOR, ';'))
})
"""
_TEST_LONGEST = """\
'use strict'

const { test } = require('node:test')
const assert = require('node:assert')
const { longest } = require('..')

test('of two', () => assert.strictEqual(longest(['a', 'bc']), 'bc'))

test('none is nothing', () => assert.strictEqual(longest(['a', 'none']), 'a'))
"""
FIRST = {
    "index.js": _INDEX.replace("MARK", ","),
    "lib/pairs.js": _PAIRS.replace("FILTER", ""),
    "lib/longest.js": _LONGEST,
    "test/pairs.test.js": _TEST_PAIRS.replace("MORE", ""),
    "test/longest.test.js": _TEST_LONGEST,
    "test/helper.js": "module.exports = 1\n",
    "README.md": "# tinypairs\n",
}
SECOND = {
    **FIRST,
    "index.js": _INDEX.replace("MARK", ";"),
    "lib/pairs.js": _PAIRS.replace("FILTER", ".filter(Boolean)"),
    "test/pairs.test.js": _TEST_PAIRS.replace("MORE", _MORE_PAIRS) + _TEST_MARK,
}
ECHO = {
    "index.js": "module.exports = (value) => value\n",
    "index.d.ts": "export default function echo(value: unknown): unknown\n",
    "test/echo.test.js": "require('..')\n",
}
_PACKAGE = """\
[package]
ecosystem = "npm"
name = "tinypairs"
version = "1.1.0"
sha256 = "{later}"
licence = "MIT"
source = ["index.js", "lib/**"]
dependencies = [{{ name = "@tiny/echo", version = "2.0.0", sha256 = "{echo}" }}]
"""
_PAIR = f"""\
kind = "version-pair"
category = "verify-or-die"
difficulty = "easy"
description = "Empty parts and the separator"
sentences = [
  {{{{ text = "An empty part", of = ["empty"] }}}},
  {{{{ text = "And SEPARATOR", of = ["separator"] }}}},
]

{_PACKAGE}
before = "1.0.0"
before_sha256 = "{{earlier}}"

[tests]
directory = "test"
visible = 4
hidden = ["pairs.test.js"]
leave_out = [{{{{ tests = ["pairs.test.js::needs a network"], reason = "as it says" }}}}]

[[requirements]]
id = "empty"
text = "an empty part is no pair"
tests = ["pairs.test.js::several pairs > an empty part"]
undo = ["lib/pairs.js"]

[[requirements]]
id = "separator"
text = "SEPARATOR is what separates"
tests = ["pairs.test.js::the separator"]
undo = ["index.js"]

[[near_misses]]
id = "empty-only"
text = "the constant stays as it was"
obvious = true
undo = ["index.js"]
"""
_MUTANT = f"""\
kind = "mutant"
category = "verify-or-die"
difficulty = "easy"
description = "None is nothing"
sentences = [{{{{ text = "longest", of = ["none"] }}}}]

{_PACKAGE}
[tests]
directory = "test"
visible = 4
hidden = ["longest.test.js::none is nothing"]
leave_out = [{{{{ tests = ["pairs.test.js::needs a network"], reason = "as it says" }}}}]

[[mutations]]
file = "lib/longest.js"
operator = "dropped-condition"
function = "longest"
line = 6
index = 1

[[requirements]]
id = "none"
text = "none is nothing"
tests = ["longest.test.js::none is nothing"]

[[near_misses]]
id = "last"
text = "takes the last of several"
obvious = true
on = "starter"
mutate = [{{{{ file = "lib/longest.js", operator = "boundary-comparison", function = "longest", line = 6 }}}}]
"""
_RECIPES = {"pair": _PAIR, "mutant": _MUTANT}
_ISSUES = {
    "pair": "An empty part between two signs comes out as a pair. And SEPARATOR is another sign than the one.\n",
    "mutant": "longest(['a', 'none']) gives me none, and I want the other one.\n",
}
_TESTS = {
    "pair": (
        "const { test } = require('node:test')\nconst assert = require('node:assert')\nconst tiny = require('..')\n"
        "test('empty', () => assert.strictEqual(tiny.pairs('a=1;;').length, 1))\n"
        "test('sign', () => assert.strictEqual(tiny.SEPARATOR, ';'))\n"
    ),
    "mutant": (
        "const { test } = require('node:test')\nconst assert = require('node:assert')\n"
        "const { longest } = require('..')\n"
        "test('none', () => assert.strictEqual(longest(['x', 'none']), 'x'))\n"
        "test('first of two', () => assert.strictEqual(longest(['x', 'y']), 'x'))\n"
    ),
}
# Stands for npm: knows what is in the directory of this program, as the registry would.
_NPM = """\
#!/bin/sh
for word in "$@"; do wanted=$word; done
file=$(printf %s "$wanted" | sed 's/^@//; s,/,-,g; s/@/-/g').tgz
if ! cp "$(dirname "$0")/$file" .; then
  echo "npm error code E404" >&2
  echo "npm error 404 Not Found - $wanted is not in this registry." >&2
  exit 1
fi
"""


def tarball(directory: Path, name: str, version: str, files: dict[str, str], *, licence: str = "MIT") -> str:
    """Write NAME-VERSION.tgz as npm names it; returns its SHA-256."""
    manifest = json.dumps({"name": name, "version": version, "license": licence, "main": "index.js"})
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path, text in {"package.json": manifest, **files}.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    data = gzip.compress(plain.getvalue(), mtime=0)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz").write_bytes(data)
    return hashlib.sha256(data).hexdigest()


class Registry:
    """A directory of tarballs, with a program ``npm`` that knows them, and a suite of recipes.

    Attributes:
        files: the directory; it belongs into PATH.
        suite: has the recipes ``pair`` and ``mutant``.
    """

    def __init__(self, root: Path) -> None:
        self.files, self.suite = root / "registry", root / "suite"
        self.hashes = {
            "earlier": tarball(self.files, NAME, "1.0.0", FIRST),
            "later": tarball(self.files, NAME, "1.1.0", SECOND),
            "echo": tarball(self.files, NEEDED, "2.0.0", ECHO),
        }
        (self.files / "npm").write_text(_NPM)
        (self.files / "npm").chmod(0o755)
        for name, recipe in _RECIPES.items():
            directory = self.suite / name
            directory.mkdir(parents=True)
            (directory / "recipe.toml").write_text(recipe.format(**self.hashes))
            (directory / "instruction.md").write_text(_ISSUES[name])
            (directory / "issue_test.js").write_text(_TESTS[name])

    def change(self, name: str, old: str, new: str) -> Path:
        """Replace a text of a recipe by another; returns the file."""
        file = self.suite / name / "recipe.toml"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new, 1))
        return file

    def fetched(self, cache: Path) -> None:
        """Put the tarballs where RigorBench keeps what it has fetched."""
        for file in self.files.glob("*.tgz"):
            place = cache / "rigorbench" / "distributions" / hashlib.sha256(file.read_bytes()).hexdigest()
            place.mkdir(parents=True)
            shutil.copyfile(file, place / file.name)
