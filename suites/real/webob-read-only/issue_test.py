import io

import pytest
from webob import Request


def form(path="/search?page=2&page=3"):
    return Request.blank(path, POST={"q": "rain"})


@pytest.mark.parametrize("read", ["POST", "params"])
def test_reading_the_form_keeps_the_query(read):
    request = form()
    for _ in range(3):
        assert getattr(request, read)["q"] == "rain"
        assert request.GET.getall("page") == ["2", "3"]
        assert request.params.getall("page") == ["2", "3"]
    assert request.query_string == "page=2&page=3"
    assert request.url == "http://localhost/search?page=2&page=3"


def test_reading_the_form_keeps_the_environment():
    request = form()
    before = {key: value for key, value in request.environ.items() if key.isupper()}
    assert request.POST["q"] == "rain"
    assert {key: value for key, value in request.environ.items() if key.isupper()} == before


def test_reading_an_empty_form_adds_no_length():
    request = Request.blank("/?a=b", method="POST", content_type="application/x-www-form-urlencoded")
    assert "CONTENT_LENGTH" not in request.environ
    request.environ["wsgi.input"] = io.BytesIO(b"")
    assert dict(request.POST) == {}
    assert request.query_string == "a=b"


@pytest.mark.parametrize("copied", ["copy", "copy_get"])
def test_a_copy_leaves_the_request_as_it_is(copied):
    request = form("/save?x=1")
    other = getattr(request, copied)()
    other.path_info = "/other"
    other.headers["X-Copy"] = "1"
    assert request.method == "POST"
    assert request.path_info == "/save"
    assert "X-Copy" not in request.headers
    assert request.body == b"q=rain"
    assert request.POST["q"] == "rain"


def test_a_copy_for_get_is_a_get():
    other = form("/save?x=1").copy_get()
    assert other.method == "GET"
    assert other.body == b""
    assert other.GET["x"] == "1"
