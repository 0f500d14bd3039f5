//! The table `[event]`: what no contact tells about a game. It goes into the tags of the PDN and onto the page.

use serde::{Deserialize, Serialize};

use super::Problem;
use crate::feeds::board_state::About;

/// The longest text of a tag, in characters.
const LONGEST_TEXT: usize = 200;

/// What the PDN tags of the game say. Everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Event {
    /// Tournament or occasion.
    pub event: Option<String>,
    /// Where it is played.
    pub site: Option<String>,
    /// The date of the game as PDN writes it, `2026.11.29`, with `??` for what is not known.
    pub date: Option<String>,
    /// Round, as text.
    pub round: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
}

impl Event {
    pub(super) fn check(&self, problems: &mut Vec<Problem>) {
        let texts = [
            ("event.event", &self.event),
            ("event.site", &self.site),
            ("event.round", &self.round),
            ("event.white", &self.white),
            ("event.black", &self.black),
        ];
        for (key, text) in texts {
            let Some(text) = text else { continue };
            if text.chars().count() > LONGEST_TEXT || text.chars().any(char::is_control) {
                problems.push(Problem {
                    key: key.to_owned(),
                    found: format!("{:?}", text.chars().take(40).collect::<String>()),
                    expected: format!("one line of at most {LONGEST_TEXT} characters"),
                    advice: "it becomes a tag of the PDN; shorten it, and take line ends and tabs out",
                });
            }
        }
        if let Some(date) = self.date.as_ref().filter(|date| !is_date(date)) {
            problems.push(Problem {
                key: "event.date".to_owned(),
                found: format!("{date:?}"),
                expected: "a date like \"2026.11.29\" or \"2026.??.??\"".to_owned(),
                advice: "PDN writes year, month and day with dots between them",
            });
        }
    }
}

impl From<&Event> for About {
    fn from(event: &Event) -> Self {
        Self {
            event: event.event.clone(),
            site: event.site.clone(),
            date: event.date.clone(),
            round: event.round.clone(),
            white: event.white.clone(),
            black: event.black.clone(),
        }
    }
}

/// Whether a text is a date of PDN: `2026.11.29`, with `?` for digits that are not known.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    let [year, month, day] = parts[..] else { return false };
    let fits = |part: &str, digits: usize, most: u16| {
        let unknown = part.bytes().all(|byte| byte == b'?');
        let number = part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse().is_ok_and(|number: u16| (1..=most).contains(&number));
        part.len() == digits && (unknown || number)
    };
    fits(year, 4, 9999) && fits(month, 2, 12) && fits(day, 2, 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for date in ["2026.11.29", "2026.11.??", "2026.??.??", "????.??.??"] {
            assert!(is_date(date), "{date}");
        }
        for date in
            ["", "2026-11-29", "29.11.2026", "2026.13.01", "2026.11.32", "2026.1.1", "2026.11", "+026.11.29"]
        {
            assert!(!is_date(date), "{date}");
        }
    }

    #[test]
    fn texts_are_one_line() {
        let text = |text: &str| Event { white: Some(text.to_owned()), ..Event::default() };
        for (event, count) in [
            (text("Jannes van der Wal"), 0),
            (text("Алексей Чижов \"Чижов\""), 0),
            (text("a\nb"), 1),
            (text(&"x".repeat(LONGEST_TEXT + 1)), 1),
        ] {
            let mut problems = Vec::new();
            event.check(&mut problems);
            assert_eq!(problems.len(), count, "{problems:?}");
        }
    }
}
