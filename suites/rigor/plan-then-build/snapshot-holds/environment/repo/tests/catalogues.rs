use thinout::catalogue::Catalogue;
use thinout::date::Moment;

const ATTIC: &str = "# attic\n2024-03-01T04:00 nightly 812\n\n2024-03-01T12:30 manual 15\n";

#[test]
fn a_catalogue_comes_back() {
    let catalogue = Catalogue::parse(ATTIC).unwrap();
    assert_eq!(catalogue.text(), ATTIC);
    assert_eq!(catalogue.snapshots().map(|s| s.size).sum::<u64>(), 827);
}

#[test]
fn removing_leaves_the_other_lines_alone() {
    let mut catalogue = Catalogue::parse(ATTIC).unwrap();
    catalogue.remove(&[Moment::parse("2024-03-01T04:00").unwrap()]);
    assert_eq!(catalogue.text(), "# attic\n\n2024-03-01T12:30 manual 15\n");
}

#[test]
fn a_line_that_cannot_be_used_is_named() {
    for (text, part) in [
        ("2024-03-01T04:00 nightly", "line 1: expected when, series and size"),
        ("# a\n2024-03-32T04:00 nightly 1", "line 2: no date and time"),
        ("2024-03-01T04:00 night_ly 1", "no name of a series"),
        ("2024-03-01T04:00 nightly lots", "no size in megabytes"),
        ("2024-03-01T04:00 a 1\n2024-03-01T04:00 b 1", "line 2: a second snapshot of 2024-03-01T04:00"),
    ] {
        let error = Catalogue::parse(text).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
