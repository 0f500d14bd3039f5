//! Whether the linked clock runs as fast as ours, told from its reports.

use crate::clock::ClockTrouble;
use crate::trace::ClockReport;

/// So much has to pass before anything is said: reports in whole seconds are a second off.
const LEAST_MS: u64 = 60_000;

/// After so much the count begins anew.
const MOST_MS: u64 = 600_000;

/// Differences up to this are rounding.
const ROUNDING_MS: u64 = 2000;

/// A clock that is off by less than one part in this many is good enough.
const ONE_IN: u64 = 100;

/// Stretches in which one side's time ran undisturbed, added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Rate {
    elapsed_ms: u64,
    counted_ms: u64,
    told: bool,
}

impl Rate {
    /// Takes in two reports with no press between them. Returns what is wrong, once.
    pub(super) fn observe(
        &mut self,
        elapsed_ms: u64,
        last: ClockReport,
        report: ClockReport,
    ) -> Option<ClockTrouble> {
        if last.running != report.running || report.flag.is_some() {
            return None;
        }
        let counted_ms = match last.running? {
            crate::piece::Side::White => last.white_ms.checked_sub(report.white_ms)?,
            crate::piece::Side::Black => last.black_ms.checked_sub(report.black_ms)?,
        };
        self.elapsed_ms = self.elapsed_ms.saturating_add(elapsed_ms);
        self.counted_ms = self.counted_ms.saturating_add(counted_ms);
        let off_ms = self.elapsed_ms.abs_diff(self.counted_ms);
        let is_off = off_ms > ROUNDING_MS && off_ms > self.elapsed_ms / ONE_IN;
        let trouble = (self.elapsed_ms >= LEAST_MS && is_off && !self.told).then_some(
            if self.counted_ms > self.elapsed_ms { ClockTrouble::RunsFast } else { ClockTrouble::RunsSlow },
        );
        if trouble.is_some() || self.elapsed_ms > MOST_MS {
            *self = Self { told: self.told || trouble.is_some(), ..Self::default() };
        }
        trouble
    }
}
