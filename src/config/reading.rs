//! The table `[reading]`: thresholds that contradict each other.
//!
//! Only contradictions are refused. A board whose switches bounce for longer than any we know may need odd
//! values, and whoever measured it knows better than we do.

use draughtsd_core::settings::Settings;

use super::Problem;

/// Adds the contradictions in `settings` to `problems`.
pub(super) fn check(settings: &Settings, problems: &mut Vec<Problem>) {
    for (key, value) in settings.entries() {
        if value > Settings::LONGEST_MS {
            problems.push(Problem {
                key: format!("reading.{key}"),
                found: value.to_string(),
                expected: format!("at most {}, a day", Settings::LONGEST_MS),
                advice: "thresholds are in milliseconds",
            });
        }
    }
    let &Settings { bounce_ms, pass_ms, dropout_ms, simultaneous_ms, settle_ms, release_ms, .. } = settings;
    let mut below = |key: &str, value: u64, bound_key, bound: u64, advice| {
        if value >= bound {
            let expected = format!("less than {bound_key}, which is {bound}");
            problems.push(Problem { key: key.to_owned(), found: value.to_string(), expected, advice });
        }
    };
    below(
        "reading.bounce-ms",
        bounce_ms,
        "reading.pass-ms",
        pass_ms,
        "a passing disc would be taken for bounce; reed switches settle within 5 ms",
    );
    below(
        "reading.simultaneous-ms",
        simultaneous_ms,
        "reading.pass-ms",
        pass_ms,
        "acts one after the other would have no order; two discs taken together are within 30 ms",
    );
    below(
        "reading.pass-ms",
        pass_ms,
        "reading.dropout-ms",
        dropout_ms,
        "a disc that flickers when set down would look as if it had been lifted again; \
         hands pass within 100 ms, knocks last up to 250 ms",
    );
    below(
        "reading.settle-ms",
        settle_ms,
        "reading.release-ms",
        release_ms,
        "a move would be final before it is shown; 0 shows it at once",
    );
    if release_ms <= dropout_ms {
        problems.push(Problem {
            key: "reading.release-ms".to_owned(),
            found: release_ms.to_string(),
            expected: format!("more than reading.dropout-ms, which is {dropout_ms}"),
            advice: "a move would be final before it is certain that its disc was not lifted again",
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(settings: Settings, expected: &[&str]) {
        let mut problems = Vec::new();
        super::check(&settings, &mut problems);
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, expected, "{problems:#?}");
    }

    #[test]
    fn contradictions_are_named_by_the_threshold_to_change() {
        let standard = Settings::default;
        check(standard(), &[]);
        check(Settings { pass_ms: 320, ..standard() }, &["reading.pass-ms"]);
        check(Settings { bounce_ms: 125, ..standard() }, &["reading.bounce-ms"]);
        check(Settings { simultaneous_ms: 200, ..standard() }, &["reading.simultaneous-ms"]);
        check(Settings { release_ms: 320, ..standard() }, &["reading.release-ms"]);
        check(Settings { settle_ms: 1500, ..standard() }, &["reading.settle-ms"]);
        check(
            Settings { settle_ms: 2000, pass_ms: 400, ..standard() },
            &["reading.pass-ms", "reading.settle-ms"],
        );
        check(Settings { removal_pause_ms: u64::MAX, ..standard() }, &["reading.removal-pause-ms"]);
    }

    #[test]
    fn measured_oddities_are_allowed() {
        check(Settings { bounce_ms: 0, settle_ms: 200, late_removal_ms: 0, ..Settings::default() }, &[]);
    }
}
