"""Where the functions are that make text safe, and what they give."""

import ast
import importlib
from pathlib import Path

import mistune
import mistune.util

NAMES = ("escape", "escape_url", "safe_entity", "unescape")
PAGE = (
    '<p>A &quot;&lt;b&gt;&quot; &amp; <a href="/a%20b" title="t &amp; u">x</a> '
    '<a href="https://example.org/?q=a&amp;b">https://example.org/?q=a&amp;b</a> '
    '<span class="math">\\(a&lt;b\\)</span> <abbr title="&quot;Hyper&quot; &amp; &lt;Text&gt;">HTML</abbr></p>\n'
)
PACKAGE = Path(mistune.__file__).parent


def escaping():
    return importlib.import_module("mistune.escaping")


def modules():
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text()) for path in PACKAGE.rglob("*.py")}


def test_the_functions_give_what_they_gave():
    new = escaping()
    assert new.escape('<a b="c">&') == "&lt;a b=&quot;c&quot;&gt;&amp;"
    assert new.escape('"&amp;"', quote=False) == '"&amp;amp;"'
    assert new.escape_url("https://example.org/a b?c=ü&amp;d#e") == "https://example.org/a%20b?c=%C3%BC&d#e"
    assert new.safe_entity("&lt;b&gt; & &quot;") == "&lt;b&gt; &amp; &quot;"
    assert new.unescape("&copy; &copy &#35; &#x41;") == "\u00a9 &copy # A"


def test_the_package_offers_them_as_before():
    new = escaping()
    assert mistune.escape is new.escape
    assert mistune.escape_url is new.escape_url
    assert mistune.safe_entity is new.safe_entity
    assert {"escape", "escape_url", "safe_entity", "unikey"} <= set(mistune.__all__)


def test_pages_come_out_as_before():
    page = mistune.create_markdown(plugins=["abbr", "math", "url", "footnotes"])
    text = 'A "<b>" & [x](/a%20b "t & u") https://example.org/?q=a&b $a<b$ HTML\n\n*[HTML]: "Hyper" & <Text>\n'
    escaping()
    html = page(text)
    assert html == PAGE


def test_util_has_none_of_them():
    assert [name for name in NAMES if hasattr(mistune.util, name)] == []
    assert mistune.util.unikey(" a  B ") == "A B"


def test_each_is_defined_once():
    places = {name: [] for name in NAMES}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name in NAMES:
                places[node.name].append(path)
    assert places == {name: ["escaping.py"] for name in NAMES}


def test_the_package_takes_them_from_the_new_module():
    escaping()
    found = []
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[-1] == "util":
                found += [f"{path}: {alias.name}" for alias in node.names if alias.name in NAMES]
    assert found == []
