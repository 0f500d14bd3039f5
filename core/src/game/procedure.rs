//! Procedure: what buttons and time say that no hypothesis about hands is needed for (CN100 7.2, 8.3.2, 12.4).

use crate::alert::AlertCode;
use crate::moment::Moment;
use crate::piece::Side;
use crate::reading::Incident;
use crate::rules::Variant;
use crate::settings::Settings;
use crate::square::SquareSet;

/// What procedure has to keep in mind.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    variant: Variant,
    settings: Settings,
    incidents: Vec<Incident>,
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
    pub(super) fn new(variant: Variant, settings: Settings) -> Self {
        Self {
            variant,
            settings,
            incidents: Vec::new(),
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

    /// `side` completed a move.
    pub(super) fn moved(&mut self, side: Side) {
        self.acted(side);
        if self.last_offer == Some(side.opponent()) {
            self.refused = true;
        }
    }

    /// When time alone makes something due.
    pub(super) fn deadline(&self) -> Option<Moment> {
        let late = (!self.late_checked).then(|| Moment::ZERO.after(self.settings.late_arrival_ms));
        [late, self.start_due()].into_iter().flatten().min()
    }

    /// When a new start position has stood for long enough.
    pub(super) fn start_due(&self) -> Option<Moment> {
        self.start_stands.map(|since| since.after(self.settings.start_position_ms))
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
        self.pass_start(now, ply);
    }

    /// Names a new start position that has stood for long enough, while the game has no result.
    pub(super) fn pass_start(&mut self, now: Moment, ply: u32) {
        if self.start_due().is_some_and(|due| due <= now) {
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
