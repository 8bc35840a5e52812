// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
//! The rules of the contest: its states, submissions, corrections, and questions. Errors are the words of the answers.

use crate::team::{Key, Submission, Submissions, Team, Verdict, VERDICTS};
use crate::tree::Tree;
use std::collections::{BTreeSet, HashMap};

pub type Answer<T> = Result<T, &'static str>;

#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    Running,
    Over,
}

#[derive(Clone, Default)]
pub struct Problem {
    /// Of ranked teams.
    pub solutions: BTreeSet<usize>,
    /// By verdict, of all teams.
    pub submitted: [u32; VERDICTS.len()],
}

pub struct Contest {
    penalty: u64,
    state: State,
    pub frozen: bool,
    names: HashMap<String, usize>,
    pub teams: Vec<Team>,
    pub problems: Vec<Problem>,
    pub submissions: Submissions,
    pub since_freeze: Vec<usize>,
    pub listed: Tree<Key>,
}

impl Contest {
    pub fn new(problems: usize, penalty: u64) -> Contest {
        Contest {
            penalty,
            state: State::Waiting,
            frozen: false,
            names: HashMap::new(),
            teams: vec![],
            problems: vec![Problem::default(); problems],
            submissions: vec![],
            since_freeze: vec![],
            listed: Tree::new(),
        }
    }

    fn running(&self) -> Answer<()> {
        match self.state {
            State::Waiting => Err("waiting"),
            State::Running => Ok(()),
            State::Over => Err("over"),
        }
    }

    pub fn team(&self, name: &str) -> Answer<usize> {
        self.names.get(name).copied().ok_or("team")
    }

    pub fn problem(&self, letter: &str) -> Answer<usize> {
        let number = usize::from(letter.as_bytes()[0] - b'A');
        if number < self.problems.len() {
            Ok(number)
        } else {
            Err("problem")
        }
    }

    pub fn register(&mut self, name: &str) -> Answer<()> {
        if self.state != State::Waiting {
            return Err("started");
        }
        if self.names.contains_key(name) {
            return Err("taken");
        }
        let team = self.teams.len();
        self.names.insert(name.to_string(), team);
        self.teams.push(Team::new(name, self.problems.len()));
        self.listed.add(self.teams[team].key(team));
        Ok(())
    }

    pub fn start(&mut self) -> Answer<()> {
        if self.state != State::Waiting {
            return Err("started");
        }
        if self.teams.is_empty() {
            return Err("empty");
        }
        self.state = State::Running;
        Ok(())
    }

    pub fn end(&mut self) -> Answer<()> {
        self.running()?;
        self.state = State::Over;
        Ok(())
    }

    pub fn freeze(&mut self) -> Answer<()> {
        self.running()?;
        if self.frozen {
            return Err("frozen");
        }
        self.frozen = true;
        Ok(())
    }

    /// The number of the new submission.
    pub fn submit(&mut self, name: &str, letter: &str, verdict: Verdict, time: u32) -> Answer<usize> {
        self.running()?;
        let team = self.team(name)?;
        let problem = self.problem(letter)?;
        let index = self.submissions.len();
        let hidden = self.frozen;
        self.submissions.push(Submission { team, problem, verdict, time, hidden });
        self.problems[problem].submitted[verdict as usize] += 1;
        self.teams[team].cells[problem].made.push(index);
        self.teams[team].having[verdict as usize].insert(index);
        if hidden {
            self.since_freeze.push(index);
        }
        self.recount(team, problem);
        Ok(index + 1)
    }

    /// The verdict before.
    pub fn rejudge(&mut self, number: usize, verdict: Verdict) -> Answer<Verdict> {
        let index = number - 1;
        let made = self.submissions.get_mut(index).ok_or("submission")?;
        let (team, problem, was) = (made.team, made.problem, made.verdict);
        made.verdict = verdict;
        let submitted = &mut self.problems[problem].submitted;
        submitted[was as usize] -= 1;
        submitted[verdict as usize] += 1;
        let having = &mut self.teams[team].having;
        having[was as usize].remove(&index);
        having[verdict as usize].insert(index);
        self.recount(team, problem);
        Ok(was)
    }

    pub fn disqualify(&mut self, name: &str) -> Answer<()> {
        let team = self.team(name)?;
        if self.teams[team].disqualified {
            return Err("out");
        }
        self.listed.remove(&self.teams[team].key(team));
        self.teams[team].disqualified = true;
        for (cell, problem) in self.teams[team].cells.iter().zip(&mut self.problems) {
            if let Some(solution) = cell.solution {
                problem.solutions.remove(&solution);
            }
        }
        Ok(())
    }

    pub fn reinstate(&mut self, name: &str) -> Answer<()> {
        let team = self.team(name)?;
        if !self.teams[team].disqualified {
            return Err("in");
        }
        self.listed.add(self.teams[team].key(team));
        self.teams[team].disqualified = false;
        for (cell, problem) in self.teams[team].cells.iter().zip(&mut self.problems) {
            problem.solutions.extend(cell.solution);
        }
        Ok(())
    }

    /// Brings a cell, its team's place in the list, and the problem's solutions up to date.
    fn recount(&mut self, team: usize, problem: usize) {
        let owner = &mut self.teams[team];
        let cell = &mut owner.cells[problem];
        let before = cell.solution;
        cell.count(&self.submissions);
        let now = cell.solution;
        if before.is_none() && now.is_none() {
            return;
        }
        let old = owner.key(team);
        owner.score = owner.total(&self.submissions, self.penalty);
        if owner.disqualified {
            return;
        }
        let new = owner.key(team);
        if new != old {
            self.listed.remove(&old);
            self.listed.add(new);
        }
        if before != now {
            let solutions = &mut self.problems[problem].solutions;
            if let Some(solution) = before {
                solutions.remove(&solution);
            }
            solutions.extend(now);
        }
    }

    pub fn uncover(&mut self, team: usize, problem: usize) {
        for &index in &self.teams[team].cells[problem].made {
            self.submissions[index].hidden = false;
        }
        self.recount(team, problem);
    }

    pub fn open(&mut self) {
        self.since_freeze.clear();
        self.frozen = false;
    }

    pub fn rank(&self, team: usize) -> usize {
        self.listed.below(&self.teams[team].bound()) + 1
    }

    /// The team's latest submission of a kind; "*" is any.
    pub fn latest(&self, name: &str, letter: &str, verdict: &str) -> Answer<Option<usize>> {
        let team = &self.teams[self.team(name)?];
        let verdict = Verdict::named(verdict);
        if letter == "*" {
            let newest = |set: &BTreeSet<usize>| set.last().copied();
            return Ok(match verdict {
                Some(verdict) => newest(&team.having[verdict as usize]),
                None => team.having.iter().filter_map(newest).max(),
            });
        }
        let made = &team.cells[self.problem(letter)?].made;
        let wanted = |index: &&usize| verdict.map_or(true, |verdict| self.submissions[**index].verdict == verdict);
        Ok(made.iter().rev().find(wanted).copied())
    }
}
