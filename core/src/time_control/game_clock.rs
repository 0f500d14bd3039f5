//! The clock of a game under a time control: two times of which at most one runs, and a flag.

use super::{Bonus, TimeControl};
use crate::moment::Moment;
use crate::piece::Side;
use crate::trace::ClockReport;

/// One player's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timer {
    /// What is left, as of the moment from which it runs.
    left_ms: u64,
    /// What the move under way has taken.
    used_ms: u64,
    /// How often the player has pressed.
    presses: u32,
    /// The period under way.
    period: usize,
    /// How often he has pressed in it.
    in_period: u32,
}

/// What a press brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressed {
    /// For the move, in milliseconds.
    pub bonus_ms: u64,
    /// By the period that begins with it, in milliseconds.
    pub period_ms: u64,
}

/// Two times of which at most one runs (CN100 3.1.2), under a [`TimeControl`].
///
/// Times are exact to the millisecond. The flag falls at the very moment at which a time is zero; a press
/// at that moment comes too late. A flag that has fallen stays so until the arbiter sets the times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    control: TimeControl,
    timers: [Timer; 2],
    running: Option<Side>,
    /// Since when it runs; meaningless while it stands.
    since: Moment,
    flag: Option<Side>,
}

impl GameClock {
    /// A clock that stands at the beginning of a game.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        let left_ms = control.starting_ms();
        let timer = Timer { left_ms, used_ms: 0, presses: 0, period: 0, in_period: 0 };
        Self { control, timers: [timer; 2], running: None, since: Moment::ZERO, flag: None }
    }

    /// The time control.
    #[must_use]
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        self.running
    }

    /// Whose flag has fallen, as of the last moment that was passed to this clock.
    #[must_use]
    pub fn flag(&self) -> Option<Side> {
        self.flag
    }

    /// How often this side has pressed, which is how many moves count for it (8.2.6).
    #[must_use]
    pub fn presses(&self, side: Side) -> u32 {
        self.timer(side).presses
    }

    /// The index of the side's period; a repeated last one counts on.
    #[must_use]
    pub fn period(&self, side: Side) -> usize {
        self.timer(side).period
    }

    /// How many moves the side still has to make in its period, where that has a number of them.
    #[must_use]
    pub fn moves_to_go(&self, side: Side) -> Option<u32> {
        let timer = self.timer(side);
        let moves = self.control.period(timer.period).moves?;
        Some(moves.get().saturating_sub(timer.in_period))
    }

    /// What a move brings the side now.
    #[must_use]
    pub fn bonus(&self, side: Side) -> Bonus {
        self.control.period(self.timer(side).period).bonus
    }

    /// The side's time at `now`, in milliseconds.
    #[must_use]
    pub fn left_ms(&self, side: Side, now: Moment) -> u64 {
        let mut then = self.clone();
        then.pass_time(now);
        then.timer(side).left_ms
    }

    /// What the clock shows at `now`.
    #[must_use]
    pub fn report(&self, now: Moment) -> ClockReport {
        let mut then = self.clone();
        then.pass_time(now);
        ClockReport {
            white_ms: then.timer(Side::White).left_ms,
            black_ms: then.timer(Side::Black).left_ms,
            running: then.running,
            flag: then.flag,
        }
    }

    /// When the time that runs is used up, unless it is already.
    #[must_use]
    pub fn zero_due(&self) -> Option<Moment> {
        let timer = self.timer(self.running?);
        (timer.left_ms > 0).then(|| self.since.after(timer.left_ms))
    }

    /// When the time that runs comes down to `left_ms`; `None` where it is there already.
    #[must_use]
    pub fn due_at(&self, left_ms: u64) -> Option<Moment> {
        let more = self.timer(self.running?).left_ms.checked_sub(left_ms)?;
        (more > 0).then(|| self.since.after(more))
    }

    /// Lets time pass up to `now`. Returns the side whose flag has fallen meanwhile.
    pub fn pass_time(&mut self, now: Moment) -> Option<Side> {
        let side = self.running?;
        let mut elapsed = now.since(self.since);
        self.since = self.since.max(now);
        let control = &self.control;
        let timer = &mut self.timers[side as usize];
        timer.used_ms = timer.used_ms.saturating_add(elapsed);
        while elapsed >= timer.left_ms {
            let by_time = control.period(timer.period).moves.is_none();
            if !(by_time && control.goes_on_after(timer.period)) {
                timer.left_ms = 0;
                let falls = self.flag.is_none();
                self.flag = self.flag.or(Some(side));
                return falls.then_some(side);
            }
            elapsed -= timer.left_ms;
            timer.period += 1;
            timer.in_period = 0;
            timer.left_ms = control.period(timer.period).time_ms;
        }
        timer.left_ms -= elapsed;
        None
    }

    /// Starts a side's time; the other's stands.
    pub fn run(&mut self, side: Side, now: Moment) {
        self.pass_time(now);
        self.running = Some(side);
        self.since = now;
    }

    /// Stops both times.
    pub fn stop(&mut self, now: Moment) {
        self.pass_time(now);
        self.running = None;
    }

    /// A side presses: its time stops, the other's runs. `None`, and nothing changed, where its time does not
    /// run: then a press is no act.
    ///
    /// Whose flag has fallen gets nothing any more.
    pub fn press(&mut self, side: Side, now: Moment) -> Option<Pressed> {
        self.pass_time(now);
        if self.running != Some(side) {
            return None;
        }
        self.run(side.opponent(), now);
        let fallen = self.flag == Some(side);
        let timer = &mut self.timers[side as usize];
        let used_ms = std::mem::take(&mut timer.used_ms);
        if fallen {
            return Some(Pressed::default());
        }
        timer.presses = timer.presses.saturating_add(1);
        timer.in_period += 1;
        let period = self.control.period(timer.period);
        let mut brought = Pressed { bonus_ms: period.bonus.for_move(used_ms), period_ms: 0 };
        if period.moves.is_some_and(|moves| timer.in_period >= moves.get()) {
            timer.period += 1;
            timer.in_period = 0;
            brought.period_ms = self.control.period(timer.period).time_ms;
        }
        timer.left_ms = timer.left_ms.saturating_add(brought.bonus_ms + brought.period_ms);
        Some(brought)
    }

    /// Sets a side's time, by the arbiter's hand or because a linked clock knows better. A flag of the side that
    /// has time again is up again.
    pub fn set(&mut self, side: Side, left_ms: u64, now: Moment) {
        self.pass_time(now);
        self.since = now;
        self.timers[side as usize].left_ms = left_ms;
        if self.flag == Some(side) && left_ms > 0 {
            self.flag = None;
        }
    }

    fn timer(&self, side: Side) -> &Timer {
        &self.timers[side as usize]
    }
}
