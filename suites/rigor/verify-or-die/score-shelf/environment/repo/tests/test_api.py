import io
import json
from pathlib import Path

import pytest

from scoreshelf import AccessService, Api
from scoreshelf.cli import main
from scoreshelf.files import load
from scoreshelf.web import application

CHOIR = Path(__file__).parents[1] / "examples" / "choir.json"


@pytest.fixture
def api():
    return Api(AccessService(load(CHOIR)))


def test_access(api):
    assert api.handle("GET", "/access/ana/requiem") == (200, {"level": "read"})
    assert api.handle("GET", "/access/ana/minutes") == (200, {"level": None})


def test_a_member(api):
    status, answer = api.handle("GET", "/members/jonas")
    assert status == 200
    assert answer["groups"] == ["basses", "choir", "everyone"]
    assert answer["folders"][1] == {"folder": "requiem", "level": "read", "href": "/access/jonas/requiem"}


def test_folders_by_level(api):
    assert api.handle("GET", "/members/petra/folders?level=write") == (200, ["minutes", "office"])
    assert api.handle("GET", "/members/petra/folders")[1] == ["minutes", "music", "office", "requiem"]


def test_changes(api):
    assert api.handle("PUT", "/members/ilse") == (204, None)
    assert api.handle("PUT", "/groups/basses/members/ilse") == (204, None)
    assert api.handle("PUT", "/folders/mass", {"parent": "music"}) == (204, None)
    assert api.handle("GET", "/access/ilse/mass") == (200, {"level": "read"})
    assert api.handle("PUT", "/folders/mass/grants/basses", {"level": "write"}) == (204, None)


@pytest.mark.parametrize(
    ("method", "target", "body", "status"),
    [
        ("GET", "/access/ilse/music", None, 404),
        ("GET", "/nothing", None, 404),
        ("DELETE", "/groups/board/members/ana", None, 404),
        ("PUT", "/folders/music/grants/choir", {"level": "sing"}, 400),
        ("PUT", "/folders/music/grants/choir", {}, 400),
        ("PUT", "/members/choir", None, 400),
    ],
)
def test_what_cannot_be_done(api, method, target, body, status):
    found, answer = api.handle(method, target, body)
    assert found == status
    assert list(answer) == ["error"]


def call(api, method, path, body=b""):
    seen = []
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "CONTENT_LENGTH": str(len(body))}
    environ["wsgi.input"] = io.BytesIO(body)
    data = b"".join(application(api)(environ, lambda status, headers: seen.append(status)))
    return seen[0], json.loads(data) if data else None


def test_the_web_application(api):
    assert call(api, "GET", "/access/petra/office") == ("200 OK", {"level": "write"})
    assert call(api, "PUT", "/folders/attic", b'{"parent": "office"}') == ("204 No Content", None)
    assert call(api, "PUT", "/folders/attic", b"[")[0] == "400 Bad Request"


def test_show(capsys):
    assert main(["show", str(CHOIR), "jonas"]) == 0
    assert capsys.readouterr().out == "read   music\nread   requiem\n"
    assert main(["show", str(CHOIR), "nobody"]) == 1
    assert "unknown member: nobody" in capsys.readouterr().err
