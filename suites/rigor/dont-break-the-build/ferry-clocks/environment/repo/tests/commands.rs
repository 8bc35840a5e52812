//! The commands, on the timetable of the Sound.

use std::process::{Command, Output};

fn slipway(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slipway"));
    command.arg("timetables/sound.txt").args(words.split_whitespace());
    command.output().unwrap()
}

fn printed(words: &str) -> String {
    let output = slipway(words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn complaint(words: &str) -> String {
    let output = slipway(words);
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap().trim().to_string()
}

#[test]
fn a_board_starts_at_the_time_asked_for() {
    let board = printed("board Brae --at 16:00");
    let times: Vec<&str> = board.lines().map(|l| l.split_whitespace().next().unwrap()).collect();
    assert_eq!(times, ["16:00", "19:15", "24:10"]);
    assert!(printed("board Brae --at 25:00").contains("nothing from 25:00 on"));
}

#[test]
fn a_board_ends_where_it_is_asked_to() {
    assert_eq!(printed("arrivals Holm --at 07:00 --within 1h30").lines().count(), 2);
}

#[test]
fn a_journey_allows_for_the_change() {
    let journey = printed("journey Brae Skerry --after 06:00");
    assert!(journey.contains("Brae - Holm 07:05 (Tern)"));
    assert!(journey.contains("25 min in Holm"));
    assert!(journey.ends_with("2 h 00 with 1 changes\n"));
}

#[test]
fn the_day_of_a_vessel_adds_up() {
    assert!(printed("day Petrel").contains("at sea 5 h 35, in harbour 3 h 35"));
}

#[test]
fn too_short_a_stay_is_found() {
    assert_eq!(printed("check"), "Petrel 15:10: 5 min too short a stay in Ness\n");
}

#[test]
fn gaps_name_the_worst() {
    assert!(printed("gaps Brae Holm").starts_with("10 sailings, "));
    assert!(printed("gaps Ness Brae").contains("fewer than two sailings"));
}

#[test]
fn a_delay_goes_as_far_as_it_must() {
    let moved = printed("delay Petrel --from 13:00 --by 20");
    assert!(moved.contains("Holm 13:25 Skerry 14:35\nSkerry 14:45 Ness 15:20\nNess 15:30 Holm 17:00\n"));
}

#[test]
fn what_is_shown_can_be_read_again() {
    let shown = printed("show");
    let path = std::env::temp_dir().join("slipway-shown.txt");
    std::fs::write(&path, &shown).unwrap();
    let again = Command::new(env!("CARGO_BIN_EXE_slipway")).arg(&path).arg("show").output().unwrap();
    assert_eq!(String::from_utf8(again.stdout).unwrap(), shown);
}

#[test]
fn bad_words_are_complained_of() {
    assert_eq!(complaint("board Brae --at 7:30"), "slipway: 7:30: expected a time such as 07:05");
    assert_eq!(complaint("board Brae --at 28:00"), "slipway: 28:00: not within the service day");
    assert_eq!(complaint("board Bree"), "slipway: Bree: no such harbour");
    assert_eq!(complaint("delay Auk --from 24:00 --by 4h00"), "slipway: Auk 24:10: leaves the service day");
}
