// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
//! The scroll: covered cells are uncovered one by one, each of the team that is listed last among those that have one.

use crate::contest::{Answer, Contest};
use crate::team::Key;
use std::collections::BinaryHeap;

/// A team passed others when this problem of it was uncovered.
pub struct Step {
    pub team: usize,
    pub problem: usize,
    pub ranks: (usize, usize),
    pub passed: usize,
}

impl Contest {
    /// The steps to be told, and how many cells were uncovered one by one.
    pub fn scroll(&mut self) -> Answer<(Vec<Step>, usize)> {
        if !self.frozen {
            return Err("open");
        }
        let mut waiting = self.with_covered_cells();
        let mut steps = vec![];
        let mut uncovered = 0;
        while let Some(key) = waiting.pop() {
            let Some(problem) = self.teams[key.team].first_covered() else {
                continue;
            };
            steps.extend(self.step(&key, problem));
            uncovered += 1;
            waiting.push(self.teams[key.team].key(key.team));
        }
        for at in 0..self.since_freeze.len() {
            let made = &self.submissions[self.since_freeze[at]];
            if made.hidden {
                self.uncover(made.team, made.problem);
            }
        }
        self.open();
        Ok((steps, uncovered))
    }

    /// Listed teams, each once; the one that is listed last has the largest key.
    fn with_covered_cells(&self) -> BinaryHeap<Key> {
        let mut teams: Vec<usize> = self.since_freeze.iter().map(|&index| self.submissions[index].team).collect();
        teams.sort_unstable();
        teams.dedup();
        teams.retain(|&team| !self.teams[team].disqualified);
        teams.into_iter().map(|team| self.teams[team].key(team)).collect()
    }

    fn step(&mut self, before: &Key, problem: usize) -> Option<Step> {
        let team = before.team;
        let (place, rank) = (self.listed.below(before), self.rank(team));
        self.uncover(team, problem);
        let now = self.listed.below(&self.teams[team].key(team));
        if now == place {
            return None;
        }
        let passed = self.listed.at(now + 1).expect("it passed a team").team;
        Some(Step { team, problem, ranks: (rank, self.rank(team)), passed })
    }
}
