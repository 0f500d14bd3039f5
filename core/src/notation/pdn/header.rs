//! What the tags of a PDN game mean: kind of game, result, and the names tags go by.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::rules::Variant;

/// How a game ended, as far as the score says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// White won.
    WhiteWins,
    /// Black won.
    BlackWins,
    /// Drawn.
    Draw,
    /// Declared lost for both sides.
    BothLose,
    /// Scored in another way (`4-6`, `1+ - 1-`, Delft points); the tag has it in full.
    Other,
    /// Not finished, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// Reads a result in any of the ways they are written: `2-0` or `1-0`, `1-1`, `1/2-1/2`, `½-½` or
    /// `0.5-0.5`, with blanks and dashes of any kind; everything else is [`GameResult::Unknown`].
    #[must_use]
    pub fn read(text: &str) -> Self {
        match plain(text).as_str() {
            "2-0" | "1-0" => Self::WhiteWins,
            "0-2" | "0-1" => Self::BlackWins,
            "1-1" | "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "0,5-0,5" => Self::Draw,
            "0-0" => Self::BothLose,
            other if is_points(other) => Self::Other,
            _ => Self::Unknown,
        }
    }

    /// The result as PDN 3.0 writes it for the kind of game: `2-0 1-1 0-2 0-0 *` on 100 squares,
    /// `1-0 1/2-1/2 0-1 0-0 *` on 64.
    ///
    /// [`GameResult::Other`] has no writing of its own and gives `*`.
    #[must_use]
    pub const fn text(self, variant: Variant) -> &'static str {
        match (self, variant) {
            (Self::WhiteWins, Variant::International) => "2-0",
            (Self::WhiteWins, _) => "1-0",
            (Self::BlackWins, Variant::International) => "0-2",
            (Self::BlackWins, _) => "0-1",
            (Self::Draw, Variant::International) => "1-1",
            (Self::Draw, _) => "1/2-1/2",
            (Self::BothLose, _) => "0-0",
            (Self::Other | Self::Unknown, _) => "*",
        }
    }
}

impl fmt::Display for GameResult {
    /// Writes the score as on 100 squares, `2-0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(Variant::International))
    }
}

impl Serialize for GameResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether a word of the move text is a result, which ends a game.
///
/// `1-1` is one: no piece goes from a square to itself without taking. Scores such as `4-6` are moves here.
pub(super) fn is_result(word: &str) -> bool {
    // Asked of every word, so most are told apart at a glance.
    if word.len() > 20 || !word.starts_with(|first: char| first.is_ascii_digit() || first == '½') {
        return false;
    }
    let word = plain(word);
    matches!(
        word.as_str(),
        "1-1" | "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "11/2-1/2" | "1/2-11/2" | "1+-1-" | "1--1+"
    ) || word.split_once('-').is_some_and(|(white, black)| {
        let is_zero = |points: &str| !points.is_empty() && points.bytes().all(|byte| byte == b'0');
        let has_decimals = |points: &str| points.contains('.') && points.parse::<f32>().is_ok();
        (is_zero(white) && is_number(black))
            || (is_number(white) && is_zero(black))
            || (has_decimals(white) && has_decimals(black))
    })
}

/// The name PDN would give to how `result` is scored, for the tag `ResultFormat`.
pub(super) fn result_format(result: &str) -> &'static str {
    match plain(result).as_str() {
        "1+-1-" | "1--1+" => "Plus draw",
        "11/2-1/2" | "1/2-11/2" => "Delfts",
        _ => "Points",
    }
}

fn is_points(text: &str) -> bool {
    let number =
        |text: &str| !text.is_empty() && text.len() < 8 && text.parse::<f32>().is_ok_and(f32::is_finite);
    matches!(text, "11/2-1/2" | "1/2-11/2" | "1+-1-" | "1--1+")
        || text.split_once('-').is_some_and(|(white, black)| number(white) && number(black))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `text` without blanks, its dashes made plain.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') { '-' } else { c })
        .collect()
}

/// The kind of game a `GameType` tag names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GameType {
    /// One we know the rules of.
    Known(Variant),
    /// The tag is there but says nothing.
    Unknown,
    /// Another game; its name or number.
    Other(String),
}

impl GameType {
    /// Reads `20`, `25,W,8,8,A0,0` and the like.
    ///
    /// Only the number counts. Sites write all kinds of things for the rest (10x10 games numbered as usual
    /// come with `N1`, where the standard says `N2`), and how squares are named shows in the moves.
    pub(super) fn read(value: &str) -> Self {
        let digits = value.trim().split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        let name = match digits.parse::<u32>() {
            Ok(20) => return Self::Known(Variant::International),
            Ok(25) => return Self::Known(Variant::Russian),
            Ok(26) => return Self::Known(Variant::Brazilian),
            Ok(0) => "chess",
            Ok(1) => "Chinese chess",
            Ok(21) => "English draughts",
            Ok(22) => "Italian draughts",
            Ok(23) => "pool checkers",
            Ok(24) => "Spanish draughts",
            Ok(27) => "Canadian draughts",
            Ok(28) => "Portuguese draughts",
            Ok(29) => "Czech draughts",
            Ok(30) => "Turkish draughts",
            Ok(31) => "Thai draughts",
            Ok(40) => "Frisian draughts",
            Ok(41) => "Spantsiretti draughts",
            Ok(number) => return Self::Other(format!("number {number}")),
            Err(_) if matches!(value.trim(), "" | "?" | "-") => return Self::Unknown,
            Err(_) => return Self::Other(value.trim().to_owned()),
        };
        Self::Other(name.to_owned())
    }
}

/// The number PDN gives the kind of game, with the way squares are named where that is not the usual one.
pub(super) fn game_type(variant: Variant, notation: crate::notation::movetext::Notation) -> &'static str {
    use crate::notation::movetext::Notation::{Algebraic, Numeric};
    match (variant, notation) {
        (Variant::International, Numeric) => "20",
        (Variant::International, Algebraic) => "20,W,10,10,A0,0",
        (Variant::Russian, Algebraic) => "25",
        (Variant::Russian, Numeric) => "25,W,8,8,N2,0",
        (Variant::Brazilian, Algebraic) => "26",
        (Variant::Brazilian, Numeric) => "26,W,8,8,N2,0",
    }
}

/// The standard's name for a tag that is met under another: in small letters, or in another language.
pub(super) fn standard_name(name: &str) -> &str {
    const STANDARD: [&str; 11] = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "GameType",
        "FEN",
        "Annotator",
        "PlyCount",
    ];
    const FOREIGN: [(&str, &str); 40] = [
        ("Evento", "Event"),
        ("Torneo", "Event"),
        ("Manifestazione", "Event"),
        ("Evenement", "Event"),
        ("Événement", "Event"),
        ("Tournoi", "Event"),
        ("Toernooi", "Event"),
        ("Turnier", "Event"),
        ("Luogo", "Site"),
        ("Sito", "Site"),
        ("Sede", "Site"),
        ("Lieu", "Site"),
        ("Plaats", "Site"),
        ("Ort", "Site"),
        ("Local", "Site"),
        ("Data", "Date"),
        ("Datum", "Date"),
        ("Fecha", "Date"),
        ("Turno", "Round"),
        ("Ronde", "Round"),
        ("Ronda", "Round"),
        ("Runde", "Round"),
        ("Rodada", "Round"),
        ("Bianco", "White"),
        ("Blanc", "White"),
        ("Blancs", "White"),
        ("Blancas", "White"),
        ("Brancas", "White"),
        ("Wit", "White"),
        ("Weiss", "White"),
        ("Nero", "Black"),
        ("Noir", "Black"),
        ("Noirs", "Black"),
        ("Negras", "Black"),
        ("Pretas", "Black"),
        ("Zwart", "Black"),
        ("Schwarz", "Black"),
        ("Risultato", "Result"),
        ("Resultat", "Result"),
        ("Resultado", "Result"),
    ];
    STANDARD
        .iter()
        .find(|standard| standard.eq_ignore_ascii_case(name))
        .or_else(|| {
            FOREIGN
                .iter()
                .find(|(foreign, _)| foreign.eq_ignore_ascii_case(name))
                .map(|(_, standard)| standard)
        })
        .copied()
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_however_they_are_scored() {
        for (text, expected) in [
            ("2-0", GameResult::WhiteWins),
            (" 0-1", GameResult::BlackWins),
            ("1/2-1/2", GameResult::Draw),
            ("½–½", GameResult::Draw),
            ("1 - 1", GameResult::Draw),
            ("0-0", GameResult::BothLose),
            ("4-6", GameResult::Other),
            ("1 1/2 - 1/2", GameResult::Other),
            ("1.02-0.98", GameResult::Other),
            ("-", GameResult::Unknown),
            ("*", GameResult::Unknown),
            ("", GameResult::Unknown),
            ("abandoned", GameResult::Unknown),
        ] {
            assert_eq!(GameResult::read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn results_are_told_from_moves() {
        for result in ["1-1", "2-0", "0-2", "1/2-1/2", "1/2", "½", "12-0", "0-10", "1.01-0.99", "0-0"] {
            assert!(is_result(result), "{result}");
        }
        for other in ["1-12", "4-6", "1-7", "32-28", "1x1", "10-5", "-", "x", ""] {
            assert!(!is_result(other), "{other}");
        }
    }

    #[test]
    fn only_the_number_of_a_game_type_counts() {
        assert_eq!(GameType::read("20,W,10,10,N1,0"), GameType::Known(Variant::International));
        assert_eq!(GameType::read(" 25 "), GameType::Known(Variant::Russian));
        assert_eq!(GameType::read("26,W,8,8,A0,0"), GameType::Known(Variant::Brazilian));
        assert_eq!(GameType::read("40"), GameType::Other("Frisian draughts".to_owned()));
        assert_eq!(GameType::read("?"), GameType::Unknown);
        assert_eq!(GameType::read("Damen"), GameType::Other("Damen".to_owned()));
    }

    #[test]
    fn foreign_names_are_known() {
        assert_eq!(standard_name("bianco"), "White");
        assert_eq!(standard_name("result"), "Result");
        assert_eq!(standard_name("DamboTopLine"), "DamboTopLine");
    }
}
