import pytest


@pytest.fixture
def log(tmp_path):
    """Writes a log of a gate: one visitor every minute from 7:00 UTC, or the lines given."""

    def write(gate, numbers=(), lines=None, name=None):
        if lines is None:
            lines = [f"{n} 2024-05-06T{7 + i // 60:02}:{i % 60:02}:00Z in" for i, n in enumerate(numbers)]
        path = tmp_path / f"{name or gate}.log"
        path.write_text("\n".join([f"#gate {gate}", "#offset +02:00", *lines, f"#end {len(lines)}"]) + "\n")
        return path

    return write
