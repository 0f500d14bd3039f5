//! Games in small: signs of hands in, what is told out.

use super::*;
