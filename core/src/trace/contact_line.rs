//! The line of which a trace has more than all others together: a contact change, as this program writes it.
//!
//! It is read here without going through JSON in general, which would take a fifth of the time of a replay. What
//! is written otherwise (blanks, another order of keys) is left to the general way, as is everything that is wrong.

use crate::moment::Moment;
use crate::square::Square;

/// The change that `{"t":3037,"contact":27,"closed":true}` tells; `None` for any other form of line.
pub(super) fn read(line: &str) -> Option<(Moment, Square, bool)> {
    let (millis, rest) = number(line.strip_prefix("{\"t\":")?)?;
    let (square, rest) = number(rest.strip_prefix(",\"contact\":")?)?;
    let closed = match rest.strip_prefix(",\"closed\":")? {
        "true}" => true,
        "false}" => false,
        _ => return None,
    };
    let square = Square::new(u8::try_from(square).ok()?)?;
    Some((Moment::from_millis(millis), square, closed))
}

/// A whole number as JSON has it, and what follows it.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = text.split_at(end);
    let begins_with_zero = digits.len() > 1 && digits.starts_with('0');
    if begins_with_zero { None } else { Some((digits.parse().ok()?, rest)) }
}

#[cfg(test)]
mod tests {
    use super::super::{Input, RawEvent, TimedInput};
    use super::*;
    use crate::rules::Variant;

    /// What is read here is what JSON says of the line, and of this line something is read or not.
    #[track_caller]
    fn check(line: &str, is_read: bool) {
        let quick = read(line);
        assert_eq!(quick.is_some(), is_read, "{line}");
        if let Some((at, square, closed)) = quick {
            let raw: RawEvent = serde_json::from_str(line).unwrap();
            assert_eq!(raw.t, at.millis(), "{line}");
            assert_eq!(
                raw.into_input(Variant::International).unwrap(),
                Input::Contact { square, closed },
                "{line}"
            );
            assert_eq!(TimedInput { at, input: Input::Contact { square, closed } }.to_line(), line);
        }
    }

    #[test]
    fn every_contact_change_that_this_program_writes_is_read_as_json_reads_it() {
        for square in Square::ALL {
            for closed in [false, true] {
                for millis in [0, 1, 10, 999, 7_200_000, u64::MAX] {
                    let at = Moment::from_millis(millis);
                    check(&TimedInput { at, input: Input::Contact { square, closed } }.to_line(), true);
                }
            }
        }
    }

    #[test]
    fn all_else_is_left_to_json() {
        for line in [
            r#"{"t":1,"crown":1,"closed":true}"#,
            r#"{"t":1,"press":"white"}"#,
            r#"{"t": 1,"contact":1,"closed":true}"#,
            r#"{"contact":1,"t":1,"closed":true}"#,
            r#"{"t":1,"contact":1,"closed":true,"well":1}"#,
            r#"{"t":1,"contact":1,"closed":1}"#,
            r#"{"t":1,"contact":1,"closed":true} "#,
            r#"{"t":01,"contact":1,"closed":true}"#,
            r#"{"t":1.0,"contact":1,"closed":true}"#,
            r#"{"t":-1,"contact":1,"closed":true}"#,
            r#"{"t":,"contact":1,"closed":true}"#,
            r#"{"t":18446744073709551616,"contact":1,"closed":true}"#,
            r#"{"t":1,"contact":0,"closed":true}"#,
            r#"{"t":1,"contact":51,"closed":true}"#,
            r#"{"t":1,"contact":257,"closed":true}"#,
            r#"{"t":1"#,
            "",
        ] {
            check(line, false);
        }
    }
}
