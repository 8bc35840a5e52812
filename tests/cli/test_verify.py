"""Results that a proctor signed: whatever is changed, removed, added or signed by somebody else is shown."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fake_experiment import make_manifest, write_experiment
from rigorbench.cli import main

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


def new_key(place: Path, name: str) -> Path:
    key = place / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(key)], check=True)
    return key


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, Path]:
    out = tmp_path / "out"
    write_experiment(out, make_manifest(tasks="ab", models=("acme/x",)), journals=False)
    (out / "readings").mkdir()
    (out / "readings" / "readers.json").write_text("{}\n")
    store = next((out / "runs").iterdir()) / "store.git" / "objects" / "aa"
    store.mkdir(parents=True)
    (store / "bb").write_bytes(b"object")
    key = new_key(tmp_path, "proctor")
    assert main(["verify", str(out), "--sign", str(key)]) == 0
    return out, key.with_suffix(".pub")


def problems(out: Path, key: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[tuple[str, str]]]:
    capsys.readouterr()
    status = main(["verify", str(out), "--key", str(key), "--json"])
    found = json.loads(capsys.readouterr().out)
    return status, [(p["file"], p["what"]) for p in found["problems"]]


def test_untouched_results_are_as_signed_and_a_report_does_not_matter(signed, capsys) -> None:
    out, key = signed
    (out / "report").mkdir(exist_ok=True)
    (out / "report" / "index.html").write_text("made again at any time")
    assert problems(out, key, capsys) == (0, [])
    assert main(["verify", str(out), "--key", str(key)]) == 0
    assert "as it was signed" in capsys.readouterr().err


def test_every_way_to_tamper_is_shown(signed, capsys) -> None:
    out, key = signed
    runs = sorted((out / "runs").iterdir())
    result, score = runs[0] / "result.json", runs[1] / "score.json"
    result.write_bytes(result.read_bytes().replace(b'"rigor_score":0', b'"rigor_score":1'))
    score.unlink()
    (out / "readings" / "readers.json").write_text("{}\n{}\n")
    (runs[0] / "notes.txt").write_text("added")
    store = next((out / "runs").glob("*/store.git"))
    (store / "objects" / "aa" / "bb").write_bytes(b"another")
    status, found = problems(out, key, capsys)
    assert status == 1
    name = {run: f"runs/{run.name}" for run in runs}
    assert set(found) == {
        (f"{name[runs[0]]}/result.json", "was changed"),
        (f"{name[runs[1]]}/score.json", "is missing"),
        ("readings/readers.json", "was changed"),
        (f"{name[runs[0]]}/notes.txt", "was added after the signature"),
        (store.relative_to(out).as_posix(), "was changed"),
    }


def test_who_changes_results_cannot_change_the_record_with_them(signed, tmp_path: Path, capsys) -> None:
    out, key = signed
    record = out / "proctor.json"
    kept = record.read_bytes()
    record.write_bytes(kept.replace(b'"readings/readers.json"', b'"readings/no-readers.json"'))
    assert problems(out, key, capsys) == (
        1, [("proctor.json.sig", "is no signature of proctor.json by this key")],
    )  # fmt: skip
    # Signed anew, by another key.
    assert main(["verify", str(out), "--sign", str(new_key(tmp_path, "other"))]) == 0
    assert problems(out, key, capsys)[0] == 1
    record.write_bytes(kept)
    (out / "proctor.json.sig").unlink()
    assert problems(out, key, capsys)[1] == [("proctor.json.sig", "is missing: the record is not signed")]


def test_results_that_were_wrong_when_they_were_signed_are_shown(tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    write_experiment(out, make_manifest(tasks="ab", models=("acme/x",)), journals=False)
    path = next((out / "runs").glob("*/result.json"))
    document = json.loads(path.read_bytes())
    document["outcome"]["score"] = 0.999
    path.write_text(json.dumps(document))
    key = new_key(tmp_path, "proctor")
    assert main(["verify", str(out), "--sign", str(key)]) == 0
    capsys.readouterr()
    assert main(["verify", str(out), "--key", str(key.with_suffix(".pub"))]) == 1
    assert "has the Outcome score 0.999, but its parts give" in capsys.readouterr().err


def test_what_cannot_be_checked_is_wrong_usage(tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    write_experiment(out, make_manifest(tasks="a", models=("acme/x",)), journals=False)
    key = new_key(tmp_path, "proctor")
    assert main(["verify", str(out), "--key", str(key.with_suffix(".pub"))]) == 2
    assert "proctor.json: No such file or directory; `rigor verify OUT --sign KEY` makes it" in capsys.readouterr().err
    assert main(["verify", str(out), "--sign", str(key)]) == 0
    assert main(["verify", str(out), "--key", str(key)]) == 2
    assert "not one public key" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["verify", str(out)])
