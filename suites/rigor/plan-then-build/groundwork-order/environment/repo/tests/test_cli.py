from conftest import TEXT


def test_plan_apply_and_show(site, capsys):
    file = site.root / "shop.gw"
    file.write_text(TEXT)
    assert site.run("plan", str(file)) == 0
    assert not site.state.exists()
    assert site.run("apply", str(file)) == 0
    capsys.readouterr()
    assert site.run("show") == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["network.lan  net-1", '  range = "10.1.0.0/16"']


def test_errors_are_one_line(site, capsys):
    assert site.run("plan", "nowhere.gw") == 1
    assert capsys.readouterr().err == "groundwork: nowhere.gw: No such file or directory\n"
