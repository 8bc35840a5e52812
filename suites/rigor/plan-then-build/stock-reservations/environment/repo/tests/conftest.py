import datetime

import pytest

from stockroom import Stock, Stockroom


@pytest.fixture
def room():
    """A stockroom with 460 nuts (minimum 200) and no washers (minimum 50), on 5 February 2024."""
    room = Stockroom(Stock(), today=lambda: datetime.date(2024, 2, 5))
    room.add("M4-NUT", "M4 nut, steel", 200)
    room.receive("M4-NUT", 500)
    room.issue("M4-NUT", 40, "bench-3")
    room.add("M4-WASHER", "M4 washer", 50)
    return room
