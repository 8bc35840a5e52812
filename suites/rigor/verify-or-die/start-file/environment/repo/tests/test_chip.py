import pytest

from bibline import EntryError, Finish, Runner, read_times, start_file


def test_a_record_of_the_start_file():
    data = start_file([Runner(12, "Noor Visser", "AV Duinloop", 1991)])
    assert data == b"00012Noor Visser             AV Duinloop     1991\r\n"


def test_records_come_by_bib_number():
    runners = [Runner(103, "Marta Kowalska", "", 2003), Runner(7, "Hendrik de Wit", "AV Duinloop", 1984)]
    assert [record[:5] for record in start_file(runners).splitlines()] == [b"00007", b"00103"]


def test_long_names_are_cut():
    data = start_file([Runner(1, "Maximiliaan van Oldenbarnevelt", "Atletiekvereniging Noord", 1970)])
    assert data == b"00001Maximiliaan van OldenbarAtletiekverenigi1970\r\n"


def test_times_are_read():
    data = b"00012Noor Visser             01:02:03\r\n00007Hendrik de Wit          DNF     \r\n"
    assert read_times(data) == [Finish(12, "Noor Visser", 3723), Finish(7, "Hendrik de Wit", None)]
    assert read_times(data.replace(b"\r\n", b"\n")[:-1])[1].bib == 7


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (b"00012Noor Visser 01:02:03", "line 1: expected 37 bytes, found 25"),
        (b"BIB12Noor Visser             01:02:03", "line 1: no bib number"),
        (b"00012Noor Visser             01:62:03", "line 1: no time"),
    ],
)
def test_damaged_times(record, message):
    with pytest.raises(EntryError, match=message):
        read_times(record)
