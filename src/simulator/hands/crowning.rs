//! Promoted discs that are left uncrowned.

use draughtsd_core::alert::{AlertCode, AlertState};
use draughtsd_core::moves::Move;
use draughtsd_core::position::Position;
use draughtsd_core::trace::Crowning;

use super::super::{path, random_game};
use super::irregular::{Planting, Turn};
use super::{Hands, Placing};

impl Hands {
    /// A promoted disc is crowned only after the reply.
    pub(super) fn crown_late(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let uncrowned = self.choose_uncrowned(turn)?;
        let owner = turn.side;
        self.play_uncrowned(turn, &uncrowned);
        let ply = self.ply() - 1;
        let is_gone = uncrowned.reply.captured.contains(turn.mv.to);
        let state = if is_gone { AlertState::Accepted } else { AlertState::Corrected };
        self.planted(AlertCode::NotCrowned, ply, Some(owner), Some(state), ply);
        if !is_gone {
            let at = self.calm(Turn { position: &uncrowned.after_reply, ..turn });
            let done = self.place_crown(owner, turn.mv.to, at, Placing::OnTop);
            self.before(done);
        }
        Some(Planting::Played(uncrowned.after_reply))
    }

    /// A promoted disc that was never crowned is moved.
    pub(super) fn move_uncrowned_king(&mut self, turn: Turn<'_>) -> Option<Planting> {
        let uncrowned = self.choose_uncrowned(turn)?;
        let owner = turn.side;
        let next: Vec<Move> = uncrowned
            .after_reply
            .legal_moves()
            .into_iter()
            .filter(|mv| mv.from == turn.mv.to && uncrowned.after_reply.play(*mv).has_legal_move())
            .collect();
        let king_move = *self.random.pick(&next)?;
        self.play_uncrowned(turn, &uncrowned);
        let ply = self.ply();
        self.planted(AlertCode::NotCrowned, ply - 1, Some(owner), Some(AlertState::Accepted), ply);
        self.planted(AlertCode::MovedUncrownedKing, ply, Some(owner), Some(AlertState::Accepted), ply + 1);
        self.plainly = true;
        self.play(&uncrowned.after_reply, king_move, false);
        if let Some(record) = self.moves.last_mut() {
            record.irregular = Some(true);
        }
        Some(Planting::Played(uncrowned.after_reply.play(king_move)))
    }

    /// The reply to a promotion that a stack contact or a spare disc would have told.
    fn choose_uncrowned(&mut self, turn: Turn<'_>) -> Option<Uncrowned> {
        let variant = turn.position.variant();
        let is_sensed = match self.setting.crowning {
            Crowning::Stack => path::is_far_row(variant, turn.mv.to),
            Crowning::Reserve => true,
            Crowning::None => false,
        };
        if !turn.mv.promotes || !is_sensed {
            return None;
        }
        let after = turn.position.play(turn.mv);
        let reply = turn.reply.filter(|reply| after.legal_moves().contains(reply));
        let reply = reply.or_else(|| random_game::choose(&after, &mut self.random))?;
        let after_reply = after.play(reply);
        // The reply must not want a crowning of its own, or two would be due.
        (after_reply.has_legal_move() && !reply.promotes).then_some(Uncrowned { after, reply, after_reply })
    }

    fn play_uncrowned(&mut self, turn: Turn<'_>, uncrowned: &Uncrowned) {
        self.calm(turn);
        self.leaves_uncrowned = true;
        self.play(turn.position, turn.mv, false);
        self.leaves_uncrowned = false;
        self.plainly = true;
        self.play(&uncrowned.after, uncrowned.reply, false);
    }
}

/// What follows a promotion without a crowning.
#[derive(Clone, Copy, Debug)]
struct Uncrowned {
    after: Position,
    reply: Move,
    after_reply: Position,
}
