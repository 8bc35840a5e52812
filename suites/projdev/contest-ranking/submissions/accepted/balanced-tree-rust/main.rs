// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
//! The ranking of a programming contest: commands on standard input, answers on standard output.

mod contest;
mod scroll;
mod team;
mod tree;

use contest::{Answer, Contest};
use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use team::Verdict;

fn number(word: &str) -> usize {
    word.parse().expect("a number")
}

fn verdict(word: &str) -> Verdict {
    Verdict::named(word).expect("a verdict")
}

fn letter(problem: usize) -> char {
    char::from(b'A' + problem as u8)
}

fn ok(done: Answer<()>) -> Answer<String> {
    done.map(|()| "ok".to_string())
}

fn scroll(contest: &mut Contest) -> Answer<String> {
    let (steps, uncovered) = contest.scroll()?;
    let mut text = String::new();
    for step in steps {
        let (name, passed) = (&contest.teams[step.team].name, &contest.teams[step.passed].name);
        let (old, new) = step.ranks;
        let _ = writeln!(text, "{name} {} {old} {new} {passed}", letter(step.problem));
    }
    Ok(text + &format!("scrolled {uncovered}"))
}

fn rank(contest: &Contest, name: &str) -> Answer<String> {
    let index = contest.team(name)?;
    let team = &contest.teams[index];
    if team.disqualified {
        return Ok("out".to_string());
    }
    let (rank, count) = (contest.rank(index), contest.listed.len());
    Ok(format!("rank {rank} of {count} {} {}", team.score.solved(), team.score.penalty))
}

fn board(contest: &Contest, from: usize, count: usize) -> String {
    let first = from - 1;
    let end = contest.listed.len().min(first + count);
    let mut text = format!("board {}", end.saturating_sub(first));
    for key in (first..end).filter_map(|place| contest.listed.at(place)) {
        let team = &contest.teams[key.team];
        let _ = write!(text, "\n{} {} {} {}", contest.rank(key.team), team.name, key.score.solved(), key.score.penalty);
        for cell in &team.cells {
            let _ = write!(text, " {cell}");
        }
    }
    text
}

fn first(contest: &Contest, problem: &str) -> Answer<String> {
    let solutions = &contest.problems[contest.problem(problem)?].solutions;
    Ok(solutions.first().map_or("none".to_string(), |&index| {
        let made = &contest.submissions[index];
        format!("first {} {}", contest.teams[made.team].name, made.time)
    }))
}

fn tally(contest: &Contest, problem: &str) -> Answer<String> {
    let problem = &contest.problems[contest.problem(problem)?];
    let [accepted, wrong, crash, slow, compile] = problem.submitted;
    Ok(format!("tally {} {accepted} {wrong} {crash} {slow} {compile}", problem.solutions.len()))
}

fn last(contest: &Contest, name: &str, problem: &str, verdict: &str) -> Answer<String> {
    Ok(contest.latest(name, problem, verdict)?.map_or("none".to_string(), |index| {
        let made = &contest.submissions[index];
        format!("last {} {} {} {}", index + 1, letter(made.problem), made.verdict.name(), made.time)
    }))
}

fn answer(contest: &mut Contest, words: &[&str]) -> Answer<String> {
    match *words {
        ["team", name] => ok(contest.register(name)),
        ["start"] => ok(contest.start()),
        ["end"] => ok(contest.end()),
        ["submit", name, problem, word, time] => {
            contest.submit(name, problem, verdict(word), number(time) as u32).map(|made| format!("submission {made}"))
        }
        ["rejudge", made, word] => {
            contest.rejudge(number(made), verdict(word)).map(|was| format!("was {}", was.name()))
        }
        ["freeze"] => ok(contest.freeze()),
        ["scroll"] => scroll(contest),
        ["rank", name] => rank(contest, name),
        ["board", from, count] => Ok(board(contest, number(from), number(count))),
        ["first", problem] => first(contest, problem),
        ["tally", problem] => tally(contest, problem),
        ["last", name, problem, word] => last(contest, name, problem, word),
        ["disqualify", name] => ok(contest.disqualify(name)),
        ["reinstate", name] => ok(contest.reinstate(name)),
        _ => panic!("no command: {}", words.join(" ")),
    }
}

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut lines = input.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let head = lines.next().expect("the first line");
    let mut contest = Contest::new(number(head[1]), number(head[2]) as u64);
    let mut out = String::new();
    for words in lines.filter(|words| !words.is_empty()) {
        match answer(&mut contest, &words) {
            Ok(text) => out.push_str(&text),
            Err(reason) => {
                out.push_str("error ");
                out.push_str(reason);
            }
        }
        out.push('\n');
    }
    io::stdout().write_all(out.as_bytes())
}
