import pytest

from shipledger import LedgerError
from shipledger.errors import UnknownKey
from shipledger.keyring import read_keyring

RING = f'[keys.a]\nsecret = "{"0a" * 32}"\nsince = 2024-01-01\n\n[keys.b]\nsecret = "{"0b" * 32}"\nsince = 2023-01-01\n'


def test_keys_are_read(tmp_path):
    (tmp_path / "ring.toml").write_text(RING)
    ring = read_keyring(tmp_path / "ring.toml")
    assert ring.newest.id == "a"
    assert ring.key("b").secret == b"\x0b" * 32
    assert "c" not in ring
    with pytest.raises(UnknownKey, match="the key c is not in the ring"):
        ring.key("c")


@pytest.mark.parametrize("text", ["", RING.replace("0a", "0", 1), RING.replace("since", "from")])
def test_what_is_no_keyring_is_refused(tmp_path, text):
    (tmp_path / "ring.toml").write_text(text)
    with pytest.raises(LedgerError):
        read_keyring(tmp_path / "ring.toml")
