import pytest
from boltons.urlutils import URL


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("http://h/caf\xe9", "http://h/caf%C3%A9"),
        ("http://h/?q=caf\xe9", "http://h/?q=caf%C3%A9"),
        ("http://h/?caf\xe9=1", "http://h/?caf%C3%A9=1"),
        ("http://h/#caf\xe9", "http://h/#caf%C3%A9"),
        ("http://jos\xe9:ol\xe9@h/", "http://jos%C3%A9:ol%C3%A9@h/"),
        ("http://h/\u2618?\u2618#\u2618", "http://h/%E2%98%98?%E2%98%98#%E2%98%98"),
        ("http://h/a?b=c#d", "http://h/a?b=c#d"),
    ],
)
def test_all_that_is_quoted_is_utf8(text, quoted):
    assert URL(text).to_text(full_quote=True) == quoted


def test_what_was_quoted_is_read_again():
    assert URL("http://h/caf%C3%A9").path == "/caf\xe9"
