//! The table `[event]`: what no contact tells about a game. It goes into the tags of the PDN and onto the page.

use super::Problem;
use crate::feeds::board_state::About;

/// The longest text of a tag, in characters.
const LONGEST_TEXT: usize = 200;

/// What is wrong with names and the like, as the configuration has them or somebody enters them; the keys are those of
/// [`About`].
#[must_use]
pub fn problems_of(about: &About) -> Vec<Problem> {
    let texts = [
        ("event", &about.event),
        ("site", &about.site),
        ("round", &about.round),
        ("white", &about.white),
        ("black", &about.black),
    ];
    let is_wrong = |text: &str| text.chars().count() > LONGEST_TEXT || !is_shown(text);
    let texts = texts.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?)));
    let mut problems: Vec<Problem> = texts
        .filter(|(_, text)| is_wrong(text))
        .map(|(key, text)| Problem {
            key: key.to_owned(),
            found: shortened(text),
            expected: format!("one line of at most {LONGEST_TEXT} characters, all of which are seen"),
            advice: "it becomes a tag of the PDN; shorten it, and take line ends, tabs and marks of direction out",
        })
        .collect();
    if let Some(date) = about.date.as_ref().filter(|date| !is_date(date)) {
        problems.push(Problem {
            key: "date".to_owned(),
            found: shortened(date),
            expected: "a date like \"2026.11.29\" or \"2026.??.??\"".to_owned(),
            advice: "PDN writes year, month and day with dots between them",
        });
    }
    problems
}

/// Whether all of a text is seen, in one line and in its order.
fn is_shown(text: &str) -> bool {
    // Line and paragraph separators, what turns the direction of writing round, and the mark of the byte order.
    let hides = |c| matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    !text.trim().is_empty() && !text.chars().any(|c| c.is_control() || hides(c))
}

/// A text as it is shown to whoever has to change it.
fn shortened(text: &str) -> String {
    format!("{:?}", text.chars().take(40).collect::<String>())
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
    let number = |part: &str| part.parse::<u16>().ok();
    let leap = number(year).is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let days = match number(month) {
        Some(4 | 6 | 9 | 11) => 30,
        Some(2) => 28 + u16::from(leap),
        _ => 31,
    };
    fits(year, 4, 9999) && fits(month, 2, 12) && fits(day, 2, days)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for date in ["2026.11.29", "2024.02.29", "????.02.29", "2026.11.??", "2026.??.??", "????.??.??"] {
            assert!(is_date(date), "{date}");
        }
        for date in [
            "",
            "2026-11-29",
            "29.11.2026",
            "2026.13.01",
            "2026.11.31",
            "2026.02.29",
            "1900.02.29",
            "2026.1.1",
            "2026.11",
            "+026.11.29",
        ] {
            assert!(!is_date(date), "{date}");
        }
    }

    #[test]
    fn texts_are_one_line() {
        let text = |text: &str| About { white: Some(text.to_owned()), ..About::default() };
        for (about, count) in [
            (text("Jannes van der Wal"), 0),
            (text("Алексей Чижов \"Чижов\""), 0),
            (text("a\nb"), 1),
            (text(&"x".repeat(LONGEST_TEXT + 1)), 1),
            (text("  "), 1),
            (text("a\u{2028}b"), 1),
            (text("abc\u{202e}def"), 1),
        ] {
            let problems = problems_of(&about);
            assert_eq!(problems.len(), count, "{problems:?}");
        }
    }
}
