//! What the arbiter's entries, pauses and the result do to the clock.

use super::{Sides, Timekeeping};
use crate::clock::ClockCommand;
use crate::event::{ClockSetReason, EventBody};
use crate::moment::Moment;
use crate::piece::Side;
use crate::time_control::GameClock;
use crate::trace::{ClockEntry, DrawClaim, GameResult};

/// Why an entry about the clock cannot be carried out.
const NO_CONTROL: &str = "no clock is linked or no time control is set, so the times are not known";

impl Timekeeping {
    /// The arbiter starts the game: White's time runs (CN100 8.2.1, 9.1). One that he started already runs on.
    pub(in crate::game) fn start(&mut self, now: Moment) {
        self.stopped = false;
        let Some(clock) = &mut self.clock else { return };
        if clock.running().is_none() {
            clock.run(Side::White, now);
            self.tell_clock(ClockSetReason::Start, now);
        }
    }

    /// The clock stands, by the arbiter's will or because the game is over.
    pub(in crate::game) fn stop(&mut self, now: Moment) {
        let Some(clock) = &mut self.clock else { return };
        if let Some(side) = clock.running() {
            self.ran = Some(side);
            clock.stop(now);
            self.tell_clock(ClockSetReason::Stop, now);
        }
    }

    /// What ran before the clock was stopped runs again, or `side`'s time where that is given.
    pub(in crate::game) fn go_on(&mut self, side: Option<Side>, now: Moment) {
        let Some(side) = side.or(self.ran) else { return };
        self.stopped = false;
        let Some(clock) = &mut self.clock else { return };
        clock.run(side, now);
        self.tell_clock(ClockSetReason::GoOn, now);
    }

    /// The game is over: the clock stands and shows the result.
    pub(in crate::game) fn end(&mut self, result: GameResult, now: Moment) {
        self.stop(now);
        if self.clock.is_some() && result != GameResult::Unknown {
            self.commands.push(ClockCommand::Text(result.text().to_owned()));
        }
    }

    /// A claim of a draw came before the arbiter, or was decided. His own time runs on (8.2.7).
    pub(in crate::game) fn draw_claim(&mut self, claim: DrawClaim) {
        self.claim = match claim {
            DrawClaim::White => Some(Side::White),
            DrawClaim::Black => Some(Side::Black),
            DrawClaim::Decided => None,
        };
        self.news.push(EventBody::DrawClaim { claim });
    }

    /// Carries out an entry about the clock.
    ///
    /// # Errors
    /// Why it cannot be carried out; nothing has changed then.
    pub(in crate::game) fn enter(&mut self, entry: ClockEntry, now: Moment) -> Result<(), &'static str> {
        if entry == ClockEntry::Swap {
            self.swap();
        }
        let clock = self.clock.as_mut().ok_or(NO_CONTROL)?;
        match entry {
            ClockEntry::Run(side) => {
                clock.run(side, now);
                self.stopped = false;
            }
            ClockEntry::Stop => {
                self.ran = clock.running().or(self.ran);
                clock.stop(now);
                self.stopped = true;
            }
            ClockEntry::Set { white_ms, black_ms } => {
                set(clock, Side::White, white_ms, now)?;
                set(clock, Side::Black, black_ms, now)?;
            }
            ClockEntry::Correction { offender, ms, ran } => correct(clock, offender, ms, ran, now),
            ClockEntry::Split(arrived) => split(clock, arrived, now)?,
            ClockEntry::Swap => {}
        }
        if self.clock.as_ref().is_some_and(|clock| clock.flag().is_none()) {
            self.flag = None;
        }
        self.tell_clock(ClockSetReason::Arbiter, now);
        Ok(())
    }

    /// From now on left is what right was. What was reported and pressed since they were wrong was the other's.
    fn swap(&mut self) {
        self.swapped = !self.swapped;
        self.last = None;
        self.before.clear();
        self.sides = Sides::default();
    }
}

/// No time is longer than this, which is what clocks can show.
const LONGEST_MS: u64 = (9 * 3600 + 59 * 60 + 59) * 1000 + 999;

fn set(clock: &mut GameClock, side: Side, left_ms: u64, now: Moment) -> Result<(), &'static str> {
    if left_ms > LONGEST_MS {
        return Err("a time is at most 9:59:59, in milliseconds");
    }
    clock.set(side, left_ms, now);
    Ok(())
}

/// The time of a correction falls to the offender, whoever's time ran meanwhile (8.2.8).
fn correct(clock: &mut GameClock, offender: Side, ms: u64, ran: Option<Side>, now: Moment) {
    let other = offender.opponent();
    if ran == Some(offender) {
        return;
    }
    let left = clock.left_ms(offender, now);
    clock.set(offender, left.saturating_sub(ms), now);
    if ran == Some(other) {
        let left = clock.left_ms(other, now);
        clock.set(other, left.saturating_add(ms), now);
    }
}

/// What White's time has run falls to both equally, and the time of the one who is still absent runs (9.2).
fn split(clock: &mut GameClock, arrived: Side, now: Moment) -> Result<(), &'static str> {
    if Side::ALL.into_iter().any(|side| clock.presses(side) > 0) {
        return Err("moves have been made; 9.2 splits the time that ran while both were absent");
    }
    let white = clock.left_ms(Side::White, now);
    let ran = clock.control().starting_ms().saturating_sub(white);
    let black = clock.left_ms(Side::Black, now);
    clock.set(Side::White, white + ran / 2, now);
    clock.set(Side::Black, black.saturating_sub(ran - ran.div_ceil(2)), now);
    clock.run(arrived.opponent(), now);
    Ok(())
}
