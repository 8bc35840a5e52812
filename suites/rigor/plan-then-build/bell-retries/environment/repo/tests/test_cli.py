from belltower.cli import main


def test_nothing_to_deliver(tmp_path, capsys):
    assert main(["deliver", "--db", str(tmp_path / "bell.db")]) == 0
    assert capsys.readouterr().out.startswith("delivered 0")


def test_a_bad_role_is_one_line(tmp_path, capsys):
    accounts = tmp_path / "accounts.json"
    accounts.write_text('{"t": {"name": "shop", "role": "king"}}')
    assert main(["serve", "--db", str(tmp_path / "bell.db"), "--accounts", str(accounts)]) == 1
    assert capsys.readouterr().err == f"belltower: {accounts}: shop: no such role: king; there are admin, publisher\n"
