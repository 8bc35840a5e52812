from datetime import date

import pytest

from shipledger.keyring import Key, Keyring
from shipledger.ledger import Ledger

OLD = Key("old", bytes(range(32)), date(2022, 1, 1))
NEW = Key("new", bytes(range(1, 33)), date(2023, 6, 1))


@pytest.fixture
def keyring():
    return Keyring([OLD, NEW])


@pytest.fixture
def ledger(tmp_path, keyring):
    return Ledger(tmp_path, keyring)


@pytest.fixture
def fill(tmp_path):
    """Fills the ledger with releases, of which the first ``old`` carry the old key."""

    def filling(*services, old=0):
        for number, service in enumerate(services):
            ring = Keyring([OLD] if number < old else [OLD, NEW])
            released = f"20{22 + number}-05-0{number + 1}T08:00:00Z"
            Ledger(tmp_path, ring).append(service, f"1.{number}.0", f"sha256:{number:064x}", released, "mara")

    return filling
