from shipledger.cli import main
from shipledger.views import history, running


def change(directory, year, old, new):
    path = directory / f"{year}.jsonl"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_records_go_to_the_segment_of_their_year(ledger, fill, tmp_path):
    fill("gateway", "planner", "gateway")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2022.jsonl", "2023.jsonl", "2024.jsonl"]
    assert [record.id for record in ledger.records()] == [1, 2, 3]


def test_right_seals_are_confirmed(ledger, fill):
    fill("gateway", "planner", "gateway", old=2)
    assert [record.key for record in ledger.records()] == ["old", "old", "new"]
    assert ledger.verify() == []


def test_a_changed_record_is_found(ledger, fill, tmp_path):
    fill("gateway", "planner", "gateway")
    change(tmp_path, 2023, '"by":"mara"', '"by":"ines"')
    assert [(finding.record.id, finding.why) for finding in ledger.verify()] == [(2, "the seal is not right")]


def test_what_runs(ledger, fill):
    fill("gateway", "planner", "gateway")
    assert {name: record.version for name, record in running(ledger.records()).items()} == {
        "gateway": "1.2.0",
        "planner": "1.1.0",
    }
    assert [record.id for record in history(ledger.records(), "gateway")] == [1, 3]


def ring(tmp_path):
    path = tmp_path / "ring.toml"
    path.write_text(f'[keys.k1]\nsecret = "{"5e" * 32}"\nsince = 2024-01-01\n')
    return path


def test_the_command_line(tmp_path, capsys):
    (tmp_path / "ledger").mkdir()
    start = ["--ledger", str(tmp_path / "ledger"), "--keyring", str(ring(tmp_path))]
    assert main([*start, "append", "gateway", "1.0.0", "sha256:" + "0" * 64, "--by", "mara"]) == 0
    assert main([*start, "verify"]) == 0
    assert "1 records, 0 not confirmed" in capsys.readouterr().out
    assert main([*start, "append", "gateway", "1.0", "sha256:" + "0" * 64, "--by", "mara"]) == 1
    assert "version '1.0' is not in the form" in capsys.readouterr().err


def test_a_broken_line_is_named(tmp_path, capsys):
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "2024.jsonl").write_text("{}\n")
    assert main(["--ledger", str(tmp_path / "ledger"), "--keyring", str(ring(tmp_path)), "running"]) == 1
    assert "2024.jsonl:1: a record has the keys" in capsys.readouterr().err
