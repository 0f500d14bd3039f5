//! What happened, as data: logs, feeds, journal and pages are views of these events.
//!
//! Two audiences exist. The arbiter's carries everything. The public one carries contacts,
//! positions, moves, clocks and results, and nothing that would tell a player what he must notice
//! himself; [`Event::for_public`] is the one place that decides what that is.

use serde::{Deserialize, Serialize};

use crate::alert::{Alert, AlertCode};
use crate::clock::{ClockConnection, ClockTrouble};
use crate::moment::Moment;
use crate::piece::Side;
use crate::rules::Variant;
use crate::square::{Square, SquareSet};
use crate::trace::{Button, ClockLink, ClockReport, Crowning, DrawClaim, GameResult, Restart};

/// How sure the reading of a move is at this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveStatus {
    /// Readable, but the disc may still move on; the last word on a ply wins.
    Provisional,
    /// Complete.
    Final,
}

/// What the reading of a move rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// Lift and landing were seen in order.
    Seen,
    /// Deduced from the position after a lost stretch or around a faulty contact.
    Deduced,
    /// Entered by the arbiter.
    Arbiter,
}

/// A move as it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Number among the recorded moves, 1 is the first.
    pub ply: u32,
    /// Whose move.
    pub side: Side,
    /// What goes on the score sheet: `32-28`, `26x37`, `c3-d4`.
    pub text: String,
    /// Origin.
    pub from: Square,
    /// Target.
    pub to: Square,
    /// Captured squares in route order.
    pub captures: Vec<Square>,
    /// When it was complete (provisional: when its disc came to rest).
    pub t: Moment,
    /// Codes raised for this move. The arbiter's audience only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irregular: Vec<AlertCode>,
    /// What the reading rests on. The arbiter's audience only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The loser has no pieces (CN100 12.2.2).
    NoPieces,
    /// The loser cannot move (12.2.3).
    Blocked,
    /// The loser resigned (12.2.1).
    Resigned,
    /// The players agreed on a draw (12.3.5).
    Agreed,
    /// A draw by rule was declared (12.3).
    RuleDraw,
    /// A flag fell (8.2.6).
    Flag,
    /// Lost by decision (12.2.4).
    Forfeit,
    /// Lost for lateness (8.3.2).
    Late,
    /// The arbiter entered the result.
    Arbiter,
}

/// One thing that happened, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When, on the game's time line.
    pub t: Moment,
    /// What.
    #[serde(flatten)]
    pub body: EventBody,
}

/// What happened. The key `kind` tells which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum EventBody {
    /// The game's time line begins.
    GameStarted {
        /// Which game is played.
        variant: Variant,
        /// The position on the board.
        fen: String,
        /// How a crowning is sensed.
        crowning: Crowning,
        /// Whether a clock is linked.
        clock: ClockLink,
        /// The time control, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<String>,
    },
    /// A debounced contact changed; `t` is when the change began.
    Contact {
        /// The square.
        square: Square,
        /// A disc stands on it, or passes over it.
        closed: bool,
    },
    /// A debounced stack contact changed.
    Crown {
        /// The far-row square.
        square: Square,
        /// Two discs stand on it.
        closed: bool,
    },
    /// A spare disc left a well or came back to it.
    Reserve {
        /// The colour of the disc.
        side: Side,
        /// The disc lies in the well.
        closed: bool,
    },
    /// A move was read. `fen` is the position after it.
    Move {
        /// Provisional or final.
        status: MoveStatus,
        /// The move.
        #[serde(flatten)]
        record: MoveRecord,
        /// The position after it.
        fen: String,
    },
    /// The move of this ply, and every later one, no longer stands.
    Withdrawn {
        /// The first ply that no longer stands.
        ply: u32,
        /// The position that stands instead.
        fen: String,
    },
    /// An entry of the arbiter could not be carried out; nothing has changed. The arbiter's audience only.
    Refused {
        /// What was entered.
        entry: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The position was set by the arbiter.
    PositionSet {
        /// The position.
        fen: String,
    },
    /// A player pressed the clock.
    Press {
        /// Who.
        side: Side,
    },
    /// The clock's report.
    Clock {
        /// Times, who runs, whose flag fell.
        #[serde(flatten)]
        report: ClockReport,
    },
    /// The linked clock can be heard, or no longer.
    ClockConnection {
        /// Which, and what the clock remembers.
        connection: ClockConnection,
    },
    /// Something is wrong with the linked clock or its line. The arbiter's audience only.
    ClockTrouble {
        /// What.
        trouble: ClockTrouble,
    },
    /// The clock was set by the daemon: at the start, for a new period, after an outage, or because the arbiter
    /// entered something. The report that goes with it says to what. The arbiter's audience only.
    ClockSet {
        /// Why.
        reason: ClockSetReason,
    },
    /// A side's time came down to a mark that matters for its duty to record. The arbiter's audience only.
    TimeMark {
        /// Whose time.
        side: Side,
        /// Which mark.
        mark: TimeMark,
    },
    /// A claim of a draw came before the arbiter, or no longer is (8.2.7). The arbiter's audience only.
    DrawClaim {
        /// Whose.
        claim: DrawClaim,
    },
    /// The game is being adjourned: this position and these times were recorded (11.3.1). Times are null where no
    /// clock is known.
    Adjourning {
        /// The position.
        fen: String,
        /// White's time in milliseconds.
        white_ms: Option<u64>,
        /// Black's.
        black_ms: Option<u64>,
    },
    /// A side confirmed what was recorded. The arbiter's audience only.
    Confirmed {
        /// Who.
        side: Side,
    },
    /// The player on turn thinks about the move that he seals (11.3.3).
    Sealing {
        /// Who.
        side: Side,
    },
    /// The game is adjourned; its next move is sealed, and nobody knows it (11.3.5).
    Adjourned {
        /// The position.
        fen: String,
        /// White's time in milliseconds.
        white_ms: Option<u64>,
        /// Black's.
        black_ms: Option<u64>,
    },
    /// The envelope was opened (11.4): this move is played next.
    SealedMove {
        /// Who sealed it.
        side: Side,
        /// As on the score sheet.
        text: String,
    },
    /// A button at the table. The arbiter's audience only.
    Button {
        /// Which.
        button: Button,
        /// Whose.
        side: Side,
    },
    /// An alert opened, or its state changed. The arbiter's audience only.
    Alert {
        /// The alert as it stands now.
        #[serde(flatten)]
        alert: Alert,
    },
    /// The arbiter has seen an alert. The arbiter's audience only.
    AlertSeen {
        /// Its id.
        id: String,
    },
    /// An alert that rested on a reading which turned out wrong. The arbiter's audience only.
    AlertWithdrawn {
        /// Its id.
        id: String,
    },
    /// A draw rule is complete at this ply. The arbiter's audience only.
    Draw {
        /// The rule's name, kebab-case.
        rule: String,
        /// The ply that completes it.
        ply: u32,
    },
    /// What a rule has to say to the arbiter about the position after this ply, which is no draw by itself. The
    /// arbiter's audience only.
    Advice {
        /// The rule.
        article: AdviceArticle,
        /// The ply.
        ply: u32,
        /// The player whom it is about, if it is about one.
        side: Option<Side>,
    },
    /// Several explanations with different positions, and no evidence between them. The arbiter's
    /// audience only.
    Unclear {
        /// The explanations, in a fixed order; none is better than the others.
        explanations: Vec<Explanation>,
    },
    /// What was unclear is decided. The arbiter's audience only.
    Cleared,
    /// A contact behaves as no disc makes it behave. The arbiter's audience only.
    Fault {
        /// The square.
        square: Square,
        /// What is wrong with it.
        fault: ContactFault,
    },
    /// A faulty contact works again. The arbiter's audience only.
    FaultCleared {
        /// The square.
        square: Square,
    },
    /// Moves are not read until this is restored. The arbiter's audience only.
    Disturbed {
        /// Squares whose disc is missing.
        missing: SquareSet,
        /// Squares with a disc that does not belong there.
        extra: SquareSet,
    },
    /// The position stands again. The arbiter's audience only.
    Restored,
    /// Reading of moves is suspended.
    Paused,
    /// Reading of moves goes on, or the program was down and goes on from what it kept.
    Resumed {
        /// How the program was down; `None` when the arbiter resumed the game. A game that was paused
        /// before the program was down still is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        restart: Option<Restart>,
    },
    /// The game has a result.
    Result {
        /// White's points first.
        result: GameResult,
        /// Why.
        reason: EndReason,
    },
    /// Whether what happens is being kept, told by the shell. The arbiter's audience only.
    Journal {
        /// What goes wrong; `None` when everything is kept again.
        problem: Option<String>,
    },
    /// The recording stops.
    RecordingEnded,
}

/// Why the clock was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockSetReason {
    /// The game begins.
    Start,
    /// It stands: the game is paused, adjourned or over.
    Stop,
    /// It runs again.
    GoOn,
    /// A period of the time control begins.
    Period,
    /// It is back after an outage and has to be told the times.
    Reconciled,
    /// The arbiter corrected it.
    Arbiter,
}

/// A mark of remaining time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeMark {
    /// Less than five minutes and no bonus: time trouble, the player need not record (CN100 10.5).
    FiveMinutes,
    /// Less than three minutes to the time limit: recording may be suspended (CNXQ 3.2).
    ThreeMinutes,
}

/// A rule that has something to say to the arbiter about a position; both hold in games of a fixed time without a bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AdviceArticle {
    /// A theoretical draw, not to be played on unless there clearly is play left or the stronger side shows a win.
    #[serde(rename = "CN100 8.1.3.1A")]
    TheoreticalDraw,
    /// Few pieces, and this player has less than a minute: he may ask for a draw if he stands sufficiently better.
    #[serde(rename = "CN100 8.1.3.1B")]
    ShortOfTime,
}

/// What is wrong with a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContactFault {
    /// Open where a disc must stand.
    StuckOpen,
    /// Closed where no disc can stand.
    StuckClosed,
    /// Changes without end.
    Chattering,
    /// Also closes for a disc on a neighbouring square.
    Coupled,
    /// Its diode lets current through backwards: while it is closed, contacts that share wires with it make others
    /// read closed.
    Ghost,
}

/// One way to read what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The moves from the last position that is certain.
    pub moves: Vec<String>,
    /// The position they lead to.
    pub fen: String,
    /// The codes they would raise.
    pub irregular: Vec<AlertCode>,
}

impl Event {
    /// The event as the public may see it; `None` when it is not the public's.
    ///
    /// Without alerts, marks, hypotheses, or anything from which they could be told (CN100 14.1.13:
    /// the board must tell a player nothing that helps him).
    #[must_use]
    pub fn for_public(&self) -> Option<Self> {
        let body = match &self.body {
            EventBody::Move { status, record, fen } => EventBody::Move {
                status: *status,
                record: MoveRecord { irregular: Vec::new(), certainty: None, ..record.clone() },
                fen: fen.clone(),
            },
            EventBody::Button { .. }
            | EventBody::ClockTrouble { .. }
            | EventBody::ClockSet { .. }
            | EventBody::TimeMark { .. }
            | EventBody::DrawClaim { .. }
            | EventBody::Confirmed { .. }
            | EventBody::Alert { .. }
            | EventBody::AlertSeen { .. }
            | EventBody::AlertWithdrawn { .. }
            | EventBody::Draw { .. }
            | EventBody::Advice { .. }
            | EventBody::Unclear { .. }
            | EventBody::Cleared
            | EventBody::Fault { .. }
            | EventBody::FaultCleared { .. }
            | EventBody::Disturbed { .. }
            | EventBody::Refused { .. }
            | EventBody::Journal { .. }
            | EventBody::Restored => return None,
            EventBody::GameStarted { .. }
            | EventBody::Contact { .. }
            | EventBody::Crown { .. }
            | EventBody::Reserve { .. }
            | EventBody::Withdrawn { .. }
            | EventBody::PositionSet { .. }
            | EventBody::Press { .. }
            | EventBody::Clock { .. }
            | EventBody::ClockConnection { .. }
            | EventBody::Adjourning { .. }
            | EventBody::Sealing { .. }
            | EventBody::Adjourned { .. }
            | EventBody::SealedMove { .. }
            | EventBody::Paused
            | EventBody::Resumed { .. }
            | EventBody::Result { .. }
            | EventBody::RecordingEnded => self.body.clone(),
        };
        Some(Self { t: self.t, body })
    }
}
