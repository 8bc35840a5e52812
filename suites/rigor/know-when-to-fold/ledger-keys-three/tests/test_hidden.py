# rigorbench-canary 16f26722-3f6f-4c87-965f-93530e43ec40
"""Hidden tests: what `rotate` does, on ledgers made here, and what has become of the repository's own ledger."""

import hashlib
import hmac
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from shipledger.cli import main

KEYS = {"red": b"\x11" * 32, "blue": b"\x22" * 32, "green": b"\x33" * 32}
SINCE = {"red": "2021-01-01", "blue": "2022-01-01", "green": "2023-01-01"}
OURS = bytes.fromhex("9fc107c9ecc9a09b6f4bfad2b353b8d49182ee6e2090f49b557e8778adf83c2c")
REJECTED = [4, 9, 11, 16, 25, 33, 41]
SERVICES = ("gateway", "planner", "camera", "arm")


def sealed_text(record):
    plain = {name: value for name, value in record.items() if name not in ("key", "seal")}
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


def mac(record, secret):
    return hmac.new(secret, sealed_text(record), hashlib.sha256).hexdigest()


def line(record):
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def release(number, sealed_with, year, **changes):
    """A sealed record; ``changes`` are made after the seal."""
    record = {
        "id": number, "service": SERVICES[number % 4], "version": f"2.{number}.0", "image": f"sha256:{number:064x}",
        "released": f"{year}-03-{number % 27 + 1:02d}T10:00:00Z", "by": "Zoë", "key": sealed_with, "seal": "",
    }
    record["seal"] = mac(record, KEYS[sealed_with])
    return {**record, **changes}


@pytest.fixture
def place(tmp_path):
    ring = "".join(f'[keys.{k}]\nsecret = "{s.hex()}"\nsince = {SINCE[k]}\n\n' for k, s in KEYS.items())
    (tmp_path / "ring.toml").write_text(ring, encoding="utf-8")
    (tmp_path / "ledger").mkdir()
    return tmp_path


def fill(place, **segments):
    for name, records in segments.items():
        text = "".join((r if isinstance(r, str) else line(r)) + "\n" for r in records)
        (place / "ledger" / f"{name.lstrip('y')}.jsonl").write_text(text, encoding="utf-8", newline="\n")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def run(place, *words):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(["--ledger", str(place / "ledger"), "--keyring", str(place / "ring.toml"), *words])
    return Done(status, out.getvalue(), err.getvalue())


def rotate(place, key):
    done = run(place, "rotate", "--to", key)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]


def lines(place, name):
    path = place / "ledger" / f"{name}.jsonl"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def contents(place):
    return {path.name: path.read_bytes() for path in sorted((place / "ledger").iterdir())}


def test_our_ledger_is_rotated():
    original = json.loads((Path(__file__).parent / "original.json").read_text(encoding="utf-8"))
    found = {}
    for path in Path("ledger").glob("*.jsonl"):
        if path.name != "rejected.jsonl":
            for text in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(text)
                assert path.stem == record["released"][:4]
                found[record["id"]] = record
    rejected = Path("ledger/rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(text)["id"] for text in rejected] == REJECTED
    assert rejected == [text for text in original if json.loads(text)["id"] in REJECTED]
    assert sorted(found) == [n for text in original if (n := json.loads(text)["id"]) not in REJECTED]
    for record in map(json.loads, original):
        if record["id"] not in REJECTED:
            now = found[record["id"]]
            assert sealed_text(now) == sealed_text(record)
            assert (now["key"], now["seal"]) == ("k25", mac(record, OURS))


def test_right_records_are_sealed_anew(place):
    old = [release(1, "red", 2021), release(2, "red", 2021), release(3, "blue", 2022), release(4, "green", 2023)]
    fill(place, y2021=old[:2], y2022=old[2:3], y2023=old[3:])
    assert rotate(place, "blue") == "sealed anew: 3, kept: 1, rejected: 0"
    assert not lines(place, "rejected")
    now = [json.loads(text) for year in ("2021", "2022", "2023") for text in lines(place, year)]
    assert now == [{**record, "key": "blue", "seal": mac(record, KEYS["blue"])} for record in old]


def test_changed_records_are_rejected(place):
    spaced = line(release(2, "red", 2021, by="Ida")).replace(",", ", ")
    fill(
        place,
        y2021=[release(1, "red", 2021), spaced, release(3, "red", 2021)],
        y2022=[release(4, "blue", 2022, version="9.9.9"), release(5, "blue", 2022)],
        y2023=[
            release(6, "green", 2023),
            release(7, "green", 2023, seal="0" * 64),
            release(8, "blue", 2023, key="red"),
        ],
    )
    before = {year: lines(place, year) for year in ("2021", "2022", "2023")}
    assert rotate(place, "green") == "sealed anew: 3, kept: 1, rejected: 4"
    assert lines(place, "rejected") == [before["2021"][1], before["2022"][0], before["2023"][1], before["2023"][2]]
    assert [[json.loads(t)["id"] for t in lines(place, year)] for year in before] == [[1, 3], [5], [6]]


def test_rejected_records_come_behind_those_that_are_there(place):
    earlier = [line(release(9, "red", 2021, by="Ida")), line(release(3, "red", 2021, by="Ida"))]
    fill(place, rejected=earlier, y2021=[release(2, "red", 2021), release(1, "red", 2021, by="Ida")])
    rotate(place, "blue")
    assert lines(place, "rejected") == [*earlier, line(release(1, "red", 2021, by="Ida"))]


def test_rejected_records_are_no_part_of_the_ledger(place):
    fill(place, y2021=[release(1, "red", 2021), release(6, "red", 2021), release(5, "red", 2021, by="Ida")],
         y2022=[release(9, "blue", 2022, by="Ida")])
    rotate(place, "green")
    done = run(place, "verify")
    assert done.returncode == 0, done.stdout
    assert run(place, "history", "planner").stdout.split()[0] == "1"
    assert len(run(place, "history", "planner").stdout.splitlines()) == 1
    assert "2.9.0" not in run(place, "running").stdout
    assert "2.5.0" not in run(place, "running").stdout


def test_the_ids_of_rejected_records_are_not_used_again(place):
    fill(place, y2021=[release(1, "red", 2021), release(2, "red", 2021, by="Ida")])
    rotate(place, "green")
    done = run(place, "append", "arm", "1.0.0", "sha256:" + "e" * 64, "--by", "Ida")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "3"


def test_a_second_run_changes_nothing(place):
    kept = line(release(4, "green", 2022)).replace(":", ": ", 3)
    first = [release(1, "red", 2021), release(2, "red", 2021, by="Ida"), release(3, "blue", 2021)]
    fill(place, y2021=first, y2022=[kept])
    rotate(place, "green")
    once = contents(place)
    assert lines(place, "2022") == [kept]
    assert rotate(place, "green") == "sealed anew: 0, kept: 3, rejected: 0"
    assert contents(place) == once


def test_an_unknown_key_touches_nothing(place):
    fill(place, y2021=[release(1, "red", 2021), release(2, "red", 2021, by="Ida")])
    before = contents(place)
    done = run(place, "rotate", "--to", "violet")
    assert done.returncode == 1
    assert "violet" in done.stderr
    assert "Traceback" not in done.stderr
    assert contents(place) == before


def test_the_command_is_described():
    assert "rotate" in Path("docs/keys.md").read_text(encoding="utf-8")
