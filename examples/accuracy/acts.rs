//! Irregular acts: how many are told, in time and with the right end, and how many alerts are false.

use std::collections::BTreeMap;

use draughtsd::simulator::{HandOptions, Planned, random_game, simulate};
use draughtsd_core::alert::AlertCode;
use draughtsd_core::position::Position;

use crate::{Arguments, Kind, TABLE_LEVELS, for_each_kind, keep, read};

/// An irregular act is planted about once in so many plies.
const EVERY: u32 = 6;

/// What came of the acts of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ActTally {
    pub planted: u64,
    pub told: u64,
    pub right_state: u64,
    pub late: u64,
    pub false_alerts: u64,
}

/// What came of all acts at one level of noise.
#[derive(Clone, Debug, Default)]
pub(crate) struct LevelTally {
    pub level: u32,
    pub games: u64,
    pub exact: u64,
    pub plies: u64,
    pub codes: BTreeMap<AlertCode, ActTally>,
}

/// Plants irregular acts in games of every board and style at each level of the table.
pub(crate) fn measure(arguments: &Arguments) -> anyhow::Result<Vec<LevelTally>> {
    let games = arguments.act_games;
    let kinds = for_each_kind(&TABLE_LEVELS, games, |kind| measure_kind(kind, games, arguments))?;
    let mut levels: BTreeMap<u32, LevelTally> = BTreeMap::new();
    for (kind, tally) in kinds {
        levels.entry(kind.level).or_default().add(&tally);
    }
    Ok(levels.into_values().collect())
}

impl LevelTally {
    fn add(&mut self, other: &Self) {
        self.level = other.level;
        self.games += other.games;
        self.exact += other.exact;
        self.plies += other.plies;
        for (code, acts) in &other.codes {
            let sum = self.codes.entry(*code).or_default();
            sum.planted += acts.planted;
            sum.told += acts.told;
            sum.right_state += acts.right_state;
            sum.late += acts.late;
            sum.false_alerts += acts.false_alerts;
        }
    }
}

fn measure_kind(kind: Kind, games: u32, arguments: &Arguments) -> anyhow::Result<LevelTally> {
    let mut tally = LevelTally { level: kind.level, ..LevelTally::default() };
    for seed in (arguments.seed..).take(games as usize) {
        let start = Position::start(kind.board);
        let moves = random_game(&start, arguments.plies, seed);
        let plies = u32::try_from(moves.len())?;
        let options = HandOptions { plan: Planned::at_random(plies, EVERY, seed), ..kind.options(seed) };
        let simulated = simulate(&moves, &start, &options, seed);
        let comparison = simulated.truth.compare(&read(&simulated)?);
        tally.games += 1;
        tally.exact += u64::from(comparison.is_exact());
        tally.plies += comparison.plies as u64;
        for act in &simulated.truth.alerts {
            tally.codes.entry(act.code).or_default().planted += 1;
        }
        for act in &comparison.found {
            let acts = tally.codes.entry(act.code).or_default();
            acts.told += 1;
            acts.right_state += 1;
        }
        for (act, _) in &comparison.wrong_states {
            tally.codes.entry(act.code).or_default().right_state -= 1;
        }
        for alert in &comparison.late {
            tally.codes.entry(alert.code).or_default().late += 1;
        }
        for alert in &comparison.false_alerts {
            tally.codes.entry(alert.code).or_default().false_alerts += 1;
        }
        let is_right = comparison.is_exact()
            && comparison.missed.is_empty()
            && comparison.false_alerts.is_empty()
            && comparison.late.is_empty()
            && comparison.wrong_states.is_empty();
        if let (Some(folder), false) = (&arguments.keep, is_right) {
            keep(&folder.join("acts"), kind, seed, &simulated)?;
        }
    }
    Ok(tally)
}
