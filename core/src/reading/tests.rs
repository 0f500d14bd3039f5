//! Reading in small: signs in, hypotheses out.
