# rigorbench-canary f75c3fcb-5e9d-447d-9542-0c5779482fbf
"""Hidden tests: docs/formats.md, one requirement each."""

import unicodedata

import pytest

from bibline import EntryError, Finish, Register, Runner, read_entries, read_times, start_file, suspicious


def records(*runners):
    data = start_file(runners)
    assert data.endswith(b"\r\n")
    return data[:-2].split(b"\r\n")


def name_field(name):
    (record,) = records(Runner(1, name, "", 2000))
    return record[5:29]


@pytest.mark.parametrize("name", ["Zoë Brontë", "Łukasz Żółw", "王小明", "Ana 🏃", "Ирина Соколова"[:11]])
def test_short_texts_are_filled_up_by_bytes(name):
    (record,) = records(Runner(42, name, name[:4], 1999))
    assert record == b"00042" + name.encode().ljust(24) + name[:4].encode().ljust(16) + b"1999"
    assert len(record) == 49


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("b" * 23 + "é", 23),
        ("b" * 22 + "é", 23),
        ("b" * 22 + "é" + "b", 23),
        ("b" * 22 + "語", 22),
        ("b" * 21 + "語", 22),
        ("b" * 23 + "🏃", 23),
        ("b" * 21 + "🏃b", 21),
        ("b" * 20 + "🏃b", 21),
        ("Владимир Александрович", 12),
    ],
)
def test_long_texts_are_cut_between_characters(name, kept):
    assert name_field(name) == name[:kept].encode().ljust(24)


def test_every_record_has_its_length():
    names = ["Jürgen Weiß", "Þóra Jónsdóttir", "Nguyễn Thị Hồng Nhung Phương", "Ð" * 30, "x"]
    found = records(*(Runner(number, name, name[::-1], 1980) for number, name in enumerate(names, 1)))
    assert [len(record) for record in found] == [49] * len(names)
    assert [record[:5] for record in found] == [b"00001", b"00002", b"00003", b"00004", b"00005"]


def test_texts_are_composed():
    composed = "Zoé Ibáñez van der Bergheim"
    assert name_field(unicodedata.normalize("NFD", composed)) == composed.encode()[:24]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("c" * 22 + "x\u0302", 22),  # a combining mark without a composed form
        ("c" * 21 + "x\u0302", 23),
        ("c" * 20 + "q\u0323\u0302", 20),  # two of them
        ("c" * 19 + "q\u0323\u0302", 22),
        ("c" * 20 + "\u0915\u093e", 20),  # a spacing mark, which has no combining class
        ("c" * 18 + "\u0915\u093e", 20),
        ("c" * 21 + "1\u20e3", 21),  # an enclosing mark
        ("c" * 21 + "\u2764\ufe0f", 21),  # a variation selector
    ],
)
def test_a_letter_keeps_its_marks(name, kept):
    assert name_field(name) == name[:kept].encode().ljust(24)


@pytest.mark.parametrize(
    "name",
    [
        "Ada\r\nLum",
        "Ada\tLum",
        "Ada \n\n Lum",
        "Ada\x00Lum",
        "Ada\x1b\x7fLum",
        "Ada\u2028Lum",
        "Ada\x85Lum",
        "Ada\u00a0Lum",
        " \tAda   Lum\n",
    ],
)
def test_a_record_is_one_line(name):
    data = start_file([Runner(1, name, name, 2000)])
    assert data == b"00001" + b"Ada Lum".ljust(24) + b"Ada Lum".ljust(16) + b"2000\r\n"


def times(*finishes, end=b"\r\n"):
    return end.join(b"%05d" % bib + name.encode().ljust(24) + time.ljust(8) for bib, name, time in finishes)


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("last", [True, False])
def test_times_are_found_by_bytes(end, last):
    sent = [(3, "Zoë Brontë", b"00:59:59"), (4, "Владимир Але", b"DNF"), (5, "Ann", b"01:00:00")]
    data = times(*sent, end=end) + (end if last else b"")
    assert read_times(data) == [Finish(3, "Zoë Brontë", 3599), Finish(4, "Владимир Але", None), Finish(5, "Ann", 3600)]


def test_times_of_a_wrong_length_are_refused():
    good = times((3, "Zoë", b"00:59:59"))
    for bad in (good + b" ", good[:-1], b"00003" + "Zoë".ljust(24).encode() + b"00:59:59"):
        with pytest.raises(EntryError, match="line 2"):
            read_times(good + b"\r\n" + bad + b"\r\n")


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("d" * 23 + "é", "d" * 23),
        ("Владимир Александрович", "Владимир Але"),
        ("Zoe\u0308", "Zoë"),
        ("Maria de las Mercedes 日本", "Maria de las Mercedes"),
    ],
)
def test_what_came_back_as_sent_is_not_suspicious(name, sent):
    register = Register([Runner(9, name, "", 1990)])
    assert suspicious(register, read_times(times((9, sent, b"00:40:00")))) == []
    assert suspicious(register, [Finish(9, sent, 2400)]) == []
    for other in (sent[:-1], sent + "x", sent.upper()):
        assert len(suspicious(register, [Finish(9, other, 2400)])) == 1


SAME = [
    ("Jürgen Weiß", "JÜRGEN WEISS"),
    ("Zoé", "ZOE\u0301"),
    ("Ångström", "a\u030angstro\u0308m"),
    ("ΣΙΣΥΦΟΣ", "Σισυφος"),
    ("Anna  Maria\u00a0Sol", " anna maria sol "),
    ("İpek", "i\u0307pek"),
]


@pytest.mark.parametrize(("name", "other"), SAME)
def test_spellings_of_one_name_are_found(name, other):
    for one, two in ((name, other), (other, name)):
        register = Register([Runner(5, one, "", 1990), Runner(6, "Otto Blum", "", 1990)])
        assert [runner.bib for runner in register.find(two)] == [5]
        with pytest.raises(EntryError):
            register.add(Runner(7, two, "elsewhere", 1990))
        register.add(Runner(8, two, "", 1991))
        assert [runner.bib for runner in register.find(one)] == [5, 8]


def test_different_names_stay_different():
    register = Register([Runner(5, "Möller", "", 1990)])
    for name in ("Moller", "Moeller", "Möllers", "M öller"):
        assert register.find(name) == []
    register.add(Runner(6, "Moller", "", 1990))
    assert [runner.name for runner in register] == ["Möller", "Moller"]


HEADER = b"bib,name,club,year"


def entries(*lines, end=b"\n", mark=b""):
    return read_entries(mark + end.join([HEADER, *(line.encode() for line in lines)]) + end)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_entries_with_and_without_a_mark(mark, end):
    found = entries("3,Zoë,Sprint,1990", "", '4,"Ann",,1991', mark=mark, end=end)
    assert found == [Runner(3, "Zoë", "Sprint", 1990), Runner(4, "Ann", "", 1991)]


@pytest.mark.parametrize(
    ("field", "club"),
    [
        ('"Run, Fun"', "Run, Fun"),
        ('"The ""Fast"" Club"', 'The "Fast" Club'),
        ('""""', '"'),
        ('"Run;\nFun"', "Run;\nFun"),
        ('"a,""b"",\n\n""c"""', 'a,"b",\n\n"c"'),
        ('Club 5" tall', 'Club 5" tall'),
        ('"plain"', "plain"),
    ],
)
def test_quoted_fields(field, club):
    found = entries(f"3,Zoë,{field},1990", "4,Ann,,1991")
    assert [(runner.bib, runner.club) for runner in found] == [(3, club), (4, "")]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1e", "\x85"])
def test_only_lf_and_crlf_end_a_line(separator):
    found = entries(f"3,Zoë,Run{separator}Fun,1990", "4,Ann,,1991")
    assert [(runner.bib, runner.club) for runner in found] == [(3, f"Run{separator}Fun"), (4, "")]


def test_the_first_line_tells_the_separator():
    data = '\ufeff"year";"name";"bib";"club"\r\n1990;"Blum; Otto";3;a,b\r\n'.encode()
    assert read_entries(data) == [Runner(3, "Blum; Otto", "a,b", 1990)]
