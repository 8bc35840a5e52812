use thinout::catalogue::Catalogue;
use thinout::plan::{dropped, plan};
use thinout::rules::{parse, Rule};

fn kept(text: &str, keep: &str) -> Vec<String> {
    let catalogue = Catalogue::parse(text).unwrap();
    let verdicts = plan(&catalogue, &parse(keep).unwrap());
    verdicts.iter().filter(|v| v.kept()).map(|v| format!("{} {}", v.snapshot.taken, v.reasons.join("+"))).collect()
}

const WEEK: &str = "2024-03-02T04:00 n 1\n2024-03-03T04:00 n 1\n2024-03-03T16:00 n 1\n2024-03-04T04:00 n 1\n";

#[test]
fn the_last_ones_are_kept() {
    assert_eq!(kept(WEEK, "last 2"), ["2024-03-03T16:00 last", "2024-03-04T04:00 last"]);
}

#[test]
fn the_newest_of_a_day_is_kept() {
    assert_eq!(kept(WEEK, "daily 2"), ["2024-03-03T16:00 daily", "2024-03-04T04:00 daily"]);
}

#[test]
fn the_newest_of_a_week_is_kept() {
    assert_eq!(kept(WEEK, "weekly 5"), ["2024-03-03T16:00 weekly", "2024-03-04T04:00 weekly"]);
}

#[test]
fn all_rules_are_named() {
    assert_eq!(kept(WEEK, "last 1, daily 1"), ["2024-03-04T04:00 last+daily"]);
}

#[test]
fn series_are_looked_at_by_themselves() {
    let text = "2024-03-01T04:00 a 1\n2024-03-02T04:00 b 1\n";
    assert_eq!(kept(text, "last 1").len(), 2);
    assert!(dropped(&plan(&Catalogue::parse(text).unwrap(), &[Rule::Last(0)])).len() == 2);
}

#[test]
fn what_is_no_rule_is_refused() {
    for text in ["", "last", "hourly 3", "last two", "last 1,"] {
        assert!(parse(text).unwrap_err().to_string().contains("no rule"), "{text}");
    }
}
