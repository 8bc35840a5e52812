import pytest

from bibline import EntryError, Runner, read_entries


def test_entries_are_read():
    data = b"bib,name,club,year\n12,Noor Visser,AV Duinloop,1991\n\n103,Marta Kowalska,,2003\n"
    assert read_entries(data) == [
        Runner(12, "Noor Visser", "AV Duinloop", 1991),
        Runner(103, "Marta Kowalska", "", 2003),
    ]


def test_columns_come_in_any_order_and_with_semicolons():
    data = b'Year;Club;Name;Bib\n1991;"AV Duinloop";Noor Visser;12\n'
    assert read_entries(data) == [Runner(12, "Noor Visser", "AV Duinloop", 1991)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the entries are empty"),
        (b"bib,name,year\n", "no column 'club'"),
        (b"bib,name,club,year\n12,Noor Visser,1991\n", "record 1: expected 4 fields, found 3"),
        (b"bib,name,club,year\ntwelve,Noor Visser,,1991\n", "record 1: bib and year must be numbers"),
        (b"bib,name,club,year\n12,,,1991\n", "record 1: bib 12 has no name"),
        (b"bib,name,club,year\n12,\xff,,1991\n", "not in UTF-8"),
    ],
)
def test_entries_that_cannot_be_read(data, message):
    with pytest.raises(EntryError, match=message):
        read_entries(data)
