//! Plays the moves of an outline through by the rules, which makes a [`Game`] of it.

use super::error::{MoveNumber, PdnError, PdnProblem};
use super::header::{GameResult, GameType, standard_name};
use super::outline::{Outline, OutlinePly, OutlineSetup};
use super::{ClockTimes, Game, PlayedMove, SetupCommand};
use crate::notation::fen::{self, FenError};
use crate::notation::movetext::{self, MoveTextError, MoveTextProblem};
use crate::piece::Side;
use crate::position::Position;
use crate::rules::Variant;

/// Makes a game of `outline`.
///
/// - `assumed`: the kind of draughts where no tag says; none to tell by squares and moves.
pub(super) fn replay(outline: Outline, assumed: Option<Variant>) -> Result<Game, PdnError> {
    let variants = match variants(&outline, assumed) {
        Ok(variants) => variants,
        Err(problem) => return Err(error(&outline, outline.line, None, problem)),
    };
    // Where several kinds are possible and none fits, the one that comes furthest is likely to be meant.
    let mut furthest: Option<(usize, PdnError)> = None;
    for &variant in variants {
        match play_through(&outline, variant) {
            Ok(game) => return Ok(finish(outline, game)),
            Err((plies, error)) => {
                if furthest.as_ref().is_none_or(|(most, _)| plies > *most) {
                    furthest = Some((plies, error));
                }
            }
        }
    }
    match furthest {
        Some((_, error)) => Err(error),
        None => Err(error(&outline, outline.line, None, PdnProblem::GameType("nothing".to_owned()))),
    }
}

/// The kinds of draughts that the game may be, likeliest first.
///
/// Without a tag, squares beyond 32 tell the large board, and squares named by letters rather the small one.
/// What remains is tried, since whole games are seldom legal by the rules of another kind.
fn variants(outline: &Outline, assumed: Option<Variant>) -> Result<&'static [Variant], PdnProblem> {
    use Variant::{Brazilian, International, Russian};
    let only: fn(Variant) -> &'static [Variant] = |variant| match variant {
        International => &[International],
        Russian => &[Russian],
        Brazilian => &[Brazilian],
    };
    match outline.tag("GameType").map_or(GameType::Unknown, GameType::read) {
        GameType::Known(variant) => return Ok(only(variant)),
        GameType::Other(name) => return Err(PdnProblem::GameType(name)),
        GameType::Unknown => {}
    }
    if let Some(variant) = assumed {
        return Ok(only(variant));
    }
    let positions =
        outline.tag("FEN").into_iter().chain(outline.setups.iter().map(|setup| setup.text.as_str()));
    // Each list of a position begins with the letter of its colour.
    let lists =
        positions.flat_map(|fen| fen.split(':').skip(1).map(|list| list.trim_start_matches(['W', 'B'])));
    let (mut has_letters, mut has_large) = (false, false);
    for text in lists.chain(outline.plies.iter().map(|ply| ply.text.as_str())) {
        let (small_by_letter, large) = squares_named(text);
        has_letters |= small_by_letter;
        has_large |= large;
    }
    Ok(match (has_large, has_letters) {
        (true, _) => &[International],
        (false, true) => &[Russian, Brazilian, International],
        (false, false) => &[International, Russian, Brazilian],
    })
}

/// Whether `text` names squares by letter and rank that lie on 64 squares, and whether it names any that only
/// the large board has.
fn squares_named(text: &str) -> (bool, bool) {
    let (mut small_names, mut large) = (false, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let begins = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let number: u32 = text[begins..at].parse().unwrap_or(0);
        let file = begins.checked_sub(1).map(|before| bytes[before].to_ascii_lowercase());
        match file {
            Some(b'a'..=b'h') if number <= 8 => small_names = true,
            Some(b'a'..=b'j') => large |= number <= 10,
            _ => large |= number > 32 && number <= 50,
        }
    }
    (small_names, large)
}

/// The part of a game that the moves give.
struct Played {
    variant: Variant,
    start: Position,
    moves: Vec<PlayedMove>,
    setups: Vec<SetupCommand>,
}

fn finish(mut outline: Outline, played: Played) -> Game {
    let result = outline.result();
    // A score that only the tag can tell, but that stands at the end of the moves alone.
    if result == GameResult::Other
        && let Some(terminator) = outline.terminator.take_if(|text| GameResult::read(text) == result)
        && outline.tag("Result").map(GameResult::read) != Some(result)
    {
        outline.tags.retain(|(name, _)| standard_name(name) != "Result");
        outline.tags.push(("Result".to_owned(), terminator));
    }
    Game {
        number: outline.number,
        tags: outline.tags,
        variant: played.variant,
        start: played.start,
        comment: outline.comment,
        moves: played.moves,
        setups: played.setups,
        result,
        variations_left_out: outline.variations,
    }
}

/// Plays the moves through; after an error also says how many plies were played.
fn play_through(outline: &Outline, variant: Variant) -> Result<Played, (usize, PdnError)> {
    let mut setups = outline.setups.iter().peekable();
    let mut start = Position::start(variant);
    if let Some(text) = outline.tag("FEN").filter(|text| !matches!(*text, "" | "?" | "-")) {
        start = fen::parse_position(text, variant)
            .map_err(|why| (0, error(outline, outline.line, None, fen_problem(text, why))))?;
    } else if let Some(setup) = setups.next_if(|setup| setup.before_ply == 0) {
        // Without a tag the first setup before any move is the start of the game.
        start = set_up(outline, setup, start).map_err(|error| (0, error))?;
    }
    let mut position = start;
    let mut played =
        Played { variant, start, moves: Vec::with_capacity(outline.plies.len()), setups: Vec::new() };
    let mut legal = Vec::new();
    let mut number = MoveNumber { number: 1, side: Some(position.turn()) };
    for (index, ply) in outline.plies.iter().enumerate() {
        while let Some(setup) = setups.next_if(|setup| setup.before_ply == index) {
            position = set_up(outline, setup, position).map_err(|error| (index, error))?;
            let comment = setup.comment.clone();
            played.setups.push(SetupCommand { before_ply: index, position, comment });
        }
        let mover = position.turn();
        match ply.number {
            Some(written) => number.number = written,
            None if mover == Side::White && index > 0 => number.number = number.number.saturating_add(1),
            None => {}
        }
        number.side = Some(mover);
        let is_last = index + 1 == outline.plies.len();
        if is_last && is_score(outline, ply) {
            break;
        }
        if ply.gap {
            let problem = PdnProblem::MovesMissing(ply.text.clone());
            return Err((index, error(outline, ply.line, Some(number), problem)));
        }
        position.legal_moves_into(&mut legal);
        let mv = movetext::parse_among(&position, &ply.text, &legal)
            .map_err(|why| (index, error(outline, ply.line, Some(number), move_problem(why, ply))))?;
        let (clock, comment) = if ply.comment.is_empty() {
            (None, String::new())
        } else {
            ClockTimes::extract(&ply.comment, mover)
        };
        position = position.play(mv);
        played.moves.push(PlayedMove {
            mv,
            text: ply.text.clone(),
            clock,
            comment,
            nags: ply.glyphs.clone(),
        });
    }
    for setup in setups {
        position = set_up(outline, setup, position).map_err(|error| (outline.plies.len(), error))?;
        let comment = setup.comment.clone();
        played.setups.push(SetupCommand { before_ply: outline.plies.len(), position, comment });
    }
    Ok(played)
}

/// Whether the last word of the move text is a score that looks like a move, such as `4-6`: it then repeats
/// the tag `Result`.
fn is_score(outline: &Outline, ply: &OutlinePly) -> bool {
    outline.terminator.is_none()
        && ply.number.is_none()
        && outline.tag("Result").is_some_and(|tag| {
            GameResult::read(tag) == GameResult::Other
                && tag.split_whitespace().eq(ply.text.split_whitespace())
        })
}

/// The position a setup command asks for.
fn set_up(outline: &Outline, setup: &OutlineSetup, before: Position) -> Result<Position, PdnError> {
    let fail = |problem| error(outline, setup.line, None, problem);
    let text = setup.text.trim();
    let (command, value) = match text.split_once('"') {
        Some((command, value)) => (command.trim(), value.trim_end().trim_end_matches('"')),
        // The FEN may stand alone between the slashes.
        None => match text.split_once(char::is_whitespace) {
            Some((command, value)) if command.eq_ignore_ascii_case("FEN") => (command, value),
            _ => ("FEN", text),
        },
    };
    if !command.eq_ignore_ascii_case("FEN") {
        return Err(fail(PdnProblem::Setup(text.to_owned())));
    }
    // A FEN without pieces is a null move: only the side to move changes.
    match value.trim() {
        "W::" | "W:" | "W" => return Ok(before.with_turn(Side::White)),
        "B::" | "B:" | "B" => return Ok(before.with_turn(Side::Black)),
        _ => {}
    }
    fen::parse_position(value, before.variant()).map_err(|why| fail(fen_problem(value, why)))
}

fn fen_problem(text: &str, error: FenError) -> PdnProblem {
    PdnProblem::Fen { fen: text.to_owned(), error: Box::new(error) }
}

fn move_problem(error: MoveTextError, ply: &OutlinePly) -> PdnProblem {
    if error.problem == MoveTextProblem::NotAMove && !ply.text.contains(|c: char| c.is_ascii_digit()) {
        return PdnProblem::NotPdn(error.text);
    }
    PdnProblem::Move(Box::new(error))
}

fn error(outline: &Outline, line: u64, at: Option<MoveNumber>, problem: PdnProblem) -> PdnError {
    PdnError { file: None, game: outline.number, players: outline.players(), line, at, problem }
}
