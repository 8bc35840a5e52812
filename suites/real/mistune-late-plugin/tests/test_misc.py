import mistune
from unittest import TestCase


class TestMiscCases(TestCase):

    def test_inline_plugin_refreshes_fast_trigger_cache(self):
        def parse_at(inline, m, state):
            state.append_token({"type": "at", "raw": m.group(0)})
            return m.end()

        def render_at(renderer, text):
            return "<at>" + text + "</at>"

        def plugin(md):
            md.inline.register("at", r"@+", parse_at)
            md.renderer.register("at", render_at)

        md = mistune.create_markdown(escape=False)
        md("plain text")
        md.use(plugin)

        self.assertEqual(md("@@").strip(), "<p><at>@@</at></p>")
