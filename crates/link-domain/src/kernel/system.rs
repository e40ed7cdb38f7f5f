//! Ports to the time and randomness of the operating system.

use crate::kernel::clock::Wall;

/// Clock for real time.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Wall;
}

/// Source of randomness suitable for secrets.
pub trait Entropy: Send + Sync {
    /// Fills the buffer with unpredictable bytes.
    fn fill(&self, bytes: &mut [u8]);
}
