//! Ports to the time and randomness of the operating system, and the future that ports return.

use std::future::Future;
use std::pin::Pin;

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

/// Future returned by a port that works outside the process.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
