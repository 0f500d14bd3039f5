//! The alerts of a game: the incidents of the best hypothesis, once they count, with id and article.

use super::evidence::Scene;
use crate::alert::policy::AlertPolicy;
use crate::alert::{Alert, AlertCode, AlertState, Evidence, articles};
use crate::event::EventBody;
use crate::moment::Moment;
use crate::reading::Incident;
use crate::rules::Variant;
use crate::trace::Decision;

/// An alert is told when the reading has stood by it for this long: a sleeve's first discs or a disc still
/// on its way may look like many things for a moment.
const STEADY_MS: u64 = 350;

/// An alert and the incident it tells of.
#[derive(Clone, Debug)]
struct Entry {
    incident: Incident,
    /// Nothing more can come of it; it no longer rests on a hypothesis.
    settled: bool,
}

/// All alerts told so far.
#[derive(Clone, Debug)]
pub(super) struct Alerts {
    variant: Variant,
    policy: AlertPolicy,
    entries: Vec<Entry>,
    /// As they are told, in the same order.
    alerts: Vec<Alert>,
    /// Told once, then withdrawn; they come back under their old name.
    withdrawn: Vec<(Incident, Alert)>,
    /// Due, but not told yet, and since when: the reading may still change its mind.
    pending: Vec<(Incident, Moment)>,
}

impl Alerts {
    pub(super) fn new(variant: Variant, policy: AlertPolicy) -> Self {
        Self {
            variant,
            policy,
            entries: Vec::new(),
            alerts: Vec::new(),
            withdrawn: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// The alerts as they stand, in the order in which they opened.
    pub(super) fn all(&self) -> &[Alert] {
        &self.alerts
    }

    /// The arbiter ruled on an alert; `None` where there is no alert of this id.
    pub(super) fn rule(&mut self, id: &str, decision: Decision) -> Option<EventBody> {
        let alert = self.alerts.iter_mut().find(|alert| alert.id == id)?;
        alert.state = AlertState::Ruled;
        alert.decision = Some(decision);
        Some(EventBody::Alert { alert: alert.clone() })
    }

    /// All moves but the first `settled` are in doubt again, and with them what was irregular about them.
    pub(super) fn reopen(&mut self, settled: u32) {
        for entry in &mut self.entries {
            entry.settled &= entry.incident.ply <= settled;
        }
    }

    /// Withdraws everything: the game had not begun.
    pub(super) fn clear(&mut self) -> Vec<EventBody> {
        self.entries.clear();
        self.withdrawn.clear();
        self.pending.clear();
        self.alerts.drain(..).map(|alert| EventBody::AlertWithdrawn { id: alert.id }).collect()
    }

    /// Compares with the incidents of the hypothesis that is told; `settled` are incidents that no
    /// hypothesis holds any longer because nothing more can come of them. `counts` says whether an
    /// incident is due and beyond doubt, `scene` where it took place. Acts that are not to be told are left out.
    /// Returns what is to be told.
    pub(super) fn update(
        &mut self,
        mut held: Vec<&Incident>,
        mut settled: Vec<Incident>,
        now: Moment,
        counts: impl Fn(&Incident) -> bool,
        scene: impl Fn(&Incident) -> (Scene, Evidence),
    ) -> Vec<EventBody> {
        let mut news = Vec::new();
        let told_of = |incident: &Incident| self.policy.weight(incident.code).is_some();
        settled.retain(told_of);
        held.retain(|incident| told_of(incident));
        for incident in settled {
            let index = match self.entry_of(&incident, &held) {
                Some(index) => index,
                None => self.open(&incident, now, &scene, &mut news),
            };
            self.tell_state(index, &incident, &mut news);
            self.entries[index].settled = true;
        }
        for &incident in &held {
            match self.entry_of(incident, &held) {
                Some(index) => self.tell_state(index, incident, &mut news),
                None if counts(incident) && self.is_steady(incident, now) => {
                    self.open(incident, now, &scene, &mut news);
                }
                None => {}
            }
        }
        self.pending.retain(|(other, _)| held.contains(&other));
        for index in (0..self.entries.len()).rev() {
            let entry = &self.entries[index];
            if !entry.settled && !held.iter().any(|incident| incident.is_same_act(&entry.incident)) {
                let entry = self.entries.remove(index);
                let alert = self.alerts.remove(index);
                news.push(EventBody::AlertWithdrawn { id: alert.id.clone() });
                self.withdrawn.push((entry.incident, alert));
            }
        }
        news
    }

    /// When a pending alert has been steady for long enough.
    pub(super) fn deadline(&self) -> Option<Moment> {
        self.pending.iter().map(|(_, since)| since.after(STEADY_MS)).min()
    }

    /// Whether an open incident has stood for a while; one that has come to its end, or was
    /// waited for anyway, needs no patience.
    fn is_steady(&mut self, incident: &Incident, now: Moment) -> bool {
        let waited_for = matches!(
            incident.code,
            AlertCode::LeftCapturedPiece
                | AlertCode::PieceMissing
                | AlertCode::RemovalInterrupted
                | AlertCode::ResultMissing
        );
        if !incident.is_open() || waited_for {
            return true;
        }
        match self.pending.iter().find(|(other, _)| other.is_alike(incident)) {
            Some((_, since)) => now.since(*since) >= STEADY_MS,
            None => {
                self.pending.push((incident.clone(), now));
                false
            }
        }
    }

    /// The entry of this act, or of the same act as it was read before.
    fn entry_of(&self, incident: &Incident, held: &[&Incident]) -> Option<usize> {
        let same = |entry: &Entry| entry.incident.is_same_act(incident);
        let superseded = |entry: &Entry| {
            !entry.settled
                && entry.incident.is_alike(incident)
                && !held.iter().any(|other| other.is_same_act(&entry.incident))
        };
        self.entries.iter().position(same).or_else(|| self.entries.iter().position(superseded))
    }

    fn open(
        &mut self,
        incident: &Incident,
        now: Moment,
        scene: &impl Fn(&Incident) -> (Scene, Evidence),
        news: &mut Vec<EventBody>,
    ) -> usize {
        let known = self.withdrawn.iter().position(|(other, _)| other.is_alike(incident));
        let alert = match known {
            Some(index) => Alert { state: incident.state, ..self.withdrawn.remove(index).1 },
            None => self.alert_of(incident, now, scene(incident)),
        };
        news.push(EventBody::Alert { alert: alert.clone() });
        self.alerts.push(alert);
        self.entries.push(Entry { incident: incident.clone(), settled: false });
        self.entries.len() - 1
    }

    fn alert_of(&self, incident: &Incident, now: Moment, (scene, evidence): (Scene, Evidence)) -> Alert {
        let told = self.alerts.iter().chain(self.withdrawn.iter().map(|(_, alert)| alert));
        let nth = told.filter(|a| a.code == incident.code && a.ply == incident.ply).count() + 1;
        let weight = self.policy.weight(incident.code);
        let (grade, addressee) = weight.unwrap_or_else(|| articles::weight(incident.code));
        let article = if scene.another_had_to_capture(incident) {
            articles::cited_for_another_piece(self.policy.book, self.variant)
        } else {
            articles::cited(incident.code, self.policy.book, self.variant)
        };
        // What a completed reply brings about opened when the reply was complete.
        let t = if incident.code == AlertCode::NotCrowned { incident.due } else { now };
        Alert {
            id: format!("{}-{}-{nth}", incident.ply, incident.code),
            code: incident.code,
            article,
            ply: incident.ply,
            side: incident.side,
            squares: incident.squares.clone(),
            grade,
            addressee,
            state: incident.state,
            t,
            flag: incident.flag,
            evidence: Some(evidence),
            decision: None,
        }
    }

    fn tell_state(&mut self, index: usize, incident: &Incident, news: &mut Vec<EventBody>) {
        let entry = &mut self.entries[index];
        if entry.settled {
            return;
        }
        entry.incident = incident.clone();
        let alert = &mut self.alerts[index];
        if alert.state != incident.state && alert.state != AlertState::Ruled {
            alert.state = incident.state;
            news.push(EventBody::Alert { alert: alert.clone() });
        }
    }
}
