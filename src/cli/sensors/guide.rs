//! The guided test: a disc is asked for on each square in turn, and what answers is noted.

use std::collections::BTreeMap;

use draughtsd_core::moment::Moment;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::{Square, SquareSet};

/// So long after the first contact answered, others that close with it are waited for.
const GATHER_MS: u64 = 100;

/// What happened when a disc was asked for on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Its contact closed, and no other.
    Good,
    /// Its contact closed, and these with it.
    WithOthers(SquareSet),
    /// These closed in its stead.
    Elsewhere(SquareSet),
    /// None did.
    Silent,
}

/// Where the test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The board is to be cleared.
    Clearing,
    /// A disc is asked for on this square.
    Asking(Square),
    /// All squares have been asked for.
    Done,
}

/// A guided test.
#[derive(Clone, Debug)]
pub(super) struct Guide {
    squares: Vec<Square>,
    /// The index of the square that is asked for; `None` while the board is cleared.
    asked: Option<usize>,
    /// The contacts that were closed when the square was asked for.
    before: SquareSet,
    answering_since: Option<Moment>,
    /// Contacts that were still closed when the board was said to be clear.
    stuck: SquareSet,
    answers: BTreeMap<Square, Answer>,
}

impl Guide {
    /// A test of all squares of a board.
    pub(super) fn new(variant: Variant) -> Self {
        Self {
            squares: SquareSet::all(variant).iter().collect(),
            asked: None,
            before: SquareSet::EMPTY,
            answering_since: None,
            stuck: SquareSet::EMPTY,
            answers: BTreeMap::new(),
        }
    }

    pub(super) fn stage(&self) -> Stage {
        match self.asked {
            None => Stage::Clearing,
            Some(index) => self.squares.get(index).map_or(Stage::Done, |&square| Stage::Asking(square)),
        }
    }

    /// Contacts that were closed on the cleared board.
    pub(super) const fn stuck(&self) -> SquareSet {
        self.stuck
    }

    /// What each square answered, of those that were asked for.
    pub(super) fn answers(&self) -> impl Iterator<Item = (Square, Answer)> {
        self.answers.iter().map(|(square, answer)| (*square, *answer))
    }

    /// Looks at the contacts, bounce taken out.
    pub(super) fn look(&mut self, steady: SquareSet, now: Moment) {
        match self.stage() {
            Stage::Clearing if steady.is_empty() => self.ask(0, steady),
            Stage::Asking(square) => {
                // A disc that was taken away since may come back as an answer.
                self.before &= steady;
                let new = steady - self.before;
                if new.is_empty() {
                    self.answering_since = None;
                    return;
                }
                let since = *self.answering_since.get_or_insert(now);
                if now.since(since) >= GATHER_MS {
                    self.answer(square, judged(square, new), steady);
                }
            }
            Stage::Clearing | Stage::Done => {}
        }
    }

    /// Nothing more will come: the board is as clear as it gets, or the square does not answer.
    pub(super) fn skip(&mut self, steady: SquareSet) {
        match self.stage() {
            Stage::Clearing => {
                self.stuck = steady;
                self.ask(0, steady);
            }
            Stage::Asking(square) => self.answer(square, Answer::Silent, steady),
            Stage::Done => {}
        }
    }

    /// Back to the square before.
    pub(super) fn back(&mut self, steady: SquareSet) {
        if let Some(index) = self.asked.and_then(|index| index.checked_sub(1)) {
            self.answers.remove(&self.squares[index]);
            self.ask(index, steady);
        }
    }

    fn answer(&mut self, square: Square, answer: Answer, steady: SquareSet) {
        self.answers.insert(square, answer);
        self.ask(self.asked.map_or(0, |index| index + 1), steady);
    }

    fn ask(&mut self, index: usize, steady: SquareSet) {
        self.asked = Some(index);
        self.before = steady;
        self.answering_since = None;
    }
}

fn judged(asked: Square, new: SquareSet) -> Answer {
    let others = new.without(asked);
    match (new.contains(asked), others.is_empty()) {
        (true, true) => Answer::Good,
        (true, false) => Answer::WithOthers(others),
        (false, _) => Answer::Elsewhere(others),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[u8]) -> SquareSet {
        numbers.iter().map(|&number| Square::new(number).unwrap()).collect()
    }

    fn look(guide: &mut Guide, steady: &[u8], from_ms: u64) {
        guide.look(set(steady), Moment::from_millis(from_ms));
        guide.look(set(steady), Moment::from_millis(from_ms + GATHER_MS));
    }

    #[track_caller]
    fn check_asking(guide: &Guide, number: u8) {
        assert_eq!(guide.stage(), Stage::Asking(Square::new(number).unwrap()));
    }

    #[test]
    fn squares_are_asked_for_one_after_the_other() {
        let mut guide = Guide::new(Variant::Russian);
        guide.look(set(&[3]), Moment::ZERO);
        assert_eq!(guide.stage(), Stage::Clearing);
        guide.look(set(&[]), Moment::ZERO);
        check_asking(&guide, 1);
        look(&mut guide, &[1], 100);
        check_asking(&guide, 2);
        // The first disc may stay, or be taken along.
        look(&mut guide, &[1, 2], 1000);
        look(&mut guide, &[], 2000);
        check_asking(&guide, 3);
        look(&mut guide, &[4], 3000);
        look(&mut guide, &[], 3500);
        look(&mut guide, &[4, 8], 4000);
        check_asking(&guide, 5);
        guide.skip(set(&[]));
        let answers: Vec<_> = guide.answers().map(|(square, answer)| (square.number(), answer)).collect();
        let expected = [
            (1, Answer::Good),
            (2, Answer::Good),
            (3, Answer::Elsewhere(set(&[4]))),
            (4, Answer::WithOthers(set(&[8]))),
            (5, Answer::Silent),
        ];
        assert_eq!(answers, expected);
        guide.back(set(&[]));
        check_asking(&guide, 5);
    }

    #[test]
    fn contacts_that_stay_closed_are_noted_and_then_left_alone() {
        let mut guide = Guide::new(Variant::Russian);
        guide.skip(set(&[20]));
        assert_eq!(guide.stuck(), set(&[20]));
        look(&mut guide, &[20, 1], 100);
        check_asking(&guide, 2);
        for _ in 2..=32 {
            guide.skip(set(&[20]));
        }
        assert_eq!(guide.stage(), Stage::Done);
        assert_eq!(guide.answers().count(), 32);
    }
}
