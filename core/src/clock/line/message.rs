//! What lines say. Fields are separated by single blanks; fields after those that are known here are passed over, so
//! that a later version may add some.

use std::fmt;

use super::LineError;
use crate::clock::{ClockCommand, SideSetting, TimeMode};
use crate::time_control::Bonus;

/// No time is longer: 99 hours, in milliseconds.
const LONGEST_MS: u64 = 99 * 3_600_000;

/// Something for the left end of the clock and for the right one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends<T> {
    /// The left one's.
    pub left: T,
    /// The right one's.
    pub right: T,
}

/// What the daemon asks of the clock. Each is sent with a number, and answered with that number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Who are you, and which version do you speak? The highest that the daemon speaks is given.
    Hello {
        /// The version.
        version: u8,
    },
    /// Set the times and let them run so.
    Set(Ends<SideSetting>),
    /// Show a text.
    Text(String),
    /// Show the times again.
    EndText,
    /// Sound for so many sixteenths of a second.
    Beep(u8),
    /// Send a status now. It keeps the link alive.
    Ask,
}

/// What a clock says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// The version in which it goes on: the lower of both ends' highest ones.
    pub version: u8,
    /// A number that is another one each time the clock was without power.
    pub session: u32,
    /// Whether its times were set since then.
    pub set: bool,
    /// What it calls itself.
    pub name: String,
}

/// Why a clock refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not speak the version.
    Version,
    /// It cannot read the request.
    Syntax,
    /// A value is out of its range.
    Range,
    /// It cannot do that now.
    Mode,
    /// It does not know the request.
    Unknown,
}

/// Times, presses and flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The times left, in milliseconds.
    pub left_ms: Ends<u64>,
    /// Which end runs: `Some(true)` is the left one.
    pub left_runs: Option<bool>,
    /// Whose flag has fallen first: `Some(true)` is the left one's.
    pub left_fell: Option<bool>,
    /// How often each end was pressed while it ran, since the clock has power.
    pub presses: Ends<u32>,
}

/// What the clock sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The request of this number was carried out; the answer to a `HELLO` says more.
    Ok {
        /// Its number.
        id: u16,
        /// Of a `HELLO`.
        welcome: Option<Welcome>,
    },
    /// The request of this number was not carried out.
    No {
        /// Its number.
        id: u16,
        /// Why.
        refusal: Refusal,
    },
    /// How it stands. `number` is another one in each; one that comes twice was sent twice.
    Time {
        /// The message's number.
        number: u16,
        /// What it says.
        status: Status,
    },
    /// A button, by its place from the left, 1 to 5.
    Button {
        /// The message's number.
        number: u16,
        /// The button.
        button: u8,
    },
    /// The battery is low.
    Low,
    /// The clock has just been switched on.
    Boot,
}

impl Request {
    /// The request for a command.
    ///
    /// - `ends`: puts White's and Black's setting on the ends of the clock.
    #[must_use]
    pub fn of(command: ClockCommand, ends: impl Fn(SideSetting, SideSetting) -> Ends<SideSetting>) -> Self {
        match command {
            ClockCommand::Set(setting) => Self::Set(ends(setting.white, setting.black)),
            ClockCommand::Text(text) => Self::Text(shown(&text)),
            ClockCommand::EndText => Self::EndText,
            ClockCommand::Beep(sixteenths) => Self::Beep(sixteenths.min(48)),
        }
    }

    /// The payload of the line.
    ///
    /// - `id`: the number of the request.
    #[must_use]
    pub fn write(&self, id: u16) -> String {
        match self {
            Self::Hello { version } => format!("HELLO {id} {version}"),
            Self::Set(Ends { left, right }) => format!("SET {id} {} {}", Setting(*left), Setting(*right)),
            Self::Text(text) => format!("TEXT {id} {}", shown(text)),
            Self::EndText => format!("END {id}"),
            Self::Beep(sixteenths) => format!("BEEP {id} {sixteenths}"),
            Self::Ask => format!("ASK {id}"),
        }
    }

    /// Reads the payload of a line; the clock's end of it.
    ///
    /// # Errors
    /// [`LineError::Unknown`] or [`LineError::Field`].
    pub fn parse(payload: &str) -> Result<(u16, Self), LineError> {
        let (word, rest) = payload.split_once(' ').ok_or(LineError::Unknown)?;
        let (id, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let id = number(id)?;
        let mut fields = Fields(rest);
        let request = match word {
            "HELLO" => Self::Hello { version: fields.number()? },
            "SET" => Self::Set(Ends { left: fields.setting()?, right: fields.setting()? }),
            "TEXT" => Self::Text(shown(rest)),
            "END" => Self::EndText,
            "BEEP" => Self::Beep(fields.number()?),
            "ASK" => Self::Ask,
            _ => return Err(LineError::Unknown),
        };
        Ok((id, request))
    }
}

impl Message {
    /// The payload of the line; the clock's end of it.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Self::Ok { id, welcome: None } => format!("OK {id}"),
            Self::Ok { id, welcome: Some(Welcome { version, session, set, name }) } => {
                format!("OK {id} {version} {session} {} {name}", if *set { "set" } else { "unset" })
            }
            Self::No { id, refusal } => format!("NO {id} {refusal}"),
            Self::Time { number, status } => {
                let Status { left_ms, left_runs, left_fell, presses } = status;
                format!(
                    "TIME {number} {} {} {} {} {} {}",
                    left_ms.left,
                    left_ms.right,
                    end(*left_runs),
                    end(*left_fell),
                    presses.left,
                    presses.right
                )
            }
            Self::Button { number, button } => format!("BUTTON {number} {button}"),
            Self::Low => "LOW".to_owned(),
            Self::Boot => "BOOT".to_owned(),
        }
    }

    /// Reads the payload of a line.
    ///
    /// # Errors
    /// [`LineError::Unknown`] or [`LineError::Field`].
    pub fn parse(payload: &str) -> Result<Self, LineError> {
        let (word, rest) = payload.split_once(' ').unwrap_or((payload, ""));
        let mut fields = Fields(rest);
        Ok(match word {
            "OK" => Self::Ok {
                id: fields.number()?,
                welcome: if fields.0.is_empty() { None } else { Some(fields.welcome()?) },
            },
            "NO" => Self::No { id: fields.number()?, refusal: fields.refusal()? },
            "TIME" => Self::Time { number: fields.number()?, status: fields.status()? },
            "BUTTON" => {
                let (number, button) = (fields.number()?, fields.number()?);
                if !(1..=5).contains(&button) {
                    return Err(LineError::Field);
                }
                Self::Button { number, button }
            }
            "LOW" => Self::Low,
            "BOOT" => Self::Boot,
            _ => return Err(LineError::Unknown),
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "version",
            Self::Syntax => "syntax",
            Self::Range => "range",
            Self::Mode => "mode",
            Self::Unknown => "unknown",
        })
    }
}

/// The characters of a text that a clock can be asked to show.
fn shown(text: &str) -> String {
    let printable = text.chars().filter(|c| (' '..='~').contains(c) && *c != '*');
    printable.take(ClockCommand::LONGEST_TEXT).collect()
}

const fn end(left: Option<bool>) -> &'static str {
    match left {
        Some(true) => "left",
        Some(false) => "right",
        None => "none",
    }
}

/// `4800000 down f60000`.
struct Setting(SideSetting);

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SideSetting { left_ms, mode, bonus } = self.0;
        let mode = match mode {
            TimeMode::Stopped => "stop",
            TimeMode::Down => "down",
            TimeMode::Up => "up",
        };
        write!(f, "{} {mode} ", left_ms.min(LONGEST_MS))?;
        match bonus {
            Bonus::None => f.write_str("0"),
            Bonus::Fischer { ms } => write!(f, "f{ms}"),
            Bonus::Bronstein { ms } => write!(f, "b{ms}"),
        }
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, LineError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or(LineError::Field)
}

/// Fields not read yet.
struct Fields<'t>(&'t str);

impl<'t> Fields<'t> {
    fn next(&mut self) -> Result<&'t str, LineError> {
        if self.0.is_empty() {
            return Err(LineError::Field);
        }
        let (field, rest) = self.0.split_once(' ').unwrap_or((self.0, ""));
        self.0 = rest;
        Ok(field)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, LineError> {
        number(self.next()?)
    }

    fn time(&mut self) -> Result<u64, LineError> {
        self.number().and_then(|ms| if ms <= LONGEST_MS { Ok(ms) } else { Err(LineError::Field) })
    }

    fn setting(&mut self) -> Result<SideSetting, LineError> {
        let left_ms = self.time()?;
        let mode = match self.next()? {
            "stop" => TimeMode::Stopped,
            "down" => TimeMode::Down,
            "up" => TimeMode::Up,
            _ => return Err(LineError::Field),
        };
        let bonus = self.next()?;
        let bonus = match bonus.strip_prefix(['f', 'b']).map(number::<u64>) {
            None if bonus == "0" => Bonus::None,
            Some(Ok(ms)) if ms <= LONGEST_MS && bonus.starts_with('f') => Bonus::Fischer { ms },
            Some(Ok(ms)) if ms <= LONGEST_MS => Bonus::Bronstein { ms },
            _ => return Err(LineError::Field),
        };
        Ok(SideSetting { left_ms, mode, bonus })
    }

    fn end(&mut self) -> Result<Option<bool>, LineError> {
        match self.next()? {
            "left" => Ok(Some(true)),
            "right" => Ok(Some(false)),
            "none" => Ok(None),
            _ => Err(LineError::Field),
        }
    }

    fn status(&mut self) -> Result<Status, LineError> {
        Ok(Status {
            left_ms: Ends { left: self.time()?, right: self.time()? },
            left_runs: self.end()?,
            left_fell: self.end()?,
            presses: Ends { left: self.number()?, right: self.number()? },
        })
    }

    fn welcome(&mut self) -> Result<Welcome, LineError> {
        let (version, session) = (self.number()?, self.number()?);
        let set = match self.next()? {
            "set" => true,
            "unset" => false,
            _ => return Err(LineError::Field),
        };
        Ok(Welcome { version, session, set, name: self.next().unwrap_or_default().to_owned() })
    }

    fn refusal(&mut self) -> Result<Refusal, LineError> {
        match self.next()? {
            "version" => Ok(Refusal::Version),
            "syntax" => Ok(Refusal::Syntax),
            "range" => Ok(Refusal::Range),
            "mode" => Ok(Refusal::Mode),
            "unknown" => Ok(Refusal::Unknown),
            _ => Err(LineError::Field),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_they_are_written() {
        let setting = |left_ms, mode, bonus| SideSetting { left_ms, mode, bonus };
        let left = setting(4_800_000, TimeMode::Down, Bonus::Fischer { ms: 60_000 });
        let right = setting(4_799_999, TimeMode::Stopped, Bonus::Bronstein { ms: 5000 });
        for (id, request, payload) in [
            (1, Request::Hello { version: 1 }, "HELLO 1 1"),
            (2, Request::Set(Ends { left, right }), "SET 2 4800000 down f60000 4799999 stop b5000"),
            (3, Request::Text("2-0".to_owned()), "TEXT 3 2-0"),
            (4, Request::EndText, "END 4"),
            (5, Request::Beep(8), "BEEP 5 8"),
            (65_535, Request::Ask, "ASK 65535"),
        ] {
            assert_eq!(request.write(id), payload);
            assert_eq!(Request::parse(payload), Ok((id, request)));
        }
    }

    #[test]
    fn messages_are_read_as_they_are_written() {
        let welcome = Welcome { version: 1, session: 41_968, set: true, name: "reference".to_owned() };
        let status = Status {
            left_ms: Ends { left: 4_790_250, right: 4_800_000 },
            left_runs: Some(false),
            left_fell: None,
            presses: Ends { left: 1, right: 0 },
        };
        for (message, payload) in [
            (Message::Ok { id: 1, welcome: Some(welcome) }, "OK 1 1 41968 set reference"),
            (Message::Ok { id: 2, welcome: None }, "OK 2"),
            (Message::No { id: 3, refusal: Refusal::Mode }, "NO 3 mode"),
            (Message::Time { number: 17, status }, "TIME 17 4790250 4800000 right none 1 0"),
            (Message::Button { number: 18, button: 3 }, "BUTTON 18 3"),
            (Message::Low, "LOW"),
            (Message::Boot, "BOOT"),
        ] {
            assert_eq!(message.write(), payload);
            assert_eq!(Message::parse(payload), Ok(message));
        }
    }

    #[test]
    fn a_later_version_may_add_fields() {
        let known = Message::parse("TIME 17 1 2 none none 0 0");
        assert_eq!(Message::parse("TIME 17 1 2 none none 0 0 and more"), known);
        assert!(Message::parse("LOW 12").is_ok());
    }

    #[test]
    fn what_is_missing_or_impossible_is_refused() {
        for payload in [
            "TIME",
            "TIME 1",
            "TIME 1 2 3 left",
            "TIME 1 -2 3 left none 0 0",
            "TIME 1 +2 3 left none 0 0",
            "TIME 1 999999999999 3 left none 0 0",
            "TIME 1 2 3 white none 0 0",
            "TIME 70000 2 3 left none 0 0",
            "OK",
            "OK x",
            "OK 1 1",
            "NO 1",
            "NO 1 tired",
            "BUTTON 1 9",
            "TIME  1 2 3 left none 0 0",
        ] {
            assert_eq!(Message::parse(payload), Err(LineError::Field), "{payload}");
        }
        for payload in ["", "time 1", "HELLO 1 1", "TIMES"] {
            assert_eq!(Message::parse(payload), Err(LineError::Unknown), "{payload}");
        }
        for payload in
            ["SET 1 1 down 0", "SET 1 1 fast 0 1 stop 0", "SET 1 1 down x1 1 stop 0", "BEEP 1", "ASK"]
        {
            assert!(Request::parse(payload).is_err(), "{payload}");
        }
    }
}
