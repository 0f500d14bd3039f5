//! Procedure: what the buttons, the clock and the clock's reports say that no hypothesis about hands is
//! needed for (CN100 7.2, 8.2.6, 8.3.2, 9.1, 12.4).

use crate::alert::AlertCode;
use crate::moment::Moment;
use crate::piece::Side;
use crate::reading::Incident;
use crate::rules::Variant;
use crate::settings::Settings;
use crate::square::SquareSet;
use crate::trace::ClockReport;

/// The clock's whole seconds and its own rounding may differ by this much from the time reckoned.
const CLOCK_TOLERANCE_MS: u64 = 1000;

/// What procedure has to keep in mind.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    variant: Variant,
    settings: Settings,
    /// The bonus a press may bring, in milliseconds.
    bonus_ms: u64,
    incidents: Vec<Incident>,
    /// The clock's last report and when it came.
    clock: Option<(Moment, ClockReport)>,
    /// Who has pressed since that report.
    pressed: [bool; 2],
    /// Whose flag has fallen.
    flag: Option<Side>,
    /// The side whose offer stands, or was refused as long as the other has not offered.
    last_offer: Option<Side>,
    /// Whether that offer has been refused by playing on.
    refused: bool,
    /// Which side has been seen to act.
    acted: [bool; 2],
    late_checked: bool,
    /// Since when the start position stands although the game is under way.
    start_stands: Option<Moment>,
}

impl Procedure {
    pub(super) fn new(variant: Variant, settings: Settings, time_control: Option<&str>) -> Self {
        Self {
            variant,
            settings,
            bonus_ms: time_control.map_or(MOST_BONUS_MS, bonus_of),
            incidents: Vec::new(),
            clock: None,
            pressed: [false; 2],
            flag: None,
            last_offer: None,
            refused: false,
            acted: [false; 2],
            late_checked: false,
            start_stands: None,
        }
    }

    /// The irregular acts that procedure knows of.
    pub(super) fn incidents(&self) -> &[Incident] {
        &self.incidents
    }

    /// A side pressed a button or the clock, or moved.
    pub(super) fn acted(&mut self, side: Side) {
        self.acted[side as usize] = true;
    }

    pub(super) fn pressed(&mut self, side: Side) {
        self.acted(side);
        self.pressed[side as usize] = true;
    }

    /// `side` offered a draw. `own_moves` is how many it has made, `ply` the ply under way.
    pub(super) fn offered_draw(&mut self, side: Side, own_moves: usize, ply: u32, now: Moment) {
        self.acted(side);
        let needed = match self.variant {
            Variant::International => 40,                // CN100 12.4
            Variant::Brazilian | Variant::Russian => 20, // CN64 12.4
        };
        let again = self.refused && self.last_offer == Some(side);
        if own_moves < needed || again {
            self.incidents.push(Incident::new(AlertCode::DrawOfferTooEarly, ply, side, Vec::new(), now));
        }
        self.last_offer = Some(side);
        self.refused = false;
    }

    /// `side` completed move number `ply`.
    pub(super) fn moved(&mut self, side: Side, ply: u32, now: Moment) {
        self.acted(side);
        if self.last_offer == Some(side.opponent()) {
            self.refused = true;
        }
        if self.flag == Some(side) {
            let known =
                |incident: &Incident| incident.code == AlertCode::MovedAfterFlag && incident.ply == ply;
            if !self.incidents.iter().any(known) {
                self.incidents.push(Incident::new(AlertCode::MovedAfterFlag, ply, side, Vec::new(), now));
            }
        }
    }

    /// The clock reports. `at_rest` says that it may stand: the arbiter stopped it, or the game is over.
    pub(super) fn clock_reports(&mut self, report: ClockReport, ply: u32, now: Moment, at_rest: bool) {
        if let Some(side) = report.flag
            && self.flag.is_none()
        {
            self.flag = Some(side);
            self.incidents.push(Incident::new(AlertCode::FlagFell, ply, side, Vec::new(), now));
        }
        if let Some((before, last)) = self.clock {
            let stopped = last.running.is_some() && report.running.is_none();
            if stopped && report.flag.is_none() && !at_rest {
                self.incidents.push(Incident::new(AlertCode::ClockStopped, ply, None, Vec::new(), now));
            }
            if !at_rest && self.times_changed(before, last, report, now) {
                self.incidents.push(Incident::new(AlertCode::ClockTimesChanged, ply, None, Vec::new(), now));
            }
        }
        self.clock = Some((now, report));
        self.pressed = [false; 2];
    }

    /// Whether a time differs from what running and bonus make of the last report.
    fn times_changed(&self, before: Moment, last: ClockReport, report: ClockReport, now: Moment) -> bool {
        let elapsed = now.since(before);
        let any_press = self.pressed.iter().any(|&pressed| pressed) || last.running != report.running;
        [(Side::White, last.white_ms, report.white_ms), (Side::Black, last.black_ms, report.black_ms)]
            .into_iter()
            .any(|(side, old, new)| {
                // Between the reports the time may have run for all of it, part of it, or not at all.
                let ran = last.running == Some(side);
                let least = if ran || any_press { old.saturating_sub(elapsed) } else { old };
                let most = if ran && !any_press { old.saturating_sub(elapsed) } else { old };
                let bonus = if any_press { self.bonus_ms } else { 0 };
                new + CLOCK_TOLERANCE_MS < least || new > most + bonus + CLOCK_TOLERANCE_MS
            })
    }

    /// When time alone makes something due.
    pub(super) fn deadline(&self) -> Option<Moment> {
        let late = (!self.late_checked).then(|| Moment::ZERO.after(self.settings.late_arrival_ms));
        let stands = self.start_stands.map(|since| since.after(self.settings.start_position_ms));
        [late, stands].into_iter().flatten().min()
    }

    /// Names what time alone makes due. `turn` is the side on turn, `ply` the ply under way, `board` the
    /// squares on which discs stand.
    pub(super) fn pass_time(&mut self, now: Moment, turn: Side, ply: u32) {
        if !self.late_checked && now.since(Moment::ZERO) >= self.settings.late_arrival_ms {
            self.late_checked = true;
            for side in Side::ALL {
                let waited_for = side == turn || self.acted == [false; 2];
                if !self.acted[side as usize] && waited_for {
                    self.incidents.push(Incident::new(AlertCode::LateArrival, ply, side, Vec::new(), now));
                }
            }
        }
        let long = |since: Moment| now.since(since) >= self.settings.start_position_ms;
        if self.start_stands.is_some_and(long) {
            self.start_stands = None;
            let known = self.incidents.iter().any(|incident| incident.code == AlertCode::ResultMissing);
            if !known {
                self.incidents.push(Incident::new(AlertCode::ResultMissing, ply, None, Vec::new(), now));
            }
        }
    }

    /// Watches for a new start position while the game has no result. `under_way` says that the game is
    /// far enough from it that it can only have been set up anew.
    pub(super) fn watch_start(&mut self, board: SquareSet, start: SquareSet, under_way: bool, now: Moment) {
        self.start_stands = match (board == start && under_way, self.start_stands) {
            (true, Some(since)) => Some(since),
            (true, None) => Some(now),
            (false, _) => None,
        };
    }
}

/// Where the time control is not known, a press may bring so much.
const MOST_BONUS_MS: u64 = 120_000;

/// The bonus in a time control such as `4800+60`, in milliseconds; generous where it has periods.
fn bonus_of(time_control: &str) -> u64 {
    let seconds = time_control.rsplit_once('+').and_then(|(_, bonus)| bonus.trim().parse::<u64>().ok());
    match seconds {
        Some(seconds) if !time_control.contains('/') => seconds.saturating_mul(1000),
        Some(_) => 24 * 3_600_000,
        None if time_control.contains('/') => 24 * 3_600_000,
        None => 0,
    }
}
