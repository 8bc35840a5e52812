import os

import pytest

import mistune
from mistune.directives import Include, RSTDirective

DEFINED = "\n\n*[HTML]: Hyper Text\n"
HTML = '<abbr title="Hyper Text">HTML</abbr>'


@pytest.fixture(params=[["abbr"], ["abbr", "speedup"]], ids="-".join)
def page(request):
    return mistune.create_markdown(plugins=request.param)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\*HTML", f"*{HTML}"),
        (r"\_HTML\_ and *HTML*", f"_{HTML}_ and <em>{HTML}</em>"),
        (r"\*a* HTML", f"*a* {HTML}"),
        (r"see \*a*", "see *a*"),
        (r"HTML \**b*", f"{HTML} *<em>b</em>"),
    ],
)
def test_an_escaped_mark_is_text(page, text, expected):
    assert page(text + DEFINED) == f"<p>{expected}</p>\n"


@pytest.mark.parametrize("text", [r"\*a*", r"\_a_ *b*", r"a \*\*b**"])
def test_nothing_changes_without_definitions(page, text):
    assert page(text) == mistune.create_markdown()(text)


def test_an_included_file_may_have_carriage_returns(tmp_path):
    for name, content in (("a.md", b".. include:: b.md\n"), ("b.md", b".. include:: c.md\r\n"), ("c.md", b"*c*\r\n")):
        (tmp_path / name).write_bytes(content)
    read = mistune.create_markdown(plugins=[RSTDirective([Include()])]).read
    assert "<em>c</em>" in read(os.fspath(tmp_path / "a.md"))[0]
