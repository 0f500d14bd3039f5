//! From frames to inputs of the game: which contact changed, and what it means.
//!
//! Squares are reported as they are, bounce included: the core makes sense of them, and recordings keep it.
//! Wells, presses and buttons are certain to the core at once, so their bounce is taken out here.

use draughtsd_core::matrix::Matrix;
use draughtsd_core::moment::Moment;
use draughtsd_core::rules::Variant;
use draughtsd_core::square::SquareSet;
use draughtsd_core::trace::{ClockLink, Crowning, Input, TimedInput};

use super::frame::{Closed, MOST_WIRES, Place};
use crate::config::{Board, WhiteSide};
use crate::pinmap::{BoardSize, Contact, PinMap, Role};

/// A well, a press or a button must stay as it is for so long before it counts: pressed by hand, never shorter.
const STEADY_MS: u64 = 5;

/// What each place of the matrix means in a game.
#[derive(Clone, Debug)]
pub struct Roles {
    at: [[Option<Role>; MOST_WIRES]; MOST_WIRES],
}

impl Roles {
    /// The roles of a board's contacts; `None` where the pin map does not describe a board for this game.
    ///
    /// Wells are left out unless crownings are sensed by them, and presses unless a clock is linked.
    #[must_use]
    pub fn new(pin_map: &PinMap, board: &Board) -> Option<Self> {
        let is_used = |role| match role {
            Role::Square(_) | Role::Button { .. } => true,
            Role::Well { .. } => board.crowning == Crowning::Reserve,
            Role::Press { .. } => board.clock == ClockLink::Linked,
        };
        Self::of(pin_map, board, is_used)
    }

    /// The roles of all contacts, whether the game needs them or not: for who looks at the board itself.
    #[must_use]
    pub fn all(pin_map: &PinMap, board: &Board) -> Option<Self> {
        Self::of(pin_map, board, |_| true)
    }

    fn of(pin_map: &PinMap, board: &Board, is_used: impl Fn(Role) -> bool) -> Option<Self> {
        let wiring = pin_map.wiring(BoardSize::of(board.game))?;
        let mut roles = Self { at: [[None; MOST_WIRES]; MOST_WIRES] };
        for contact in wiring.contacts() {
            let role = contact.id.role(board.game, board.white_side);
            roles.at[contact.row.index()][contact.column.index()] = is_used(role).then_some(role);
        }
        Some(roles)
    }

    /// What the contact at a place means.
    #[must_use]
    pub fn at(&self, place: Place) -> Option<Role> {
        self.at[place.row()][place.column()]
    }

    /// The squares whose contacts are among these.
    #[must_use]
    pub fn squares(&self, closed: &Closed) -> SquareSet {
        closed
            .places()
            .filter_map(|place| match self.at(place) {
                Some(Role::Square(square)) => Some(square),
                _ => None,
            })
            .collect()
    }
}

/// Where a contact of the pin map sits.
#[must_use]
pub fn place_of(contact: &Contact) -> Option<Place> {
    Place::new(contact.row.index(), contact.column.index())
}

/// The wires of a board's squares as a trace has them; `None` where the pin map does not describe every square.
#[must_use]
pub fn matrix_of(pin_map: &PinMap, board: &Board) -> Option<Matrix> {
    let contacts = pin_map.wiring(BoardSize::of(board.game))?.contacts();
    let crossing = |square| {
        let is_under =
            |contact: &&Contact| contact.id.role(board.game, board.white_side) == Role::Square(square);
        let contact = contacts.iter().find(is_under)?;
        let wire = |index: usize| u8::try_from(index + 1).ok();
        Some([wire(contact.row.index())?, wire(contact.column.index())?])
    };
    let crossings = SquareSet::all(board.game).iter().map(crossing).collect::<Option<Vec<_>>>()?;
    Matrix::new(crossings).ok()
}

/// The places of a board's squares that are in `squares`.
#[must_use]
pub fn places_of(pin_map: &PinMap, game: Variant, white_side: WhiteSide, squares: SquareSet) -> Closed {
    let mut closed = Closed::NONE;
    for contact in pin_map.wiring(BoardSize::of(game)).map_or(&[][..], |wiring| wiring.contacts()) {
        if let (Role::Square(square), Some(place)) = (contact.id.role(game, white_side), place_of(contact)) {
            closed.set(place, squares.contains(square));
        }
    }
    closed
}

/// What has been told of a board so far, so that the next frame can be compared with it.
#[derive(Clone, Debug)]
pub struct Changes {
    roles: Roles,
    told: Closed,
    /// Contacts that differ from what was told, but have to stay so first, and since when they have.
    steadying: Vec<(Place, Moment)>,
}

impl Changes {
    /// Begins with a frame that is known already.
    #[must_use]
    pub const fn new(roles: Roles, first: Closed) -> Self {
        Self { roles, told: first, steadying: Vec::new() }
    }

    /// The squares whose contact is closed, as far as was told.
    #[must_use]
    pub fn closed_squares(&self) -> SquareSet {
        self.roles.squares(&self.told)
    }

    /// Tells what a frame changes, in the order of the wires.
    ///
    /// - `at`: when the frame was read; not before that of the frame before.
    /// - `tell`: takes an input, or says that it cannot just now. What it did not take is told with a
    ///   later frame, if it is still so: a slow listener misses a bounce, never the state.
    pub fn next(&mut self, closed: &Closed, at: Moment, mut tell: impl FnMut(TimedInput) -> bool) {
        if *closed == self.told {
            self.steadying.clear();
            return;
        }
        let differing = closed.difference(&self.told);
        self.steadying.retain(|&(place, _)| differing.contains(place));
        for place in differing.places() {
            let is_closed = closed.contains(place);
            let role = self.roles.at(place);
            if !matches!(role, None | Some(Role::Square(_))) && !self.is_steady(place, at) {
                continue;
            }
            let taken = input_of(role, is_closed).is_none_or(|input| tell(TimedInput { at, input }));
            if !taken {
                return;
            }
            self.told.set(place, is_closed);
            self.steadying.retain(|&(other, _)| other != place);
        }
    }

    fn is_steady(&mut self, place: Place, at: Moment) -> bool {
        if let Some(&(_, since)) = self.steadying.iter().find(|(other, _)| *other == place) {
            return at.since(since) >= STEADY_MS;
        }
        self.steadying.push((place, at));
        false
    }
}

/// The input for a contact that closed or opened; a button that is let go, and a place without a contact, mean
/// nothing.
fn input_of(role: Option<Role>, closed: bool) -> Option<Input> {
    match role? {
        Role::Square(square) => Some(Input::Contact { square, closed }),
        Role::Well { side, number } => Some(Input::Reserve { side, closed, well: Some(number) }),
        Role::Press { side } => closed.then_some(Input::Press { side }),
        Role::Button { button, side } => closed.then_some(Input::Button { button, side }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pinmap::ContactId;
    use draughtsd_core::piece::Side;
    use draughtsd_core::square::Square;
    use draughtsd_core::trace::Button;

    /// The core's wires are those of the scanner: what the pin map gives for a square, wherever White sits.
    #[test]
    fn matrix_of_a_trace_is_that_of_the_pin_map() {
        let pin_map = PinMap::shipped();
        for game in [Variant::International, Variant::Brazilian] {
            let matrix = |white_side| matrix_of(&pin_map, &Board { game, ..board(white_side) }).unwrap();
            let near = matrix(WhiteSide::Near);
            assert_eq!(near.contacts(), usize::from(game.square_count()));
            assert_eq!(matrix(WhiteSide::Far), near.turned());
            let contact =
                pin_map.wiring(BoardSize::of(game)).unwrap().contact(ContactId::Square(Square::ALL[0]));
            let contact = contact.unwrap();
            let crossings: Vec<[u8; 2]> = near.into();
            assert_eq!(crossings[0].map(usize::from), [contact.row.index() + 1, contact.column.index() + 1]);
        }
    }

    fn board(white_side: WhiteSide) -> Board {
        Board { white_side, crowning: Crowning::Reserve, clock: ClockLink::Linked, ..Board::default() }
    }

    fn place(name: &str) -> Place {
        let id: ContactId = name.parse().unwrap();
        let map = PinMap::shipped();
        place_of(map.wiring(BoardSize::Hundred).unwrap().contact(id).unwrap()).unwrap()
    }

    /// Feeds changes `(ms, contact, closed)` frame by frame and expects the inputs with their moments.
    #[track_caller]
    fn check(white_side: WhiteSide, changes: &[(u64, &str, bool)], expected: &[(u64, Input)]) {
        let roles = Roles::new(&PinMap::shipped(), &board(white_side)).unwrap();
        let mut state = Closed::NONE;
        let mut told = Changes::new(roles, state);
        let mut inputs = Vec::new();
        let end = changes.last().map_or(0, |change| change.0) + 20;
        for ms in 0..end {
            for &(_, name, closed) in changes.iter().filter(|change| change.0 == ms) {
                state.set(place(name), closed);
            }
            told.next(&state, Moment::from_millis(ms), |input| {
                inputs.push((input.at.millis(), input.input));
                true
            });
        }
        assert_eq!(inputs, expected);
    }

    fn contact(number: u8, closed: bool) -> Input {
        Input::Contact { square: Square::new(number).unwrap(), closed }
    }

    #[test]
    fn squares_are_told_at_once_with_their_bounce() {
        let changes = [(3, "square-32", true), (4, "square-32", false), (5, "square-32", true)];
        let expected = [(3, contact(32, true)), (4, contact(32, false)), (5, contact(32, true))];
        check(WhiteSide::Near, &changes, &expected);
    }

    #[test]
    fn a_board_turned_round_is_renumbered() {
        check(WhiteSide::Far, &[(1, "square-1", true)], &[(1, contact(50, true))]);
        let presses = [(1, "press-near", true)];
        check(WhiteSide::Far, &presses, &[(6, Input::Press { side: Side::Black })]);
    }

    #[test]
    fn a_press_counts_once_however_it_bounces() {
        let bouncing = [
            (1, "press-near", true),
            (2, "press-near", false),
            (4, "press-near", true),
            (60, "press-near", false),
            (61, "press-near", true),
            (62, "press-near", false),
        ];
        check(WhiteSide::Near, &bouncing, &[(9, Input::Press { side: Side::White })]);
        let spike = [(1, "press-near", true), (5, "press-near", false)];
        check(WhiteSide::Near, &spike, &[]);
    }

    #[test]
    fn buttons_and_wells_are_told_by_their_own_names() {
        let changes = [(1, "draw-far", true), (10, "well-near-2", true), (30, "well-near-2", false)];
        let well = |closed| Input::Reserve { side: Side::White, closed, well: Some(2) };
        let draw = Input::Button { button: Button::Draw, side: Side::Black };
        check(WhiteSide::Near, &changes, &[(6, draw), (15, well(true)), (35, well(false))]);
    }

    #[test]
    fn what_nobody_takes_is_told_later_if_it_is_still_so() {
        let roles = Roles::new(&PinMap::shipped(), &board(WhiteSide::Near)).unwrap();
        let mut told = Changes::new(roles, Closed::NONE);
        let mut state = Closed::NONE;
        state.set(place("square-1"), true);
        state.set(place("square-2"), true);
        let mut room = 1;
        told.next(&state, Moment::from_millis(1), |_| {
            room -= 1;
            room >= 0
        });
        let mut inputs = Vec::new();
        told.next(&state, Moment::from_millis(2), |input| {
            inputs.push(input.input);
            true
        });
        assert_eq!(inputs, [contact(2, true)]);
        assert_eq!(told.closed_squares().len(), 2);
    }
}
