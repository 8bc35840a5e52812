use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const ATTIC: &str = "# attic\n2024-03-01T04:00 nightly 812\n2024-03-02T04:00 nightly 830\n";

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("thinout-{}-{name}", std::process::id()));
    fs::write(&path, text).unwrap();
    path
}

fn thinout(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_thinout")).args(words).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn list_prints_every_snapshot() {
    let path = file("list", ATTIC);
    let output = thinout(&["list", path.to_str().unwrap()]);
    assert!(output.status.success());
    assert!(printed(&output).ends_with("2 snapshots, 1642 MB\n"));
}

#[test]
fn plan_changes_nothing() {
    let path = file("plan", ATTIC);
    let output = thinout(&["plan", path.to_str().unwrap(), "--keep", "last 1"]);
    assert!(printed(&output).contains("2024-03-01T04:00  nightly    drop\n"));
    assert!(printed(&output).ends_with("1 kept, 1 dropped, 812 MB freed\n"));
    assert_eq!(fs::read_to_string(path).unwrap(), ATTIC);
}

#[test]
fn prune_takes_the_dropped_ones_out() {
    let path = file("prune", ATTIC);
    let output = thinout(&["prune", path.to_str().unwrap(), "--keep", "last 1"]);
    assert_eq!(printed(&output), "1 kept, 1 dropped, 812 MB freed\n");
    assert_eq!(fs::read_to_string(path).unwrap(), "# attic\n2024-03-02T04:00 nightly 830\n");
}

#[test]
fn a_wrong_call_and_a_missing_file_are_told_apart() {
    assert_eq!(thinout(&["plan"]).status.code(), Some(2));
    assert_eq!(thinout(&["plan", "x", "--keep", "hourly 1"]).status.code(), Some(2));
    assert_eq!(thinout(&["list", "/nowhere/at.all"]).status.code(), Some(1));
}
