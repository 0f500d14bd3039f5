//! Values that hypotheses have in common for as long as none of them changes its own.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that is copied when it is first changed, not when it is cloned: most hypotheses are dropped
/// before they differ from their parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shared<T>(Arc<T>);

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
