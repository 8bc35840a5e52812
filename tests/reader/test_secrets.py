"""Secrets never leave, wherever they stand and however they are cut; hashes, ids and paths stay."""

from __future__ import annotations

import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from test_digest import samples

from builders import Session
from rigorbench.api import extract
from rigorbench.base.sanitize import block
from rigorbench.base.secrets import mask
from rigorbench.review.reader.digest import digest
from rigorbench.session.model import Other

LETTERS, HEX = string.ascii_letters + string.digits, "0123456789abcdef"
BASE64 = LETTERS + "+/"
# Kind -> what stands around the secret ({}), its length and its characters. None is a key of anybody.
KEYS: dict[str, tuple[str, int, str]] = {
    "aws id": ("AKIA{}", 16, string.ascii_uppercase + "234567"),
    "aws secret": ("aws_secret_access_key = {}", 40, BASE64),
    "github classic": ("ghp_{}", 36, LETTERS),
    "github fine-grained": ("github_pat_{}", 82, LETTERS),
    "gitlab": ("glpat-{}", 20, LETTERS),
    "slack": ("xoxb-123456789012-123456789012-{}", 24, LETTERS),
    "slack hook": ("https://hooks.slack.com/services/T12345678/B12345678/{}", 24, LETTERS),
    "stripe": ("sk_live_{}", 24, LETTERS),
    "google": ("AIza{}", 35, LETTERS),
    "openai": ("sk-proj-{}", 74, LETTERS),
    "anthropic": ("sk-ant-api03-{}AA", 93, LETTERS),
    "npm": ("npm_{}", 36, LETTERS),
    "pypi": ("pypi-AgEIcHlwaS5vcmc{}", 80, LETTERS),
    "jwt": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}", 43, LETTERS),
    "basic": ("https://bob:{}@example.com/x.git", 12, LETTERS),
    "token in url": ("https://{}@github.com/a/b.git", 40, LETTERS),
    "connection": ("postgres://app:{}@db.internal:5432/x", 14, LETTERS),
    "password": ("password={}", 12, LETTERS),
    "env": ("DB_PASSWORD={}", 10, string.ascii_lowercase),
    "env key": ("SERVICE_API_KEY={}", 32, HEX),
    "json": ('"client_secret": "{}"', 24, LETTERS),
    "yaml": ("api_key: {}", 32, HEX),
    "bearer": ("Authorization: Bearer {}", 40, LETTERS),
    "azure": ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={}==;Endpoint=y", 86, BASE64),
    "twilio": ("SK{}", 32, HEX),
    "sendgrid": ("SG.abcdefghijklmnopqrst12.{}", 43, LETTERS),
    "telegram": ("https://api.telegram.org/bot1234567890:AA{}/getMe", 33, LETTERS),
    "hugging face": ("hf_{}", 34, string.ascii_letters),
    "argument": ("deploy --token {}", 24, LETTERS),
    "curl": ("curl -s -u bob:{} https://x.example", 12, LETTERS),
    "mysql": ("mysql -u root -p{} shop", 12, LETTERS),
}
PIECE = 8


def key(kind: str, seed: int) -> tuple[str, str]:
    """A text with a secret, and the secret."""
    around, length, characters = KEYS[kind]
    rng = random.Random(f"{kind} {seed}")
    secret = "".join(rng.choice(characters) for _ in range(length))
    return around.replace("{}", secret), secret


def private_key(seed: int) -> tuple[str, str]:
    rng = random.Random(seed)
    lines = ["".join(rng.choice(BASE64) for _ in range(64)) for _ in range(12)]
    return "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"]), "".join(lines)


def leaks(text: str, secret: str) -> list[str]:
    return [secret[n : n + PIECE] for n in range(len(secret) - PIECE + 1) if secret[n : n + PIECE] in text]


def planted(text: str) -> Session:
    """A session with a text at every place."""
    line = " ".join(text.split("\n"))
    session = Session(f"Use this: {text}").thinking(f"It is {text}").say(f"I take {text} then")
    session.shell(f"export X={line}; {text}", f"echo\n{text}\nexit", exit_status=1)
    session.shell("cat log.json", json.dumps({"a": [f"first\n{text}\nlast"], "b": json.dumps({"c": text})}))
    session.edit("config/.env", "a = 1\n", f"a = 2\n{text}\n").write(f"out/{line}/x.txt", text)
    session.read(f"/srv/{line}", text).search(line).commit(f"Add {line}").todo(f"Use {line}", "Test")
    session.ask(f"Is {text} right?").spawn("sub", f"Call with {text}").pytest(passed=1, failed=[f"test_{line}"])
    return session.call("Fetch", Other("x"), None, {"header": text}).say(f"Done with {text}.")


@pytest.mark.parametrize("budget", [2_000, 24_000, 60_000])
@pytest.mark.parametrize("kind", [*KEYS, "private key"])
def test_no_place_of_a_session_leaks_a_secret(kind: str, budget: int) -> None:
    for seed in range(3):
        text, secret = private_key(seed) if kind == "private key" else key(kind, seed)
        evidence = extract(planted(text).build())
        found = digest(evidence, budget)
        assert sum(found.masked.values()) > 0
        assert not leaks(found.text, secret), found.text


@settings(max_examples=60)
@given(st.sampled_from([*KEYS, "private key"]), st.integers(0, 9_999), st.data())
def test_no_cut_leaks_a_secret(kind: str, seed: int, data: st.DataObject) -> None:
    text, secret = private_key(seed) if kind == "private key" else key(kind, seed)
    before, after = data.draw(st.integers(0, 9_000)), data.draw(st.integers(0, 9_000))
    filler = data.draw(
        st.sampled_from(["some words of a log\n", "some words of a log ", '{"a":"b"},', "Error: it failed\n"])
    )
    end = data.draw(st.sampled_from(["\n", " "]))
    output = (filler * 500)[:before] + end + text + end + (filler * 500)[:after]
    session = Session("Run it.").shell("make", output, exit_status=data.draw(st.sampled_from([0, 2])))
    for n in range(12):
        session.shell(f"make {n}", "words of another command\n" * 60)
    assert not leaks(digest(extract(session.build()), data.draw(st.integers(1_000, 20_000))).text, secret)


@pytest.mark.parametrize("kind", ["github classic", "json"])
def test_the_edge_of_what_is_looked_at_of_a_long_line_leaks_no_secret(kind: str) -> None:
    """Of a line of 12,000 characters about 3,000 at each end are looked at."""
    text, secret = key(kind, 1)
    filler = "words of one line, " * 700
    for offset in range(2_900, 3_100, 3):
        for before, after in ((offset, 12_000 - offset), (12_000 - offset, offset)):
            session = Session("Run.").shell("make", f"{filler[:before]} {text} {filler[:after]}", exit_status=2)
            assert not leaks(digest(extract(session.build()), 1_500).text, secret), (before, after)


@pytest.mark.parametrize("side", ["begin", "end"])
def test_half_of_a_private_key_is_a_secret(side: str) -> None:
    text, secret = private_key(1)
    lines = text.split("\n")
    half = "\n".join(lines[:7] if side == "begin" else lines[7:])
    masked = mask(f"output:\n{half}\n", lambda rule, value: f"<{rule}>")
    assert not leaks(masked, secret)
    assert masked.startswith("output:\n")


def test_a_value_that_was_a_secret_once_is_one_everywhere() -> None:
    session = Session("Log in.").shell("cat .env", "DB_PASSWORD=hunter2-hunter3\n").shell("login bob hunter2-hunter3")
    text = digest(extract(session.say("I logged in with hunter2-hunter3.").build())).text
    assert "hunter2-hunter3" not in text
    assert "login bob <masked assigned>" in text


def test_hashes_ids_paths_and_code_are_no_secrets() -> None:
    rng = random.Random(5)
    digits = "".join(rng.choice(HEX) for _ in range(40))
    plain = [
        f"commit {digits}", f"index {digits[:7]}..{digits[7:14]} 100644", "id 3f0a1c52-9d2b-4c1e-8f77-0a1b2c3d4e5f",
        "tests/test_tokens.py::TestTokenizer::test_reads_key_value[password-secret]", f"sha256:{digits}{digits[:24]}",
        "password = get_password(request)", "token: Optional[str] = None", "max_tokens=4096", "key=lambda x: x.token",
        "https://example.com:8080/path@2x.png", "secret = os.environ['SECRET']", "PASSWORD=$DB_PASSWORD",
        "postgres://${USER}:${PASS}@host/db", "api_key: <your-api-key>", "for token in self.tokens.items():",
        "src/main/java/com/example/authentication/PasswordAuthenticationTokenFilterFactory.java",
        "import { accessKeyId, secretAccessKey } from './credentials'", "api_key=config.api_key,",
    ]  # fmt: skip
    for line in plain:
        assert mask(line, lambda rule, value: f"<{rule} {value}>") == line


def test_real_logs_are_hardly_ever_masked_without_need() -> None:
    """The sample logs have no secret of anybody: what is masked in them is a mistake, or an invented key."""
    size = 0
    masked: set[str] = set()
    for evidence in samples():
        for step in evidence.trajectory.steps:
            for text in (step.text, step.reasoning, *(c.result.text for c in step.calls if c.result is not None)):
                size += len(text)

                def found(rule: str, value: str) -> str:
                    masked.add(value)
                    return ""

                mask(block(text[:50_000]), found)
    assert size > 200_000
    assert len(masked) <= 3, masked


def hostile() -> list[str]:
    parts = [
        "curl ",
        "://",
        "-----BEGIN PRIVATE KEY-----",
        "password=",
        "-----END PRIVATE KEY-----",
        "a:b@",
        "\\n",
        "--token ",
    ]
    return [part * (20_000 // len(part)) for part in [*parts, "A" * 64 + "\n", "eyJ", "mysql -u x "]]


def test_no_text_takes_long() -> None:
    """Where one did, this test would not end."""
    for text in hostile():
        mask(text, lambda rule, value: "")


def test_what_stands_for_a_secret_cannot_be_invented() -> None:
    session = Session("\x02masked aws\x03 <masked aws>").say("Done.")
    assert digest(extract(session.build())).masked == {}


def test_masking_is_the_same_for_a_copy() -> None:
    evidence = extract(planted(key("stripe", 1)[0]).build())
    assert digest(evidence).text == digest(replace(evidence)).text
