//! Contact traces: what the switches, the clock and the people at the table did, before any
//! interpretation, as JSON Lines (`docs/trace.md`).
//!
//! This is the daemon's one recorded input. The live daemon writes it, `draughtsd replay` reads it,
//! tests are made of it. Here are the types and the text of single lines; files, compression and
//! line numbers are the shell's.
//!
//! Every event is one [`Input`] with its [`Moment`]; [`Input`] is also the closed list of what can
//! wake the core.

mod contact_line;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clock::{ClockConnection, ClockTrouble};
use crate::event::EndReason;
use crate::geometry::far_row;
use crate::matrix::Matrix;
use crate::moment::Moment;
use crate::piece::Side;
use crate::rules::Variant;
use crate::settings::Settings;
use crate::square::{Square, SquareSet};

/// The version of the trace form that this program writes and reads.
pub const VERSION: u32 = 1;

/// How a crowning is sensed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crowning {
    /// A contact per far-row square, closed only while two discs stand on it.
    Stack,
    /// Contacts under the spare discs.
    Reserve,
    /// Not sensed.
    #[default]
    None,
}

/// Whether a game clock is linked, so that presses are in the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockLink {
    /// Press events are in the trace.
    Linked,
    /// There is no linked clock.
    #[default]
    None,
}

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the trace form, [`VERSION`].
    pub trace: u32,
    /// Which game is played.
    pub board: Variant,
    /// FEN of the position on the board at the beginning; absent: the game's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// How a crowning is sensed.
    #[serde(default)]
    pub crowning: Crowning,
    /// Whether presses are in the trace.
    #[serde(default)]
    pub clock: ClockLink,
    /// The time control in the notation of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<String>,
    /// Contacts closed at the beginning; absent: every occupied square of `start`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed: Option<SquareSet>,
    /// At which crossing of the matrix each square's contact sits, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Matrix>,
    /// Thresholds in force where they differ from the defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Settings>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Header {
    /// The header of a game of `variant` from its start position, nothing sensed but the contacts.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        Self {
            trace: VERSION,
            board: variant,
            start: None,
            crowning: Crowning::None,
            clock: ClockLink::None,
            time_control: None,
            closed: None,
            matrix: None,
            settings: None,
            note: None,
        }
    }

    /// Reads the first line of a trace.
    ///
    /// # Errors
    /// [`LineError`] when the line is not a header, names unknown keys, is of another version, has a
    /// threshold beyond all bounds or lists squares that the board does not have.
    pub fn parse(line: &str) -> Result<Self, LineError> {
        // The version first: a header of another version may well have keys that are not known here.
        if let Ok(VersionOnly { trace }) = serde_json::from_str(line)
            && trace != VERSION
        {
            return Err(LineError::Version(trace));
        }
        let header: Self = serde_json::from_str(line).map_err(|e| LineError::header(&e))?;
        let thresholds = header.settings.as_ref().map(Settings::entries).unwrap_or_default();
        if let Some((key, value)) = thresholds.into_iter().find(|entry| entry.1 > Settings::LONGEST_MS) {
            return Err(LineError::Threshold { key, value });
        }
        if let Some(closed) = header.closed
            && let Some(square) = closed.iter().find(|&square| !square.is_on(header.board))
        {
            return Err(LineError::NoSuchSquare { square, board: header.board });
        }
        if let Some(found) = header.matrix.as_ref().map(Matrix::contacts)
            && found != usize::from(header.board.square_count())
        {
            return Err(LineError::Matrix { found, board: header.board });
        }
        Ok(header)
    }

    /// The header as a line of text, without the line end.
    ///
    /// # Panics
    /// Never: what a header holds can always be written as JSON.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a header has only string keys")
    }
}

/// What every version of the header has in common.
#[derive(Deserialize)]
struct VersionOnly {
    trace: u32,
}

/// A button at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Button {
    /// Announces adjusting of own discs (CN100 5.13).
    Adjust,
    /// Offers a draw (CN100 12.4).
    Draw,
    /// Resigns the game (CN100 12.2.1).
    Resign,
    /// Calls the arbiter.
    Arbiter,
}

/// What the linked clock shows. Times are left on the clock, in milliseconds as fine as it gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockReport {
    /// White's remaining time.
    pub white_ms: u64,
    /// Black's remaining time.
    pub black_ms: u64,
    /// Whose time runs; `None` while the clock stands.
    pub running: Option<Side>,
    /// Whose flag has fallen.
    pub flag: Option<Side>,
}

/// The arbiter's decision about an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// The act is undone or done again as it should have been.
    Corrected,
    /// The act stands.
    Stands,
    /// The board was wrong.
    BoardError,
}

/// The result of a game: White's points first; a win counts two, `0-0` is a loss for both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White has won.
    #[serde(rename = "2-0")]
    WhiteWins,
    /// Drawn.
    #[serde(rename = "1-1")]
    Draw,
    /// Black has won.
    #[serde(rename = "0-2")]
    BlackWins,
    /// Both have lost.
    #[serde(rename = "0-0")]
    BothLose,
    /// Not finished.
    #[default]
    #[serde(rename = "*")]
    Unknown,
}

impl GameResult {
    /// The result when `side` has won.
    #[must_use]
    pub const fn win_for(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// The result as it is written in traces and feeds: `2-0`, `1-1`, `0-2`, `0-0` or `*`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "2-0",
            Self::Draw => "1-1",
            Self::BlackWins => "0-2",
            Self::BothLose => "0-0",
            Self::Unknown => "*",
        }
    }
}

/// What the arbiter entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArbiterInput {
    /// The game starts.
    Start,
    /// The game is suspended: contacts are kept, moves are not read.
    Pause,
    /// The game goes on.
    Resume,
    /// The game's result.
    Result {
        /// The result.
        result: GameResult,
        /// How it came about; `None` leaves it at the arbiter's word.
        reason: Option<EndReason>,
    },
    /// A ruling on the alert of this id.
    Rule {
        /// The alert's id.
        alert: String,
        /// What was decided.
        decision: Decision,
    },
    /// The position that stands on the board, as FEN.
    Position(String),
    /// What he does to the clock.
    Clock(ClockEntry),
    /// A step of an adjournment (CN100 11).
    Adjourn(AdjournEntry),
    /// A claim of a draw that is before him, or no longer (8.2.7).
    DrawClaim(DrawClaim),
    /// The arbiter has seen the alert of this id; nothing else comes of it.
    Seen(String),
    /// Of several explanations, the one that leads to this position, as FEN.
    Choose(String),
    /// The man on this square has been crowned.
    Crowned(Square),
}

/// What the arbiter does to the clock. Only he may (CN100 9.1, 14.3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ClockEntry {
    /// Starts this side's time: White's at the beginning, Black's where Black is absent (9.1).
    Run(Side),
    /// Stops both times; moves are read on.
    Stop,
    /// Sets the times to these, in milliseconds; who runs stays so.
    Set {
        /// White's.
        white_ms: u64,
        /// Black's.
        black_ms: u64,
    },
    /// The time that a correction took falls to the offender (8.2.8), and the arbiter says how much it is. Where it
    /// ran on the other's clock, the other gets it back.
    Correction {
        /// Who bears it.
        offender: Side,
        /// How long it took, in milliseconds.
        ms: u64,
        /// Whose time ran meanwhile; `null` where the clock stood.
        ran: Option<Side>,
    },
    /// Both players were absent and White's time ran; this one has come: what has run is split equally, and the
    /// absent one's time runs (9.2).
    Split(Side),
    /// White's and Black's side of the clock are exchanged: from now on left is what right was.
    Swap,
}

/// A step of an adjournment and of what follows it, in the order of CN100 11.3 and 11.4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AdjournEntry {
    /// The arbiter records the position; the clock stands, moves are not read (11.3.1).
    Position,
    /// A side confirms what was recorded: the position before sealing, position and times after it (11.3.1, 11.4).
    Confirmed(Side),
    /// The player on turn thinks about the move he seals; his time runs (11.3.3).
    Sealing,
    /// The move is in the envelope; the clock is stopped (11.3.4).
    Sealed,
    /// The envelope is opened, and this is the move in it (11.4).
    Opened(String),
}

/// Whether a claim of a draw is before the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawClaim {
    /// White claims.
    White,
    /// Black claims.
    Black,
    /// It was refused or taken back. A claim that is granted is a result.
    Decided,
}

/// The program was down and goes on from what it kept: the time line continues at the last moment that was
/// kept, however long the outage was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restart {
    /// For how long nothing was recorded, in milliseconds; `None` if no clock ran through the outage.
    pub outage_ms: Option<u64>,
    /// The contacts that are not as they were when the recording broke off. The changes themselves follow as
    /// events of the same moment.
    pub changed: SquareSet,
}

/// Everything that can happen to a game, time apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The raw contact of a square changed, bounce included.
    Contact {
        /// The square.
        square: Square,
        /// Closed (a magnet is near) or open.
        closed: bool,
    },
    /// The raw stack contact of a far-row square changed.
    Crown {
        /// The far-row square.
        square: Square,
        /// Closed while two discs stand on it.
        closed: bool,
    },
    /// The sensor behind a stack contact is faulty: until it works again, nothing follows from what that contact says
    /// or does not say.
    CrownSensor {
        /// The far-row square.
        square: Square,
        /// Whether it works again.
        works: bool,
    },
    /// A spare disc was taken from a well (open) or put into it (closed).
    Reserve {
        /// The colour of the well's discs.
        side: Side,
        /// Closed: the disc lies in the well.
        closed: bool,
        /// Which of the side's wells, where that is known.
        well: Option<u8>,
    },
    /// A player pressed the clock: his time stops, the other's runs.
    Press {
        /// Who pressed.
        side: Side,
    },
    /// The clock's own report.
    Clock(ClockReport),
    /// The linked clock can be heard, or no longer.
    ClockConnection(ClockConnection),
    /// Something is wrong with the linked clock or its line.
    ClockTrouble(ClockTrouble),
    /// A button at the table.
    Button {
        /// Which button.
        button: Button,
        /// Whose.
        side: Side,
    },
    /// What the arbiter entered.
    Arbiter(ArbiterInput),
    /// The program was down.
    Restart(Restart),
    /// The recording stops.
    End,
}

/// An input and when it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedInput {
    /// When, on the game's time line.
    pub at: Moment,
    /// What.
    pub input: Input,
}

/// Why a line of a trace was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// The first line is not a header.
    #[error("not a trace header: {0}; the first line is like {{\"trace\":1,\"board\":\"international\"}}")]
    Header(String),
    /// The trace is of a version that this program does not read.
    #[error("this trace is of version {0}; this program reads version {VERSION}")]
    Version(u32),
    /// The line is no JSON object of the known form.
    #[error("not a trace event: {0}")]
    Event(String),
    /// None or more than one of the event keys is there.
    #[error(
        "an event has exactly one of contact, crown, crown_sensor, reserve, press, clock, clock_connection, clock_trouble, button, arbiter, restart, end; \
         found {0}"
    )]
    Kind(String),
    /// A key is there that does not belong to this kind of event, or one is missing.
    #[error("the key `{key}` {problem} in an event of the kind `{kind}`")]
    Key {
        /// The kind of event.
        kind: &'static str,
        /// The key at fault.
        key: &'static str,
        /// `is missing` or `does not belong`.
        problem: &'static str,
    },
    /// A threshold is longer than any can be.
    #[error("the threshold `{key}` is {value}; none is longer than a day, {} ms", Settings::LONGEST_MS)]
    Threshold {
        /// Its key.
        key: String,
        /// Its value.
        value: u64,
    },
    /// The matrix is that of another board.
    #[error("the matrix has {found} contacts; the {board} board has one for each of its {} squares", board.square_count())]
    Matrix {
        /// How many it has.
        found: usize,
        /// The board.
        board: Variant,
    },
    /// The square is not on the board.
    #[error("square {square} is not on the {board} board, whose squares are 1 to {}", board.square_count())]
    NoSuchSquare {
        /// The square.
        square: Square,
        /// The board.
        board: Variant,
    },
    /// The square has no stack contact.
    #[error("square {square} is on no far row of the {board} board, so it has no stack contact")]
    NoStackContact {
        /// The square.
        square: Square,
        /// The board.
        board: Variant,
    },
    /// The recording had stopped already.
    #[error("an event after `end`; a trace holds one game, and `end` is its last line")]
    AfterEnd,
    /// The moment lies before that of the line above.
    #[error("t goes back from {before} to {now}; events are in order of time")]
    TimeWentBack {
        /// The moment of the event before.
        before: Moment,
        /// The moment of this event.
        now: Moment,
    },
}

impl LineError {
    fn header(error: &serde_json::Error) -> Self {
        Self::Header(json_problem(error))
    }
}

/// What is wrong with a line, with the column alone: a line of a trace is always line 1 to the parser.
fn json_problem(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at line ") {
        Some(cut) if error.column() > 0 => format!("{} (column {})", &text[..cut], error.column()),
        _ => text,
    }
}

/// One event as it is written; which keys are present tells its kind.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEvent {
    t: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contact: Option<Square>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crown: Option<Square>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crown_sensor: Option<Square>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reserve: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    press: Option<Side>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockReport>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_connection: Option<ClockConnection>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_trouble: Option<ClockTrouble>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    button: Option<Button>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arbiter: Option<RawArbiter>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restart: Option<Restart>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    works: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    well: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<Side>,
}

/// The arbiter's entry as it is written: one of these keys.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawArbiter {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pause: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resume: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<GameResult>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<EndReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<RawRuling>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adjourn: Option<AdjournEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draw_claim: Option<DrawClaim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choose: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crowned: Option<Square>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRuling {
    alert: String,
    decision: Decision,
}

impl RawArbiter {
    fn into_input(self) -> Result<ArbiterInput, LineError> {
        let mut found = Vec::new();
        let mut name = |key: &'static str, input: Option<ArbiterInput>| found.extend(input.map(|i| (key, i)));
        name("start", self.start.filter(|&yes| yes).map(|_| ArbiterInput::Start));
        name("pause", self.pause.filter(|&yes| yes).map(|_| ArbiterInput::Pause));
        name("resume", self.resume.filter(|&yes| yes).map(|_| ArbiterInput::Resume));
        let reason = self.reason;
        name("result", self.result.map(|result| ArbiterInput::Result { result, reason }));
        name("rule", self.rule.map(|r| ArbiterInput::Rule { alert: r.alert, decision: r.decision }));
        name("position", self.position.map(ArbiterInput::Position));
        name("clock", self.clock.map(ArbiterInput::Clock));
        name("adjourn", self.adjourn.map(ArbiterInput::Adjourn));
        name("draw_claim", self.draw_claim.map(ArbiterInput::DrawClaim));
        name("seen", self.seen.map(ArbiterInput::Seen));
        name("choose", self.choose.map(ArbiterInput::Choose));
        name("crowned", self.crowned.map(ArbiterInput::Crowned));
        match found.len() {
            1 if reason.is_some() && found[0].0 != "result" => {
                Err(LineError::Event("a `reason` belongs to a `result` only".to_owned()))
            }
            1 => Ok(found.remove(0).1),
            _ => Err(LineError::Event(
                "an arbiter's entry has exactly one of start, pause, resume (true), result, rule, position, clock, \
                 adjourn, draw_claim, seen, choose, crowned"
                    .to_owned(),
            )),
        }
    }
}

impl From<&ArbiterInput> for RawArbiter {
    fn from(input: &ArbiterInput) -> Self {
        let mut raw = Self::default();
        match input {
            ArbiterInput::Start => raw.start = Some(true),
            ArbiterInput::Pause => raw.pause = Some(true),
            ArbiterInput::Resume => raw.resume = Some(true),
            ArbiterInput::Result { result, reason } => (raw.result, raw.reason) = (Some(*result), *reason),
            ArbiterInput::Rule { alert, decision } => {
                raw.rule = Some(RawRuling { alert: alert.clone(), decision: *decision });
            }
            ArbiterInput::Position(fen) => raw.position = Some(fen.clone()),
            ArbiterInput::Clock(entry) => raw.clock = Some(*entry),
            ArbiterInput::Adjourn(entry) => raw.adjourn = Some(entry.clone()),
            ArbiterInput::DrawClaim(claim) => raw.draw_claim = Some(*claim),
            ArbiterInput::Seen(alert) => raw.seen = Some(alert.clone()),
            ArbiterInput::Choose(fen) => raw.choose = Some(fen.clone()),
            ArbiterInput::Crowned(square) => raw.crowned = Some(*square),
        }
        raw
    }
}

impl TimedInput {
    /// Reads one event line of a trace of `board`.
    ///
    /// # Errors
    /// [`LineError`]: what is wrong with the line and what was expected.
    pub fn parse(line: &str, board: Variant) -> Result<Self, LineError> {
        if let Some((at, square, closed)) = contact_line::read(line)
            && square.is_on(board)
        {
            return Ok(Self { at, input: Input::Contact { square, closed } });
        }
        let raw: RawEvent = serde_json::from_str(line).map_err(|e| LineError::Event(json_problem(&e)))?;
        let at = Moment::from_millis(raw.t);
        let input = raw.into_input(board)?;
        Ok(Self { at, input })
    }

    /// The event as a line of text, without the line end.
    ///
    /// # Panics
    /// Never: what an event holds can always be written as JSON.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut raw = RawEvent { t: self.at.millis(), ..RawEvent::default() };
        match &self.input {
            Input::Contact { square, closed } => {
                (raw.contact, raw.closed) = (Some(*square), Some(*closed));
            }
            Input::Crown { square, closed } => {
                (raw.crown, raw.closed) = (Some(*square), Some(*closed));
            }
            Input::CrownSensor { square, works } => {
                (raw.crown_sensor, raw.works) = (Some(*square), Some(*works));
            }
            Input::Reserve { side, closed, well } => {
                (raw.reserve, raw.closed, raw.well) = (Some(*side), Some(*closed), *well);
            }
            Input::Press { side } => raw.press = Some(*side),
            Input::Clock(report) => raw.clock = Some(*report),
            Input::ClockConnection(connection) => raw.clock_connection = Some(*connection),
            Input::ClockTrouble(trouble) => raw.clock_trouble = Some(*trouble),
            Input::Button { button, side } => (raw.button, raw.side) = (Some(*button), Some(*side)),
            Input::Arbiter(entry) => raw.arbiter = Some(RawArbiter::from(entry)),
            Input::Restart(restart) => raw.restart = Some(restart.clone()),
            Input::End => raw.end = Some(true),
        }
        serde_json::to_string(&raw).expect("an event has only string keys")
    }
}

impl RawEvent {
    fn into_input(self, board: Variant) -> Result<Input, LineError> {
        let kinds: [(&'static str, bool); 12] = [
            ("contact", self.contact.is_some()),
            ("crown", self.crown.is_some()),
            ("crown_sensor", self.crown_sensor.is_some()),
            ("reserve", self.reserve.is_some()),
            ("press", self.press.is_some()),
            ("clock", self.clock.is_some()),
            ("clock_connection", self.clock_connection.is_some()),
            ("clock_trouble", self.clock_trouble.is_some()),
            ("button", self.button.is_some()),
            ("arbiter", self.arbiter.is_some()),
            ("restart", self.restart.is_some()),
            ("end", self.end.is_some()),
        ];
        let present: Vec<&'static str> = kinds.iter().filter(|k| k.1).map(|k| k.0).collect();
        let [kind] = present[..] else {
            let found = if present.is_empty() { "none".to_owned() } else { present.join(" and ") };
            return Err(LineError::Kind(found));
        };
        let needs_closed = matches!(kind, "contact" | "crown" | "reserve");
        for (key, wanted, present) in [
            ("closed", needs_closed, self.closed.is_some()),
            ("works", kind == "crown_sensor", self.works.is_some()),
            ("side", kind == "button", self.side.is_some()),
        ] {
            if wanted != present {
                let problem = if wanted { "is missing" } else { "does not belong" };
                return Err(LineError::Key { kind, key, problem });
            }
        }
        if self.well.is_some() && kind != "reserve" {
            return Err(LineError::Key { kind, key: "well", problem: "does not belong" });
        }
        let closed = self.closed.unwrap_or_default();
        let on_board = |square: Square| {
            if square.is_on(board) { Ok(square) } else { Err(LineError::NoSuchSquare { square, board }) }
        };
        if let Some(square) = self.contact {
            return Ok(Input::Contact { square: on_board(square)?, closed });
        }
        let with_stack_contact = |square: Square| {
            let square = on_board(square)?;
            match Side::ALL.iter().any(|&side| far_row(side, board).contains(square)) {
                true => Ok(square),
                false => Err(LineError::NoStackContact { square, board }),
            }
        };
        if let Some(square) = self.crown {
            return Ok(Input::Crown { square: with_stack_contact(square)?, closed });
        }
        if let (Some(square), Some(works)) = (self.crown_sensor, self.works) {
            return Ok(Input::CrownSensor { square: with_stack_contact(square)?, works });
        }
        if let Some(side) = self.reserve {
            return Ok(Input::Reserve { side, closed, well: self.well });
        }
        if let Some(side) = self.press {
            return Ok(Input::Press { side });
        }
        if let Some(report) = self.clock {
            return Ok(Input::Clock(report));
        }
        if let Some(connection) = self.clock_connection {
            return Ok(Input::ClockConnection(connection));
        }
        if let Some(trouble) = self.clock_trouble {
            return Ok(Input::ClockTrouble(trouble));
        }
        if let (Some(button), Some(side)) = (self.button, self.side) {
            return Ok(Input::Button { button, side });
        }
        if let Some(entry) = self.arbiter {
            let entry = entry.into_input()?;
            if let ArbiterInput::Crowned(square) = entry {
                on_board(square)?;
            }
            return Ok(Input::Arbiter(entry));
        }
        if let Some(restart) = self.restart {
            restart.changed.iter().try_for_each(|square| on_board(square).map(|_| ()))?;
            return Ok(Input::Restart(restart));
        }
        if self.end == Some(true) {
            return Ok(Input::End);
        }
        Err(LineError::Event("`end` is always true".to_owned()))
    }
}
