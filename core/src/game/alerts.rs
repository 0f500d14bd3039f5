//! The alerts of a game: the incidents of the best hypothesis, once they count, with id and article.

use crate::alert::{Alert, AlertState, articles};
use crate::event::EventBody;
use crate::moment::Moment;
use crate::reading::{Incident, Reader};
use crate::rules::Variant;

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
    entries: Vec<Entry>,
    /// As they are told, in the same order.
    alerts: Vec<Alert>,
}

impl Alerts {
    pub(super) fn new(variant: Variant) -> Self {
        Self { variant, entries: Vec::new(), alerts: Vec::new() }
    }

    /// The alerts as they stand, in the order in which they opened.
    pub(super) fn all(&self) -> &[Alert] {
        &self.alerts
    }

    /// Compares with what the reader holds now; `settled` are incidents it holds no longer because
    /// nothing more can come of them. Returns what is to be told.
    pub(super) fn update(&mut self, reader: &Reader, settled: Vec<Incident>) -> Vec<EventBody> {
        let mut news = Vec::new();
        for incident in settled {
            match self.position_of(&incident) {
                Some(index) => {
                    self.tell_state(index, &incident, &mut news);
                    self.entries[index].settled = true;
                }
                None => self.open(incident, true, reader.now(), &mut news),
            }
        }
        let best = reader.best();
        let agreed = |incident: &Incident| {
            reader.best_ranked().all(|other| other.incidents().iter().any(|i| i.is_same_act(incident)))
        };
        for incident in best.incidents() {
            match self.position_of(incident) {
                Some(index) => {
                    if !self.entries[index].settled {
                        self.tell_state(index, incident, &mut news);
                    }
                }
                None if incident.due <= reader.now() && agreed(incident) => {
                    self.open(incident.clone(), false, reader.now(), &mut news);
                }
                None => {}
            }
        }
        let gone: Vec<usize> = (0..self.entries.len())
            .filter(|&index| {
                let entry = &self.entries[index];
                !entry.settled && !best.incidents().iter().any(|i| i.is_same_act(&entry.incident))
            })
            .collect();
        for index in gone.into_iter().rev() {
            self.entries.remove(index);
            let alert = self.alerts.remove(index);
            news.push(EventBody::AlertWithdrawn { id: alert.id });
        }
        news
    }

    fn position_of(&self, incident: &Incident) -> Option<usize> {
        self.entries.iter().position(|entry| entry.incident.is_same_act(incident))
    }

    fn open(&mut self, incident: Incident, settled: bool, now: Moment, news: &mut Vec<EventBody>) {
        let alert = self.alert_of(&incident, now);
        news.push(EventBody::Alert { alert: alert.clone() });
        self.alerts.push(alert);
        self.entries.push(Entry { incident, settled });
    }

    fn alert_of(&self, incident: &Incident, now: Moment) -> Alert {
        let alike = |alert: &&Alert| alert.code == incident.code && alert.ply == incident.ply;
        let nth = self.alerts.iter().filter(alike).count() + 1;
        let (article, grade, addressee) = articles::of(incident.code, self.variant);
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
            t: now,
            decision: None,
        }
    }

    fn tell_state(&mut self, index: usize, incident: &Incident, news: &mut Vec<EventBody>) {
        let alert = &mut self.alerts[index];
        self.entries[index].incident = incident.clone();
        if alert.state != incident.state && alert.state != AlertState::Ruled {
            alert.state = incident.state;
            news.push(EventBody::Alert { alert: alert.clone() });
        }
    }
}
