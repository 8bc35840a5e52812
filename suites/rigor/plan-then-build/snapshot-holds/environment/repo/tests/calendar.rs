use thinout::date::{Day, Moment};

#[test]
fn days_come_back() {
    for text in ["1970-01-01", "2024-02-29", "2024-12-31", "2000-02-29", "1999-12-31", "2031-03-01"] {
        assert_eq!(Day::parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn there_are_no_other_days() {
    for text in ["2023-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "24-01-01", "2024-1-1", "2024-01-01-01", "x"] {
        assert_eq!(Day::parse(text), None, "{text}");
    }
}

#[test]
fn weeks_begin_on_monday() {
    let week = |text: &str| Day::parse(text).unwrap().week();
    assert_eq!(week("2024-03-03") + 1, week("2024-03-04"));
    assert_eq!(week("2024-03-04"), week("2024-03-10"));
}

#[test]
fn moments_come_back() {
    assert_eq!(Moment::parse("2024-03-01T04:05").unwrap().to_string(), "2024-03-01T04:05");
    assert_eq!(Moment::parse("2024-03-01T24:00"), None);
    assert_eq!(Moment::parse("2024-03-01 04:00"), None);
}
