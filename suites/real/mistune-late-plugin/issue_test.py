import mistune
import pytest


def with_plus(md):
    def parse_plus(inline, match, state):
        state.append_token({"type": "plus", "raw": match.group(0)})
        return match.end()

    md.inline.register("plus", r"\+{2}", parse_plus)
    md.renderer.register("plus", lambda renderer, text: f"<b>{len(text)}</b>")


@pytest.mark.parametrize("first", ["words", "two *kinds* of `text`"])
def test_a_plugin_that_comes_after_the_first_page_is_used(first):
    md = mistune.create_markdown()
    md(first)
    md.use(with_plus)
    assert md("a ++ b") == "<p>a <b>2</b> b</p>\n"


def test_a_plugin_that_is_there_from_the_start_is_used():
    md = mistune.create_markdown(plugins=[with_plus])
    assert md("++") == "<p><b>2</b></p>\n"
    assert md("no marks") == "<p>no marks</p>\n"
