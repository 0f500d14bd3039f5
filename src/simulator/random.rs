//! The simulator's randomness: PCG32 (`XSH RR 64/32`, M. E. O'Neill 2014), seeded by hand.
//!
//! A seed has to give the same trace on every platform and with every later version of the
//! generator's crate, so only the generator itself is taken from there: seeding, ranges and shuffles
//! are written out here, in integers. Each [`Purpose`] draws from a stream of its own, so that
//! switching noise on leaves the hands' own movements as they were.

use rand_pcg::Lcg64Xsh32;
use rand_pcg::rand_core::Rng;

/// What random numbers are drawn for; each has its own stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The choice of moves in a game made up from the seed.
    Moves = 1,
    /// What the hands do and how fast.
    Hands = 2,
    /// What the contacts do of themselves.
    Contacts = 3,
    /// Which stretches the scanner loses.
    Gaps = 4,
    /// What a faulty contact does.
    Faults = 5,
    /// Which irregular acts are done, and where.
    Plan = 6,
}

/// A seeded source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(Lcg64Xsh32);

impl Random {
    /// The numbers of `seed` for `purpose`.
    #[must_use]
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        Self(Lcg64Xsh32::new(scrambled(seed), purpose as u64))
    }

    /// A number from 0 to `bound - 1`, all equally likely; 0 for a bound of 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        // The lowest products are drawn again, or small numbers would come up more often.
        let uneven = bound.wrapping_neg() % bound;
        loop {
            let drawn = self.0.next_u32();
            let product = u64::from(drawn) * u64::from(bound);
            let [b0, b1, b2, b3, low @ ..] = product.to_be_bytes();
            if u32::from_be_bytes(low) >= uneven {
                return u32::from_be_bytes([b0, b1, b2, b3]);
            }
        }
    }

    /// A number of milliseconds from `span.0` to `span.1`, both included; `span.0` if they are crossed.
    pub fn within(&mut self, span: (u64, u64)) -> u64 {
        let width = u32::try_from(span.1.saturating_sub(span.0)).unwrap_or(u32::MAX - 1);
        span.0 + u64::from(self.below(width + 1))
    }

    /// True `permille` times in a thousand.
    pub fn chance(&mut self, permille: u32) -> bool {
        self.below(1000) < permille
    }

    /// An index of a list of `length`; 0 for an empty one. Lists here are short.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(u32::try_from(length).unwrap_or(u32::MAX)) as usize
    }

    /// One of `list`; none of an empty one.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.index(list.len())) }
    }

    /// Puts `list` into a random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.index(last + 1);
            list.swap(last, other);
        }
    }
}

/// Spreads seeds that lie close together (the finaliser of `SplitMix64`); users count seeds from 1.
fn scrambled(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, every seed in every bug report has lost its meaning.
    #[test]
    fn a_seed_keeps_its_numbers() {
        let mut random = Random::new(1, Purpose::Hands);
        let drawn: Vec<u32> = (0..8).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, [241, 908, 427, 48, 101, 73, 307, 631]);
    }

    #[test]
    fn purposes_and_seeds_draw_apart() {
        let draw = |seed, purpose| {
            let mut random = Random::new(seed, purpose);
            (0..4).map(|_| random.below(u32::MAX)).collect::<Vec<_>>()
        };
        assert_ne!(draw(1, Purpose::Hands), draw(1, Purpose::Contacts));
        assert_ne!(draw(1, Purpose::Hands), draw(2, Purpose::Hands));
    }

    #[test]
    fn spans_are_kept_at_both_ends() {
        let mut random = Random::new(3, Purpose::Hands);
        let drawn: Vec<u64> = (0..400).map(|_| random.within((10, 14))).collect();
        assert_eq!(drawn.iter().min(), Some(&10));
        assert_eq!(drawn.iter().max(), Some(&14));
        assert_eq!(random.within((7, 7)), 7);
        assert_eq!(random.within((7, 3)), 7);
    }
}
