//! What must hold of a game clock whatever is done to it and whenever (CN100 3.1, 8.1, 8.2), held against a clock that
//! counts single milliseconds.

use draughtsd_core::moment::Moment;
use draughtsd_core::piece::Side::{self, Black, White};
use draughtsd_core::time_control::{Bonus, GameClock, Match, TimeControl};
use proptest::prelude::*;

/// What can happen to a clock.
#[derive(Clone, Copy, Debug)]
enum Act {
    Press(Side),
    Run(Side),
    Stop,
    Set(Side, u64),
    Nothing,
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(White), Just(Black)]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => side().prop_map(Act::Press),
        2 => side().prop_map(Act::Run),
        1 => Just(Act::Stop),
        1 => (side(), 0u64..4000).prop_map(|(side, ms)| Act::Set(side, ms)),
        2 => Just(Act::Nothing),
    ]
}

/// Short controls of every kind, so that their ends are reached.
fn control() -> impl Strategy<Value = TimeControl> {
    let bonus = prop_oneof![
        Just(String::new()),
        (1u8..4).prop_map(|n| format!("+{n}")),
        (1u8..4).prop_map(|n| format!("d{n}"))
    ];
    let period = (prop::option::of(1u8..4), 1u8..6, bonus).prop_map(|(moves, time, bonus)| {
        moves.map_or_else(|| format!("{time}{bonus}"), |moves| format!("{moves}/{time}{bonus}"))
    });
    prop::collection::vec(period, 1..4).prop_map(|periods| periods.join(":").parse().expect("a time control"))
}

/// One player's time, counted by single milliseconds.
#[derive(Clone, Copy, Debug)]
struct Counted {
    left_ms: u64,
    used_ms: u64,
    period: usize,
    in_period: u32,
    presses: u32,
}

/// A clock that knows nothing but "a millisecond has passed" and "somebody pressed".
struct Counter {
    control: TimeControl,
    times: [Counted; 2],
    running: Option<Side>,
    flag: Option<Side>,
}

impl Counter {
    fn new(control: &TimeControl) -> Self {
        let left_ms = control.starting_ms();
        let time = Counted { left_ms, used_ms: 0, period: 0, in_period: 0, presses: 0 };
        Self { control: control.clone(), times: [time; 2], running: None, flag: None }
    }

    fn tick(&mut self) {
        let Some(side) = self.running else { return };
        let time = &mut self.times[side as usize];
        time.used_ms += 1;
        time.left_ms = time.left_ms.saturating_sub(1);
        self.look(side);
    }

    /// At zero the next period begins, where one follows by time alone; else the flag falls.
    fn look(&mut self, side: Side) {
        let time = &mut self.times[side as usize];
        if time.left_ms > 0 || self.running != Some(side) {
            return;
        }
        let last = time.period + 1 >= self.control.periods().len();
        if self.control.period(time.period).moves.is_none() && !last {
            time.period += 1;
            time.in_period = 0;
            time.left_ms = self.control.period(time.period).time_ms;
        } else {
            self.flag = self.flag.or(Some(side));
        }
    }

    fn press(&mut self, side: Side) {
        if self.running != Some(side) {
            return;
        }
        let time = &mut self.times[side as usize];
        let used_ms = std::mem::take(&mut time.used_ms);
        if self.flag != Some(side) {
            let period = self.control.period(time.period);
            time.left_ms += match period.bonus {
                Bonus::None => 0,
                Bonus::Fischer { ms } => ms,
                Bonus::Bronstein { ms } => ms.min(used_ms),
            };
            time.presses += 1;
            time.in_period += 1;
            if period.moves.is_some_and(|moves| moves.get() == time.in_period) {
                time.period += 1;
                time.in_period = 0;
                time.left_ms += self.control.period(time.period).time_ms;
            }
        }
        self.running = Some(side.opponent());
        self.look(side.opponent());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// A clock agrees with one that counts single milliseconds: times, flag, periods, and moves counted by press.
    #[test]
    fn a_clock_counts_as_milliseconds_pass(
        control in control(),
        acts in prop::collection::vec((0u64..2500, act()), 1..40),
    ) {
        let mut clock = GameClock::new(control.clone());
        let mut counter = Counter::new(&control);
        let mut now = 0;
        for (pause, act) in acts {
            for _ in 0..pause {
                counter.tick();
            }
            now += pause;
            let at = Moment::from_millis(now);
            match act {
                Act::Press(side) => {
                    clock.press(side, at);
                    counter.press(side);
                }
                Act::Run(side) => {
                    clock.run(side, at);
                    counter.running = Some(side);
                    counter.look(side);
                }
                Act::Stop => {
                    clock.stop(at);
                    counter.running = None;
                }
                Act::Set(side, ms) => {
                    clock.set(side, ms, at);
                    counter.times[side as usize].left_ms = ms;
                    if ms > 0 && counter.flag == Some(side) {
                        counter.flag = None;
                    }
                    // The other may have come to nothing behind the first flag.
                    counter.look(side);
                    counter.look(side.opponent());
                }
                Act::Nothing => {}
            }
            clock.pass_time(at);
            prop_assert_eq!(clock.running(), counter.running);
            prop_assert_eq!(clock.flag(), counter.flag, "at {}", now);
            for side in Side::ALL {
                let counted = counter.times[side as usize];
                prop_assert_eq!(clock.left_ms(side, at), counted.left_ms, "{:?} at {}", side, now);
                prop_assert_eq!(clock.presses(side), counted.presses);
                prop_assert_eq!(clock.period(side), counted.period);
            }
        }
    }

    /// The sides never run together, and a time rises only by a bonus or a period that is known.
    #[test]
    fn only_one_side_runs_and_time_rises_only_by_what_a_press_brings(
        control in control(),
        acts in prop::collection::vec((0u64..2500, side()), 1..60),
    ) {
        let mut clock = GameClock::new(control.clone());
        clock.run(White, Moment::ZERO);
        let mut now = 0;
        for (pause, side) in acts {
            let before = clock.report(Moment::from_millis(now));
            let periods = Side::ALL.map(|side| clock.period(side));
            now += pause;
            let at = Moment::from_millis(now);
            clock.pass_time(at);
            let after = clock.report(at);
            for side in Side::ALL {
                let (old, new) = match side {
                    White => (before.white_ms, after.white_ms),
                    Black => (before.black_ms, after.black_ms),
                };
                if before.running != Some(side) {
                    prop_assert_eq!(new, old, "only the side that runs loses time");
                } else if clock.period(side) == periods[side as usize] {
                    prop_assert_eq!(new, old.saturating_sub(pause));
                }
            }
            let old = clock.left_ms(side, at);
            let bonus = clock.bonus(side);
            let to_go = clock.moves_to_go(side);
            let next = control.period(clock.period(side) + 1).time_ms;
            match clock.press(side, at) {
                Some(brought) => {
                    prop_assert_eq!(clock.left_ms(side, at), old + brought.bonus_ms + brought.period_ms);
                    prop_assert!(brought.bonus_ms <= bonus.for_move(u64::MAX));
                    prop_assert!(brought.period_ms == 0 || (to_go == Some(1) && brought.period_ms == next));
                    prop_assert_eq!(clock.running(), Some(side.opponent()));
                }
                None => prop_assert_eq!(clock.left_ms(side, at), old, "a press of a side that stands is no act"),
            }
        }
    }

    /// The flag falls at the millisecond at which the time is zero, not before; a press at that moment is too late.
    #[test]
    fn the_flag_falls_exactly_at_zero(seconds in 1u32..100, begins in 0u64..10_000) {
        let zero = begins + u64::from(seconds) * 1000;
        let mut clock = GameClock::new(TimeControl::sudden_death(seconds));
        clock.run(White, Moment::from_millis(begins));
        prop_assert_eq!(clock.zero_due(), Some(Moment::from_millis(zero)));
        let mut late = clock.clone();
        prop_assert_eq!(clock.pass_time(Moment::from_millis(zero - 1)), None);
        prop_assert_eq!(clock.left_ms(White, Moment::from_millis(zero - 1)), 1);
        prop_assert!(clock.press(White, Moment::from_millis(zero - 1)).is_some());
        prop_assert_eq!(clock.flag(), None);
        prop_assert_eq!(late.press(White, Moment::from_millis(zero)), Some(draughtsd_core::time_control::Pressed::default()));
        prop_assert_eq!((late.flag(), late.presses(White)), (Some(White), 0));
    }

    /// Whatever is written is read as the same.
    #[test]
    fn the_notation_is_read_as_it_is_written(control in control()) {
        prop_assert_eq!(control.to_string().parse(), Ok(control.clone()));
        let alone = Match::from(control);
        prop_assert_eq!(alone.to_string().parse(), Ok(alone));
    }

    /// Any text is read or refused; what is read is written so that it reads the same.
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9/+:d;a-z-]{0,30}|\\PC{0,20}") {
        if let Ok(read) = text.parse::<Match>() {
            prop_assert_eq!(read.to_string().parse(), Ok(read));
        }
    }
}

/// 90 minutes for 40 moves, then 10 in every 15 minutes: a game of 60 moves each, every move in two minutes.
#[test]
fn periods_repeat_to_the_end_cnxq_2_1() {
    let mut clock = GameClock::new("40/5400:10/900".parse().expect("a time control"));
    clock.run(White, Moment::ZERO);
    let mut now = 0;
    let mut brought = Vec::new();
    for ply in 0..120u32 {
        now += 90_000;
        let side = if ply % 2 == 0 { White } else { Black };
        let pressed = clock.press(side, Moment::from_millis(now)).expect("his time runs");
        if side == White && pressed.period_ms > 0 {
            brought.push((clock.presses(White), pressed.period_ms));
        }
    }
    assert_eq!(brought, [(40, 900_000), (50, 900_000), (60, 900_000)]);
    assert_eq!(clock.flag(), None);
    assert_eq!(clock.left_ms(White, Moment::from_millis(now)), 5_400_000 + 3 * 900_000 - 60 * 90_000);
}

/// A fixed time, and when it is used up a Fischer period (CN100 8.1.3).
#[test]
fn a_period_without_moves_lasts_until_its_time_is_used_up_8_1_3() {
    let mut clock = GameClock::new("60:30+10".parse().expect("a time control"));
    clock.run(White, Moment::ZERO);
    clock.pass_time(Moment::from_millis(59_999));
    assert_eq!((clock.period(White), clock.bonus(White)), (0, Bonus::None));
    clock.pass_time(Moment::from_millis(60_000));
    assert_eq!((clock.period(White), clock.bonus(White)), (1, Bonus::Fischer { ms: 10_000 }));
    assert_eq!((clock.left_ms(White, Moment::from_millis(60_000)), clock.flag()), (30_000, None));
    assert_eq!(clock.pass_time(Moment::from_millis(90_000)), Some(White));
}
