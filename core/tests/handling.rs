//! What happens on real boards and must not disturb the reading: every kind of contact noise and of handling,
//! at its limit and, where the contract says what lies beyond, just past it (`docs/trace.md`).

mod table;

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{self, Brazilian, International, Russian};
use table::Table;

fn table() -> Table {
    Table::start(International)
}

/// 32x23x12 takes two.
const TWO: &str = "W:W32,37:B10,18,28";

/// White's king on 46 sees the whole of its diagonal.
const KING: &str = "W:WK46,50:B6,16";

impl Table {
    /// The contact chatters for 5 ms and ends in the other state.
    #[track_caller]
    fn bounce(self, number: u8, closes: bool) -> Self {
        let flip = |table: Self, closed: bool| if closed { table.place(number) } else { table.lift(number) };
        flip(
            flip(flip(flip(flip(self, closes).after(1), !closes).after(1), closes).after(1), !closes)
                .after(2),
            closes,
        )
    }

    /// An off-centre landing: the contact closes and flickers for a second, open for `open` ms at a time.
    #[track_caller]
    fn flicker(mut self, number: u8, open: u64) -> Self {
        self = self.place(number);
        let mut left = 1000;
        while left > open + 60 {
            self = self.after(60).lift(number).after(open).place(number);
            left -= open + 60;
        }
        self
    }

    /// A disc in the hand passes low over these squares.
    #[track_caller]
    fn pass_over(mut self, squares: &[u8], closed: u64) -> Self {
        for &number in squares {
            self = self.place(number).after(closed).lift(number).after(30);
        }
        self
    }
}

#[test]
fn bounce_of_5_ms_around_each_change() {
    table()
        .after(500)
        .bounce(32, false)
        .after(500)
        .bounce(28, true)
        .after(500)
        .press(White)
        .after(600)
        .bounce(19, false)
        .after(500)
        .bounce(23, true)
        .after(500)
        .press(Black)
        .after(600)
        .bounce(28, false)
        .after(500)
        .bounce(19, true)
        .after(500)
        .bounce(23, false)
        .after(500)
        .press(White)
        .silent("32-28 19-23 28x19*23");
}

#[test]
fn off_centre_landing_flickers_for_a_second() {
    for open in [20, 60, 120] {
        table()
            .after(500)
            .lift(32)
            .after(500)
            .flicker(28, open)
            .after(300)
            .press(White)
            .black("19-23")
            .after(500)
            .lift(28)
            .after(500)
            .flicker(19, open)
            .off(&[23])
            .after(400)
            .press(White)
            .black("14x23*19")
            .silent("32-28 19-23 28x19*23 14x23*19");
    }
}

#[test]
fn standing_disc_drops_out_for_250_ms() {
    for millis in [10, 120, 250] {
        table()
            .lift_for(33, millis)
            .after(300)
            .lift_for(19, millis)
            .white("32-28")
            .after(200)
            .lift_for(28, millis)
            .after(500)
            .lift_for(5, millis)
            .black("20-25")
            .silent("32-28 20-25");
    }
}

#[test]
fn standing_disc_drops_out_while_another_is_in_the_air() {
    table()
        .after(500)
        .lift(32)
        .after(200)
        .lift_for(38, 250)
        .after(50)
        .lift_for(20, 250)
        .after(200)
        .place(28)
        .after(400)
        .press(White)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn many_discs_drop_out_at_once() {
    let mut table = table().white("32-28").after(900);
    let all = [1, 5, 12, 18, 20, 28, 33, 36, 41, 50];
    for number in all {
        table = table.lift(number);
    }
    table = table.after(240);
    for number in all {
        table = table.place(number);
    }
    table.black("20-25").silent("32-28 20-25");
}

#[test]
fn nudged_disc_is_open_for_250_ms() {
    // The disc that is to move next, and the one just moved; several times in a row.
    table()
        .lift_for(32, 250)
        .after(300)
        .lift_for(32, 250)
        .after(300)
        .white("32-28")
        .after(300)
        .lift_for(28, 250)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn lift_of_400_ms_is_a_lift() {
    table()
        .lift_for(33, 400)
        .white("32-28")
        .black("20-25")
        .expect("32-28 20-25", &["touch-move 1 white accepted"]);
}

#[test]
fn disc_in_the_hand_passes_over_empty_squares_for_100_ms() {
    table()
        .after(500)
        .lift(32)
        .after(200)
        .pass_over(&[27, 22, 23], 100)
        .after(200)
        .place(28)
        .after(400)
        .press(White)
        .pass_over(&[24, 30], 100)
        .black("20-25")
        .silent("32-28 20-25");
}

#[test]
fn landing_of_150_ms_between_two_jumps_is_a_landing() {
    // Set down for 150 ms or carried over: the same move either way.
    for landing in [0, 100, 150, 320, 700] {
        let mut table = Table::of(International, TWO).after(500).lift(32).after(400);
        if landing > 0 {
            table = table.place_for(23, landing).after(400);
        }
        table.place(12).off(&[28, 18]).after(400).press(White).black("10-14").silent("32x12*18,28 10-14");
    }
}

#[test]
fn landing_of_1400_ms_between_two_jumps_is_a_landing() {
    for landing in [1100, 1400] {
        Table::of(International, TWO)
            .after(500)
            .lift(32)
            .after(400)
            .place_for(23, landing)
            .after(400)
            .place(12)
            .off(&[28, 18])
            .after(400)
            .press(White)
            .black("10-14")
            .silent("32x12*18,28 10-14");
    }
}

#[test]
fn king_slid_along_a_diagonal_square_by_square() {
    for closed in [30, 60, 100] {
        for (last, slid) in [(10, &[41, 37, 32, 28, 23, 19, 14][..]), (28, &[41, 37, 32][..])] {
            let mut table = Table::of(International, KING).after(500).lift(46).after(20);
            for &number in slid {
                table = table.place(number).after(closed).lift(number);
            }
            table.place(last).after(500).press(White).black("16-21").silent(&format!("46-{last} 16-21"));
        }
    }
}

#[test]
fn king_slid_with_both_contacts_closed_between_squares() {
    Table::of(International, KING)
        .after(500)
        .place(41)
        .after(60)
        .lift(46)
        .place(37)
        .after(30)
        .lift(41)
        .after(40)
        .place(32)
        .after(30)
        .lift(37)
        .after(500)
        .press(White)
        .black("16-21")
        .silent("46-32 16-21");
}

#[test]
fn man_slid_to_its_next_square() {
    for gap in [0, 40, 100] {
        // Both contacts closed, and both open.
        table()
            .after(500)
            .place(28)
            .after(gap)
            .lift(32)
            .after(500)
            .press(White)
            .after(700)
            .lift(20)
            .after(gap)
            .place(25)
            .after(500)
            .press(Black)
            .silent("32-28 20-25");
    }
}

#[test]
fn stop_on_another_legal_square_within_the_release_time() {
    for rest in [200, 1400] {
        table()
            .after(500)
            .lift(32)
            .after(500)
            .place_for(27, rest)
            .after(500)
            .place(28)
            .after(500)
            .press(White)
            .black("20-25")
            .silent("32-28 20-25");
    }
    // Longer, it was let go (5.12), and the piece was moved on against the rules.
    table()
        .after(500)
        .lift(32)
        .after(500)
        .place_for(27, 1600)
        .after(500)
        .place(28)
        .after(500)
        .press(White)
        .after(1500)
        .black("20-25")
        .expect("32-27 27-28 20-25", &["moved-twice 2 white accepted"]);
}

#[test]
fn king_stops_on_a_legal_square_and_goes_on() {
    for rest in [200, 1400] {
        Table::of(International, KING)
            .after(500)
            .lift(46)
            .after(400)
            .place_for(37, rest)
            .after(400)
            .place(23)
            .after(500)
            .press(White)
            .black("16-21")
            .silent("46-23 16-21");
    }
    // With a press on the way the first stop was the move, and what follows a second one.
    Table::of(International, KING)
        .after(500)
        .lift(46)
        .after(400)
        .place(37)
        .after(500)
        .press(White)
        .after(300)
        .carry(37, 23)
        .after(300)
        .press(White)
        .after(2000)
        .black("16-21")
        .expect("46-37 37-23 16-21", &["moved-twice 2 white accepted"]);
}

#[test]
fn captured_discs_come_off_two_at_a_time() {
    for (first, second) in [(18, 28), (28, 18)] {
        for apart in [0, 30] {
            Table::of(International, TWO)
                .hand("32x23x12")
                .after(500)
                .lift(first)
                .after(apart)
                .lift(second)
                .after(400)
                .press(White)
                .black("10-14")
                .silent("32x12*18,28 10-14");
        }
    }
}

#[test]
fn reply_begun_while_the_last_captured_disc_is_still_being_taken_off() {
    // Before the press, between lift and landing of the reply, and after its landing.
    let capture = || table().white("32-28").black("19-23").hand("28-19");
    let read = "32-28 19-23 28x19*23 14x23*19";
    capture()
        .after(300)
        .lift(14)
        .after(150)
        .lift(23)
        .after(100)
        .press(White)
        .after(300)
        .place(23)
        .off(&[19])
        .after(300)
        .press(Black)
        .silent(read);
    Table::of(International, TWO)
        .hand("32x12*28")
        .after(200)
        .lift(10)
        .after(300)
        .lift(18)
        .after(100)
        .press(White)
        .after(200)
        .place(14)
        .after(300)
        .press(Black)
        .silent("32x12*18,28 10-14");
    Table::of(International, TWO)
        .hand("32x12*28")
        .after(200)
        .press(White)
        .after(100)
        .carry(10, 14)
        .after(300)
        .lift(18)
        .after(300)
        .press(Black)
        .silent("32x12*18,28 10-14");
}

#[test]
fn clock_pressed_late() {
    table()
        .hand("32-28")
        .after(8000)
        .press(White)
        .hand("20-25")
        .after(200)
        .lift(31)
        .after(200)
        .press(Black)
        .after(200)
        .place(27)
        .after(6000)
        .press(White)
        .silent("32-28 20-25 31-27");
}

#[test]
fn clock_never_pressed() {
    // Each forgotten press is kept in the log, and nothing else is told.
    let reading = table().hand("32-28").after(900).hand("20-25").after(900).hand("31-27").after(900).read();
    let moves: Vec<&str> = reading.summary.moves.iter().map(|record| record.text.as_str()).collect();
    assert_eq!(moves, ["32-28", "20-25", "31-27"]);
    assert!(reading.summary.alerts.iter().all(|alert| alert.code.name() == "press-forgotten"));
}

/// After a lost stretch only the net change arrives, all at once.
#[track_caller]
fn check_lost_stretch(variant: Variant, fen: &str, opened: &[u8], closed: &[u8], read: &str) {
    let mut table = Table::of(variant, fen).without_clock().after(3000);
    for &number in opened {
        table = table.lift(number);
    }
    for &number in closed {
        table = table.place(number);
    }
    table.after(3000).silent(read);
}

#[test]
fn lost_stretch_of_one_ply() {
    check_lost_stretch(International, "W:W31,32,33:B18,19,20", &[32], &[28], "32-28");
    check_lost_stretch(International, TWO, &[32, 28, 18], &[12], "32x12*18,28");
    for variant in [Brazilian, Russian] {
        check_lost_stretch(variant, "W:W21,22:B9,10", &[22], &[18], "22-18");
        check_lost_stretch(variant, "W:W22,25:B1,11,18", &[22, 18, 11], &[8], "22x8*11,18");
    }
}

#[test]
fn lost_stretch_of_two_plies() {
    check_lost_stretch(International, "W:W31,32,33:B18,19,20", &[31, 20], &[26, 25], "31-26 20-25");
    check_lost_stretch(
        International,
        "W:W32,37,50:B10,18,28",
        &[32, 28, 18, 10],
        &[12, 14],
        "32x12*18,28 10-14",
    );
    for variant in [Brazilian, Russian] {
        check_lost_stretch(variant, "W:W21,22:B9,12", &[22, 12], &[18, 16], "22-18 12-16");
    }
}

/// So many discs at once that any of them might have gone to either square, soon after much else.
#[test]
fn lost_stretch_of_two_long_captures() {
    let mut table = Table::of(International, "W:WK4,13,15,K21,23,26,38,39,42:B7,10,14,18,K24,27,30,33,K50")
        .after(1000)
        .path(&[38, 29, 20, 9])
        .after(300)
        .press(White)
        .off(&[14, 24, 33])
        .after(7600);
    for number in [30, 21, 39, 50, 13, 23, 27] {
        table = table.lift(number);
    }
    let reading = table.place(8).place(25).black("10-14").read();
    let moves = reading.summary.moves.iter().map(|mv| &*mv.text).collect::<Vec<_>>();
    assert_eq!(moves, ["38x9", "50x8", "21x25", "10-14"]);
}

#[test]
fn lost_stretch_while_the_clock_goes_on() {
    // Pressed without a move, as it seems until the stretch is over.
    let reading = Table::of(International, "W:W31,32,33:B18,19,20")
        .after(3000)
        .press(White)
        .after(1500)
        .lift(32)
        .place(28)
        .read();
    assert_eq!(reading.summary.moves.iter().map(|mv| &*mv.text).collect::<Vec<_>>(), ["32-28"]);
    assert!(reading.summary.alerts.is_empty(), "{:?}", reading.summary.alerts);
}
