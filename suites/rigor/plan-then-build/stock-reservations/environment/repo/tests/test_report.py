from stockroom.report import history, order_list, stock_report


def test_the_report_marks_what_is_short(room):
    lines = stock_report(room).splitlines()
    assert lines[1].startswith("M4-NUT")
    assert "460" in lines[1]
    assert lines[2].endswith("*")


def test_the_order_list(room):
    assert order_list(room) == "    50 x M4-WASHER (M4 washer)"
    room.receive("M4-WASHER", 50)
    assert order_list(room) == "nothing to order"


def test_the_history(room):
    assert history(room, "M4-NUT").splitlines()[1] == "2024-02-05     -40 bench-3"
