//! Crowning, by stack contacts and by the wells of the reserve (CN100 5.6, 5.7, 7.4.15).

use draughtsd_core::piece::Side::{Black, White};
use draughtsd_core::rules::Variant::{Brazilian, International, Russian};
use draughtsd_core::trace::Crowning::{None, Reserve, Stack};

use crate::table::Table;

/// White's man on 7 promotes on 2; nothing on the board can be taken for some moves.
const PROMOTES: &str = "W:W7,50:B15,26";

fn table(crowning: draughtsd_core::trace::Crowning) -> Table {
    Table::of(International, PROMOTES).crowning(crowning)
}

// Crowned in time.

#[test]
fn not_crowned_5_6_not_when_the_player_crowns() {
    table(Stack)
        .hand("7-2")
        .after(700)
        .stack(2)
        .after(500)
        .press(White)
        .black("26-31")
        .white("2-8")
        .after(10)
        .unstack(2)
        .silent("7-2 26-31 2-8");
    table(Reserve)
        .hand("7-2")
        .after(700)
        .spare(White)
        .after(1500)
        .press(White)
        .black("26-31")
        .white("2-8")
        .silent("7-2 26-31 2-8");
}

#[test]
fn not_crowned_5_6_the_spare_disc_may_be_taken_before_the_move() {
    table(Reserve)
        .after(500)
        .spare(White)
        .hand("7-2")
        .after(500)
        .press(White)
        .black("26-31")
        .white("2-8")
        .silent("7-2 26-31 2-8");
}

#[test]
fn not_crowned_5_6_not_when_the_opponent_crowns_before_he_moves() {
    table(Stack).white("7-2").after(800).stack(2).black("26-31").silent("7-2 26-31");
    table(Reserve).white("7-2").after(800).spare(White).after(1000).black("26-31").silent("7-2 26-31");
}

#[test]
fn not_crowned_5_6_lifting_the_disc_to_crown_it_is_no_lift() {
    // By the promoting player before his press, and by his opponent on his own turn.
    table(Stack)
        .hand("7-2")
        .after(700)
        .lift(2)
        .after(800)
        .place(2)
        .stack(2)
        .after(500)
        .press(White)
        .black("26-31")
        .silent("7-2 26-31");
    table(Stack)
        .white("7-2")
        .after(700)
        .lift(2)
        .after(800)
        .place(2)
        .after(20)
        .stack(2)
        .black("26-31")
        .silent("7-2 26-31");
}

#[test]
fn not_crowned_5_6_lifting_the_disc_after_taking_a_spare_one_is_no_lift() {
    table(Reserve)
        .white("7-2")
        .after(700)
        .spare(White)
        .after(600)
        .lift_for(2, 800)
        .black("26-31")
        .silent("7-2 26-31");
}

// 5.6: not crowned when the opponent has replied.

#[test]
fn not_crowned_5_6_corrected_when_crowned_later() {
    table(Stack)
        .white("7-2")
        .black("26-31")
        .after(800)
        .stack(2)
        .white("50-45")
        .black("31-36")
        .expect("7-2 26-31 50-45 31-36", &["not-crowned 2 white corrected"])
        .article("CN100 5.6");
    table(Reserve)
        .white("7-2")
        .black("26-31")
        .after(800)
        .spare(White)
        .white("50-45")
        .black("31-36")
        .expect("7-2 26-31 50-45 31-36", &["not-crowned 2 white corrected"]);
}

#[test]
fn not_crowned_5_6_stays_open_and_is_raised_once() {
    for crowning in [Stack, Reserve] {
        table(crowning)
            .white("7-2")
            .black("26-31")
            .white("50-45")
            .black("31-36")
            .white("45-40")
            .black("36-41")
            .expect("7-2 26-31 50-45 31-36 45-40 36-41", &["not-crowned 2 white open"]);
    }
}

/// White's man takes 7 and, promoted in passing, 6; it stops on 9, where Black's 5 can take it.
const PROMOTES_IN_PASSING: &str = "W:W11,24,32:B5,6,7,20";

#[test]
fn not_crowned_5_6_accepted_when_captured() {
    Table::of(Russian, PROMOTES_IN_PASSING)
        .crowning(Reserve)
        .white("11x2x9*7,6")
        .black("20x27*24")
        .white("32x23*27")
        .black("5x14*9")
        .expect("11x9*6,7 20x27*24 32x23*27 5x14*9", &["not-crowned 2 white accepted"]);
}

#[test]
fn not_crowned_5_6_not_where_a_promoted_piece_stops_off_its_stack_contact() {
    Table::of(Russian, PROMOTES_IN_PASSING)
        .crowning(Stack)
        .white("11x2x9*7,6")
        .black("20x27*24")
        .white("32x23*27")
        .black("5x14*9")
        .silent("11x9*6,7 20x27*24 32x23*27 5x14*9");
}

// 7.4.15, 5.7: the uncrowned king moves.

#[test]
fn moved_uncrowned_king_7_4_15_accepted_counts_as_crowned() {
    for crowning in [Stack, Reserve] {
        table(crowning)
            .white("7-2")
            .black("26-31")
            .white("2-13")
            .after(1500)
            .black("31-36")
            .white("13-2")
            .black("36-41")
            .expect(
                "7-2 26-31 2-13 31-36 13-2 36-41",
                &["moved-uncrowned-king 3 white accepted", "not-crowned 2 white accepted"],
            );
    }
}

#[test]
fn moved_uncrowned_king_7_4_15_corrected_when_it_goes_back() {
    table(Stack)
        .white("7-2")
        .black("26-31")
        .white("2-13")
        .after(1500)
        .carry(13, 2)
        .after(600)
        .stack(2)
        .white("50-45")
        .black("31-36")
        .expect(
            "7-2 26-31 50-45 31-36",
            &["moved-uncrowned-king 3 white corrected", "not-crowned 2 white corrected"],
        );
}

#[test]
fn moved_uncrowned_king_7_4_15_article_on_64_squares() {
    for variant in [Brazilian, Russian] {
        let reading = Table::of(variant, "W:W5,32:B12,13")
            .crowning(Stack)
            .white("5-1")
            .black("13-17")
            .white("1-10")
            .after(1500)
            .black("12-16")
            .expect(
                "5-1 13-17 1-10 12-16",
                &["moved-uncrowned-king 3 white accepted", "not-crowned 2 white accepted"],
            );
        let articles: Vec<&str> = reading.summary.alerts.iter().map(|alert| alert.article.as_str()).collect();
        assert_eq!(articles, ["CN64 5.5.1.2", "CN64 5.5.1.3"]);
    }
}

// Where nothing is sensed nothing is claimed.

#[test]
fn moved_uncrowned_king_7_4_15_not_where_crowning_is_not_sensed() {
    table(None).white("7-2").black("26-31").white("2-13").black("31-36").silent("7-2 26-31 2-13 31-36");
}

#[test]
fn not_crowned_5_6_not_where_the_sensor_is_faulty() {
    // Promoted and moved on without ever having been crowned, as far as the broken sensor can tell.
    table(Stack)
        .crown_sensor(2, false)
        .white("7-2")
        .black("26-31")
        .white("2-13")
        .black("31-36")
        .silent("7-2 26-31 2-13 31-36");
    // Lifted to be crowned, which nobody saw, is no touch of it.
    table(Stack)
        .crown_sensor(2, false)
        .white("7-2")
        .after(600)
        .lift(2)
        .after(900)
        .place(2)
        .after(600)
        .black("26-31")
        .silent("7-2 26-31");
    // It fails while the crowning is due, and works again when the king has been crowned.
    table(Stack)
        .white("7-2")
        .after(600)
        .crown_sensor(2, false)
        .black("26-31")
        .after(600)
        .crown_sensor(2, true)
        .stack(2)
        .white("50-45")
        .black("31-36")
        .silent("7-2 26-31 50-45 31-36");
}

#[test]
fn not_crowned_5_6_is_claimed_again_when_the_sensor_works_again() {
    table(Stack)
        .crown_sensor(2, false)
        .after(600)
        .crown_sensor(2, true)
        .white("7-2")
        .black("26-31")
        .expect("7-2 26-31", &["not-crowned 2 white open"]);
    // What was raised before it failed stays; nothing is added to it.
    table(Stack)
        .white("7-2")
        .black("26-31")
        .after(600)
        .crown_sensor(2, false)
        .white("2-13")
        .black("31-36")
        .expect("7-2 26-31 2-13 31-36", &["not-crowned 2 white accepted"]);
}

#[test]
fn not_crowned_5_6_a_king_of_the_start_position_is_crowned() {
    for crowning in [Stack, Reserve] {
        Table::of(International, "W:WK2,50:B15,26")
            .crowning(crowning)
            .white("2-13")
            .black("26-31")
            .silent("2-13 26-31");
    }
}

#[test]
fn not_crowned_5_6_reserve_with_two_due_crowns_the_older() {
    two_due().after(600).spare(White).white("50-45").black("15-20").expect(
        &format!("{TWO_DUE} 50-45 15-20"),
        &["not-crowned 2 white corrected", "not-crowned 6 white open"],
    );
}

// The reserve: two crownings due, discs given back, discs taken by mistake.

/// White promotes on 2 and, two moves later, on 1.
fn two_due() -> Table {
    Table::of(International, "W:W7,11,50:B15,26")
        .crowning(Reserve)
        .white("7-2")
        .black("26-31")
        .white("11-7")
        .black("31-36")
        .white("7-1")
        .black("36-41")
}

const TWO_DUE: &str = "7-2 26-31 11-7 31-36 7-1 36-41";

#[test]
fn not_crowned_5_6_reserve_with_two_due_crowns_the_one_that_moves_next() {
    two_due().after(600).spare(White).white("1-7").black("15-20").expect(
        &format!("{TWO_DUE} 1-7 15-20"),
        &["not-crowned 2 white open", "not-crowned 6 white corrected"],
    );
}

#[test]
fn not_crowned_5_6_reserve_of_the_other_colour_crowns_nothing() {
    table(Reserve)
        .white("7-2")
        .after(600)
        .spare(Black)
        .black("26-31")
        .expect("7-2 26-31", &["not-crowned 2 white open"]);
}

#[test]
fn not_crowned_5_6_reserve_disc_given_back_and_taken_again() {
    // Two are taken by mistake and one goes back: one crowning.
    table(Reserve)
        .hand("7-2")
        .after(600)
        .spare(White)
        .after(300)
        .spare(White)
        .after(1200)
        .give_back(White)
        .after(600)
        .press(White)
        .black("26-31")
        .white("2-8")
        .silent("7-2 26-31 2-8");
}

#[test]
fn not_crowned_5_6_reserve_disc_taken_and_given_back_crowns_nothing() {
    table(Reserve)
        .hand("7-2")
        .after(600)
        .spare(White)
        .after(1200)
        .give_back(White)
        .after(600)
        .press(White)
        .black("26-31")
        .expect("7-2 26-31", &["not-crowned 2 white open"]);
}

#[test]
fn not_crowned_5_6_reserve_discs_of_captured_pieces_given_to_the_wells() {
    // Black's captured disc is put into Black's well: nothing of White's is crowned by it.
    Table::of(International, "W:W12,50:B8,15,26")
        .crowning(Reserve)
        .hand("12x3*8")
        .after(500)
        .give_back(Black)
        .after(500)
        .press(White)
        .black("26-31")
        .expect("12x3*8 26-31", &["not-crowned 2 white open"]);
}

#[test]
fn a_crowning_on_the_players_own_later_turn_is_no_touch() {
    Table::of(International, "B:WK2,12,K25:B26,41,K46")
        .crowning(Stack)
        .black("41-47")
        .white("25-34")
        .after(4000)
        .lift(47)
        .after(600)
        .place(47)
        .stack(47)
        .after(2400)
        .black("46-28")
        .white("34-40")
        .expect("41-47 25-34 46-28 34-40", &["not-crowned 2 black corrected"]);
}

#[test]
fn a_spare_disc_excuses_no_lift_of_another_king() {
    let crowned = || {
        Table::of(International, "W:W7,K49,50:B15,26,K46")
            .crowning(Reserve)
            .hand("7-2")
            .after(600)
            .spare(White)
            .after(500)
            .press(White)
            .after(900)
    };
    crowned()
        .lift_for(46, 900)
        .black("26-31")
        .white("50-45")
        .expect("7-2 26-31 50-45", &["touch-move 2 black accepted"]);
    crowned()
        .lift_for(49, 900)
        .black("26-31")
        .white("50-45")
        .expect("7-2 26-31 50-45", &["unexplained-lift 2 none accepted"]);
}
