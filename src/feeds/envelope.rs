//! Envelopes: what every event on a feed carries besides its own fields, and the numbering.
//!
//! The core says what happened and when on the game's time line. Here each event is addressed
//! (`board`, `game`), placed (`epoch`, `seq`) and dated (`at`). Live feeds and `draughtsd replay
//! --output events` use the same [`Sequencer`], so a reader of one can read the other.
//!
//! **Invariant:** an event is filtered for its audience *before* it is numbered. A number missing from
//! the public sequence would tell a player that the arbiter was told something.

use std::fmt;

use draughtsd_core::event::Event;
use serde::ser::{Error, SerializeMap};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::wall_time::WallTime;

/// For whom events are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Spectators, broadcasters, relays, and with them the players.
    Public,
    /// The arbiter: everything.
    Arbiter,
}

/// Where an event stands among all events of a board: which run of the program sent it, and its number.
///
/// Printed and read as `EPOCH-SEQ`, the form of the ids of server-sent events. A `seq` of 0 means
/// "before the first event".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId {
    /// The run of the program that sent the event; another one is newer if it is greater.
    pub epoch: u64,
    /// The event's number in that run, from 1.
    pub seq: u64,
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.epoch, self.seq)
    }
}

impl EventId {
    /// Reads `EPOCH-SEQ`; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (epoch, seq) = text.split_once('-')?;
        Some(Self { epoch: digits(epoch)?, seq: digits(seq)? })
    }
}

/// Decimal digits and nothing else; the standard parser would take a leading `+`.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Numbers the events of one board for one audience, from 1 and without a gap.
#[derive(Clone, Debug)]
pub struct Sequencer {
    board: String,
    game: String,
    epoch: u64,
    audience: Audience,
    last: u64,
}

impl Sequencer {
    /// A sequencer whose first event gets the number 1.
    ///
    /// - `board`: the board's id, such as `1`.
    /// - `game`: the game's id.
    /// - `epoch`: the run of the program; milliseconds since 1970 for live feeds, 0 for a replay.
    #[must_use]
    pub fn new(board: impl Into<String>, game: impl Into<String>, epoch: u64, audience: Audience) -> Self {
        Self { board: board.into(), game: game.into(), epoch, audience, last: 0 }
    }

    /// A sequencer that goes on after `last`.
    #[must_use]
    pub fn after(last: EventId, board: impl Into<String>, audience: Audience) -> Self {
        let (epoch, last) = (last.epoch, last.seq);
        Self { board: board.into(), game: "0".to_owned(), epoch, audience, last }
    }

    /// For whom the events are.
    #[must_use]
    pub const fn audience(&self) -> Audience {
        self.audience
    }

    /// The next events belong to another game. The numbers go on.
    pub fn begin_game(&mut self, game: impl Into<String>) {
        self.game = game.into();
    }

    /// The board's id.
    #[must_use]
    pub fn board(&self) -> &str {
        &self.board
    }

    /// The id of the game under way.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The place of the last event.
    #[must_use]
    pub fn last(&self) -> EventId {
        EventId { epoch: self.epoch, seq: self.last }
    }

    /// Wraps and numbers an event; `None`, and no number used, when it is not for this audience.
    ///
    /// - `at`: when it happened by the calendar; `None` in a replay.
    pub fn wrap(&mut self, event: &Event, at: Option<WallTime>) -> Option<Envelope> {
        let envelope = self.wrap_again(event, at)?;
        self.last += 1;
        Some(Envelope { id: self.last(), ..envelope })
    }

    /// Wraps an event that had its number in an earlier run; it gets that of the last one.
    #[must_use]
    pub fn wrap_again(&self, event: &Event, at: Option<WallTime>) -> Option<Envelope> {
        let event = match self.audience {
            Audience::Public => event.for_public()?,
            Audience::Arbiter => event.clone(),
        };
        Some(Envelope { board: self.board.clone(), game: self.game.clone(), id: self.last(), at, event })
    }
}

/// An event as a feed carries it. Serialises to one flat JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The board's id.
    pub board: String,
    /// The game's id.
    pub game: String,
    /// Where the event stands among all of the board's.
    pub id: EventId,
    /// When it happened by the calendar; `None` in a replay.
    pub at: Option<WallTime>,
    /// What happened, already filtered for the audience.
    pub event: Event,
}

impl Envelope {
    /// The envelope as one line of JSON, without the line end.
    ///
    /// # Panics
    /// Never: an event has only string keys.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("an event has only string keys")
    }
}

impl Serialize for Envelope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut body = match serde_json::to_value(&self.event.body) {
            Ok(Value::Object(body)) => body,
            Ok(_) => return Err(S::Error::custom("an event body is an object")),
            Err(error) => return Err(S::Error::custom(error)),
        };
        let kind = body.remove("kind").unwrap_or_default();
        name_own_moment(&kind, &mut body);

        let mut map = serializer.serialize_map(Some(7 + body.len()))?;
        map.serialize_entry("board", &self.board)?;
        map.serialize_entry("game", &self.game)?;
        map.serialize_entry("epoch", &self.id.epoch)?;
        map.serialize_entry("seq", &self.id.seq)?;
        map.serialize_entry("t", &self.event.t)?;
        map.serialize_entry("at", &self.at)?;
        map.serialize_entry("kind", &kind)?;
        for (key, value) in &body {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A move and an alert have a moment of their own besides the event's, and one object cannot have the
/// key `t` twice.
fn name_own_moment(kind: &Value, body: &mut Map<String, Value>) {
    let name = if kind == "move" { "complete_t" } else { "opened_t" };
    if let Some(own) = body.remove("t") {
        body.insert(name.to_owned(), own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use draughtsd_core::event::EventBody;
    use draughtsd_core::moment::Moment;
    use draughtsd_core::piece::Side;
    use draughtsd_core::square::Square;
    use draughtsd_core::trace::Button;

    fn event(t: u64, body: EventBody) -> Event {
        Event { t: Moment::from_millis(t), body }
    }

    fn contact(t: u64) -> Event {
        event(t, EventBody::Contact { square: Square::new(32).unwrap(), closed: false })
    }

    fn secret(t: u64) -> Event {
        event(t, EventBody::Button { button: Button::Draw, side: Side::White })
    }

    #[test]
    fn an_envelope_is_one_flat_line() {
        let mut sequencer = Sequencer::new("1", "7", 0, Audience::Arbiter);
        let line = sequencer.wrap(&contact(1890), None).unwrap().to_line();
        let expected = r#"{"board":"1","game":"7","epoch":0,"seq":1,"t":1890,"at":null,"kind":"contact","closed":false,"square":32}"#;
        assert_eq!(line, expected);
    }

    #[test]
    fn wall_time_is_written_where_it_is_known() {
        let mut sequencer = Sequencer::new("1", "1", 5, Audience::Public);
        let envelope = sequencer.wrap(&contact(0), Some(WallTime::from_unix_ms(0))).unwrap();
        assert!(envelope.to_line().contains(r#""at":"1970-01-01T00:00:00.000Z""#));
    }

    #[test]
    fn each_audience_has_a_sequence_without_gaps() {
        let events = [contact(1), secret(2), secret(3), contact(4)];
        let numbers = |audience| {
            let mut sequencer = Sequencer::new("1", "1", 0, audience);
            events.iter().filter_map(|e| sequencer.wrap(e, None)).map(|e| e.id.seq).collect::<Vec<_>>()
        };
        assert_eq!(numbers(Audience::Public), [1, 2]);
        assert_eq!(numbers(Audience::Arbiter), [1, 2, 3, 4]);
    }

    #[test]
    fn numbers_go_on_in_the_next_game() {
        let mut sequencer = Sequencer::new("1", "1", 0, Audience::Public);
        assert_eq!(sequencer.last().seq, 0);
        sequencer.wrap(&contact(1), None);
        sequencer.begin_game("2");
        let envelope = sequencer.wrap(&contact(1), None).unwrap();
        assert_eq!((envelope.game.as_str(), envelope.id.seq), ("2", 2));
    }

    #[test]
    fn no_key_comes_twice() {
        let ended = event(
            9,
            EventBody::Move {
                status: draughtsd_core::event::MoveStatus::Final,
                record: draughtsd_core::event::MoveRecord {
                    ply: 1,
                    side: Side::White,
                    text: "32-28".to_owned(),
                    from: Square::new(32).unwrap(),
                    to: Square::new(28).unwrap(),
                    captures: Vec::new(),
                    t: Moment::from_millis(7),
                    irregular: Vec::new(),
                    certainty: None,
                },
                fen: String::new(),
            },
        );
        let line = Sequencer::new("1", "1", 0, Audience::Arbiter).wrap(&ended, None).unwrap().to_line();
        assert!(line.contains(r#""t":9,"#) && line.contains(r#""complete_t":7,"#), "{line}");
        assert_eq!(line.matches(r#""t":"#).count(), 1, "{line}");
    }

    #[test]
    fn ids_are_read_as_they_are_printed_and_nothing_else_is() {
        let id = EventId { epoch: 1_789_000_000_000, seq: 42 };
        assert_eq!(EventId::parse(&id.to_string()), Some(id));
        for wrong in ["", "-", "1", "1-", "-1", "+1-2", "1-+2", "1-2-3", "a-1", "1-99999999999999999999"] {
            assert_eq!(EventId::parse(wrong), None, "{wrong}");
        }
    }
}
