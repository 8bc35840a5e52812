import pytest


@pytest.fixture
def project(tmp_path):
    """A project with three letters and a layout; `press` writes its build file."""
    (tmp_path / "letters").mkdir()
    for name, title in (("2024-01-08", "Snow"), ("2024-02-12", "Thaw"), ("2024-03-11", "Crocuses")):
        (tmp_path / "letters" / f"{name}.txt").write_text(f"{title}\n\nAbout {title.lower()}.\n")
    (tmp_path / "layouts").mkdir()
    (tmp_path / "layouts" / "web.html").write_text("<h1>{title}</h1>{text}\n")
    return tmp_path


@pytest.fixture
def press(project):
    def write(**targets):
        lines = []
        for name, keys in targets.items():
            lines += [f"[targets.{name}]", *(f'{key} = "{value}"' for key, value in keys.items()), ""]
        (project / "press.toml").write_text("\n".join(lines))
        return project

    return write
