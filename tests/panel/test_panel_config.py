"""panel.toml: what it may say, and that what is wrong is one line that shows no key."""

from __future__ import annotations

from pathlib import Path

import pytest

from rigorbench.panel.judges.config import PanelError, load_panel
from rigorbench.reader.backends.seat import NoKeys, Seat

THREE = """\
[[seats]]
name = "a"
model = "openai/gpt-5"

[[seats]]
name = "b"
model = "anthropic/claude-sonnet-4-5"
settings = { temperature = 0, thinking = "low" }

[[seats]]
name = "c"
model = "local/qwen3"
base_url = "http://127.0.0.1:8000/v1"
"""


def panel(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "panel.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_panel_of_three(tmp_path: Path) -> None:
    config = load_panel(panel(tmp_path, THREE))
    assert [seat.name for seat in config.seats] == ["a", "b", "c"]
    assert config.quorum == 2
    assert config.cost_limit is None
    assert config.seats[1].settings.thinking == "low"


def test_the_example_of_the_documentation_is_a_panel(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "panel.md").read_text(encoding="utf-8")
    config = load_panel(panel(tmp_path, text.split("```toml\n", 1)[1].split("```", 1)[0]))
    assert config.cost_limit == 5.0
    assert config.quorum == 2
    assert len(config.seats) == 3


SEAT = '[[seats]]\nname = "a"\nmodel = "openai/gpt-5"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no seats"),
        (SEAT + SEAT.replace('"a"', '"b"').replace("gpt-5", "gpt-4"), "2 seats; a panel has an odd number"),
        (THREE.replace("anthropic/claude-sonnet-4-5", "openai/GPT-5"), "two seats have the model 'openai/gpt-5'"),
        (THREE.replace('"b"', '"a"'), "two seats have the name 'a'"),
        (SEAT.replace("openai/gpt-5", "gpt-5"), "expected PROVIDER/NAME"),
        (SEAT.replace("openai/gpt-5", "unheard/of"), "provider 'unheard'"),
        (SEAT + 'api_key = "sk-abcdefghijklmnopqrstuvwxyz"\n', "api_key"),
        (SEAT + 'api_key_env = "sk-Abcdefghijklmnopqrstuvwxyz012"\n', "never the key itself"),
        (SEAT + 'api_key_env = "Ab1defghijklmnopqrstuvwxyz012"\n', "never the key itself"),
        (SEAT + 'base_url = "http://user:secret@localhost/v1"\n', "remove user, query and fragment"),
        (SEAT + 'base_url = "http://localhost/v1?key=secret"\n', "remove user, query and fragment"),
        (SEAT + 'base_url = "localhost:8000"\n', "base_url: expected http(s)"),
        (SEAT + 'base_url = "http://localhost:port/v1"\n', "base_url: not an address"),
        ("cost_limit = 5\n" + SEAT, "cost_limit cannot be kept: no price for 'a'"),
        ("quorum = 2\n" + SEAT, "quorum: 2 is not between 1 and 1"),
        ("timeout = nan\n" + SEAT, "timeout: nan"),
        ("retries = -1\n" + SEAT, "retries: -1"),
        (SEAT + "price = { input = -1, output = 0 }\n", "at least 0"),
        (SEAT + "settings = { temperature = 3 }\n", "temperature: 3"),
        (SEAT + "settings = { temprature = 0 }\n", "temprature"),
        ("seats = 3\n", "seats"),
        ("[[seats]\n", "not TOML"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_the_file(tmp_path: Path, text: str, said: str) -> None:
    path = panel(tmp_path, text)
    with pytest.raises(PanelError) as error:
        load_panel(path)
    line = str(error.value)
    assert line.startswith(str(path))
    assert said in line
    assert "\n" not in line
    assert "secret" not in line
    assert "bcdefghijk" not in line


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="No such file"):
        load_panel(tmp_path / "panel.toml")
    (tmp_path / "panel.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PanelError, match="not UTF-8"):
        load_panel(tmp_path / "panel.toml")


def test_keys_come_from_the_environment_and_local_servers_need_none() -> None:
    assert Seat("a", "openai/gpt-5").key({"OPENAI_API_KEY": " k "}) == "k"
    assert Seat("a", "openai/gpt-5", api_key_env="MINE").key({"MINE": "m", "OPENAI_API_KEY": "k"}) == "m"
    # A key for OpenAI is not shown to a server that merely speaks its protocol.
    assert Seat("a", "openai/gpt-5", base_url="http://localhost/v1").key({"OPENAI_API_KEY": "k"}) is None
    with pytest.raises(NoKeys, match="set GOOGLE_API_KEY or GEMINI_API_KEY"):
        Seat("a", "google/gemini").key({"GOOGLE_API_KEY": ""})
