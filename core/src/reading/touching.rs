//! Touching: which piece a player is bound to move or to take by having lifted it (CN100 5.11; CNXQ 1.1 to 1.6).

use super::completing::Candidate;
use super::cost;
use super::hypothesis::{Circumstances, Hypothesis, Touch};
use super::incident::Incident;
use crate::alert::AlertCode;
use crate::alert::policy::TouchPolicy;
use crate::moment::Moment;
use crate::moves::Move;
use crate::piece::Side;
use crate::square::Square;

impl Hypothesis {
    /// A move was made: were the pieces touched before it bound to move or to be taken instead?
    pub(super) fn judge_touches(
        &mut self,
        candidate: &Candidate,
        number: u32,
        lifted: Moment,
        now: &Circumstances,
    ) {
        if self.state.touched.is_empty() {
            return;
        }
        let Candidate { mv, side, before, .. } = *candidate;
        // A touch that belongs to an act named already is none of its own.
        let named = |touch: &Touch| {
            self.state.incidents.iter().any(|incident| {
                incident.is_open()
                    && incident.squares.contains(&touch.square)
                    && incident.code != AlertCode::NotCrowned
                    && !(touch.side != side && incident.code == AlertCode::UnexplainedLift)
            })
        };
        let touched: Vec<Touch> = self.state.touched.iter().filter(|touch| !named(touch)).copied().collect();
        self.state.touched.clear();
        let legal = before.legal_moves();
        let broken = match now.settings.touch_policy {
            TouchPolicy::Draughts => touched
                .iter()
                .filter(|touch| touch.side == side && touch.square != mv.from)
                .filter(|touch| legal.iter().any(|other| other.from == touch.square))
                .map(|touch| touch.square)
                .collect(),
            TouchPolicy::StrictLadder => {
                Vec::from_iter(Ladder::of(&touched, mv.from, side).broken_by(mv, &legal))
            }
        };
        for square in broken {
            self.cost += cost::TOUCH_MOVE;
            self.raise(Incident::new(AlertCode::TouchMove, number, side, vec![square], lifted));
        }
    }
}

/// What was touched before a move, and what of it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ladder {
    own: Option<Square>,
    enemy: Option<Square>,
    own_first: bool,
}

impl Ladder {
    /// Of each side the first piece touched counts. The piece that moves was touched last, by being moved.
    fn of(touched: &[Touch], moved: Square, side: Side) -> Self {
        let first = |own: bool| touched.iter().position(|touch| (touch.side == side) == own);
        let (own, enemy) = (first(true), first(false));
        let square = |index: usize| touched[index].square;
        Self {
            // With an enemy piece touched and no own one put back, the piece that moves is the own one touched.
            own: own.map(square).or(enemy.map(|_| moved)),
            enemy: enemy.map(square),
            own_first: matches!((own, enemy), (Some(own), Some(enemy)) if own < enemy),
        }
    }

    /// The piece whose obligation the move breaks, `legal` being the moves there were.
    fn broken_by(self, mv: Move, legal: &[Move]) -> Option<Square> {
        use Rung::{MovesOwn, TakesEnemy, TakesEnemyWithOwn};
        // In their order; the first that can be stood on binds.
        let rungs: &[(Rung, Option<Square>)] = match (self.enemy, self.own_first) {
            (None, _) => &[(MovesOwn, self.own)], // 1.1
            (Some(_), true) => {
                &[(TakesEnemyWithOwn, self.own), (MovesOwn, self.own), (TakesEnemy, self.enemy)] // 1.3
            }
            (Some(_), false) => {
                &[(TakesEnemyWithOwn, self.enemy), (TakesEnemy, self.enemy), (MovesOwn, self.own)] // 1.2, 1.4
            }
        };
        let can = |&&(rung, _): &&(Rung, _)| legal.iter().any(|&other| self.stands_on(rung, other));
        let &(binding, about) = rungs.iter().find(can)?;
        if self.stands_on(binding, mv) { None } else { about }
    }

    fn stands_on(self, rung: Rung, mv: Move) -> bool {
        let moves_own = self.own == Some(mv.from);
        let takes_enemy = self.enemy.is_some_and(|enemy| mv.captured.contains(enemy));
        match rung {
            Rung::MovesOwn => moves_own,
            Rung::TakesEnemy => takes_enemy,
            Rung::TakesEnemyWithOwn => moves_own && takes_enemy,
        }
    }
}

/// What a move may have to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rung {
    /// Move the own piece that was touched.
    MovesOwn,
    /// Take the enemy piece that was touched.
    TakesEnemy,
    /// Take it with the own piece that was touched.
    TakesEnemyWithOwn,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;
    use crate::notation::movetext;
    use crate::rules::Variant;

    /// In `position` these squares were touched in this order, then `text` was played: the piece that had to move or
    /// to be taken, if any.
    #[track_caller]
    fn check(position: &str, touched: &[u8], text: &str, expected: Option<u8>) {
        let position = fen::parse_position(position, Variant::International).unwrap();
        let legal = position.legal_moves();
        let mv = *legal.iter().find(|&&mv| movetext::score_sheet(&position, mv) == text).unwrap();
        let touched: Vec<Touch> = touched
            .iter()
            .map(|&number| {
                let square = Square::new(number).unwrap();
                Touch { square, side: position.piece_at(square).unwrap().side }
            })
            .collect();
        let broken = Ladder::of(&touched, mv.from, position.turn()).broken_by(mv, &legal);
        assert_eq!(broken.map(Square::number), expected, "{text} after touching {touched:?}");
    }

    /// 33 can take 28 and 31 can take 27; 47 cannot capture, so it cannot move.
    const TWO_CAPTURES: &str = "W:W31,33,36,47:B27,28";
    const QUIET: &str = "W:W31,32:B1,2";

    #[test]
    fn an_own_piece_touched_moves_if_it_can_1_1() {
        check(QUIET, &[31], "32-28", Some(31));
        check(QUIET, &[31], "31-27", None);
        check(TWO_CAPTURES, &[47], "33x22", None);
    }

    #[test]
    fn of_two_own_pieces_the_first_binds_1_1() {
        check(QUIET, &[31, 32], "32-28", Some(31));
        check(QUIET, &[32, 31], "32-28", None);
    }

    #[test]
    fn an_enemy_piece_touched_is_taken_if_it_can_be_1_2() {
        check(TWO_CAPTURES, &[27], "33x22", Some(27));
        check(TWO_CAPTURES, &[28], "33x22", None);
        check(QUIET, &[1], "32-28", None);
    }

    #[test]
    fn first_own_then_enemy_1_3() {
        check(TWO_CAPTURES, &[33, 28], "31x22", Some(33));
        // 33 cannot take 27, so it has to move.
        check(TWO_CAPTURES, &[33, 27], "31x22", Some(33));
        check(TWO_CAPTURES, &[33, 27], "33x22", None);
        // 47 cannot move at all, so another piece takes the enemy touched.
        check(TWO_CAPTURES, &[47, 27], "33x22", Some(27));
        check(TWO_CAPTURES, &[47, 27], "31x22", None);
    }

    #[test]
    fn first_enemy_then_own_1_4() {
        check(TWO_CAPTURES, &[28, 33], "31x22", Some(28));
        // 33 cannot take 27: another piece has to.
        check(TWO_CAPTURES, &[27, 33], "33x22", Some(27));
        check(TWO_CAPTURES, &[27, 33], "31x22", None);
        // Nothing can take 1: the own piece touched moves.
        check(QUIET, &[1, 31], "32-28", Some(31));
        check(QUIET, &[1, 31], "31-27", None);
    }
}
