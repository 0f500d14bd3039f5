//! What the arbiter's snapshot has and the public's has not: alerts, doubt, faults, and what is wrong with the
//! journal. Folded from the arbiter's events, like the rest of the snapshot.

use draughtsd_core::alert::{Alert, AlertState};
use draughtsd_core::event::{AdviceArticle, ContactFault, EventBody, Explanation};
use draughtsd_core::piece::Side;
use draughtsd_core::square::Square;
use draughtsd_core::trace::Restart;
use serde::Serialize;

/// An alert and whether the arbiter has seen it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotedAlert {
    /// The alert as it stands.
    #[serde(flatten)]
    pub alert: Alert,
    /// The arbiter has seen it.
    pub seen: bool,
}

/// A draw rule that is complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotedDraw {
    /// The rule's name.
    pub rule: String,
    /// The ply that completes it.
    pub ply: u32,
}

/// What a rule has to say about a position, which is no draw by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NotedAdvice {
    /// The rule.
    pub article: AdviceArticle,
    /// The ply that led to the position.
    pub ply: u32,
    /// The player whom it is about.
    pub side: Option<Side>,
}

/// A contact that is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NotedFault {
    /// The square.
    pub square: Square,
    /// What is wrong with it.
    pub fault: ContactFault,
}

/// All that is for the arbiter alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ArbiterNotes {
    /// Alerts in the order in which they opened.
    pub alerts: Vec<NotedAlert>,
    /// Draw rules that are complete.
    pub draws: Vec<NotedDraw>,
    /// What rules have to say about positions that are no draws by themselves.
    pub advice: Vec<NotedAdvice>,
    /// Explanations among which nothing decides, in a fixed order; empty where there is no doubt.
    pub explanations: Vec<Explanation>,
    /// Contacts that are not believed.
    pub faults: Vec<NotedFault>,
    /// How the program was down during this game.
    pub restarts: Vec<Restart>,
    /// Why nothing can be kept at present.
    pub journal_problem: Option<String>,
}

impl ArbiterNotes {
    /// How many alerts nothing has come of yet.
    #[must_use]
    pub fn open_alerts(&self) -> usize {
        self.alerts.iter().filter(|noted| noted.alert.state == AlertState::Open).count()
    }

    /// Folds one more event in.
    pub fn apply(&mut self, body: &EventBody) {
        match body {
            EventBody::Alert { alert } => {
                match self.alerts.iter_mut().find(|noted| noted.alert.id == alert.id) {
                    Some(noted) => noted.alert = alert.clone(),
                    None => self.alerts.push(NotedAlert { alert: alert.clone(), seen: false }),
                }
            }
            EventBody::AlertSeen { id } => {
                self.alerts
                    .iter_mut()
                    .filter(|noted| noted.alert.id == *id)
                    .for_each(|noted| noted.seen = true);
            }
            EventBody::AlertWithdrawn { id } => self.alerts.retain(|noted| noted.alert.id != *id),
            EventBody::Draw { rule, ply } => self.draws.push(NotedDraw { rule: rule.clone(), ply: *ply }),
            &EventBody::Advice { article, ply, side } => {
                self.advice.push(NotedAdvice { article, ply, side });
            }
            EventBody::Withdrawn { ply, .. } => self.draws.retain(|draw| draw.ply < *ply),
            EventBody::Unclear { explanations } => self.explanations.clone_from(explanations),
            EventBody::Cleared => self.explanations.clear(),
            EventBody::Fault { square, fault } => {
                self.faults.retain(|noted| noted.square != *square);
                self.faults.push(NotedFault { square: *square, fault: *fault });
            }
            EventBody::FaultCleared { square } => self.faults.retain(|noted| noted.square != *square),
            EventBody::Resumed { restart: Some(restart) } => self.restarts.push(restart.clone()),
            EventBody::Journal { problem } => self.journal_problem.clone_from(problem),
            // Shown to all, or only passed on.
            _ => {}
        }
    }
}
