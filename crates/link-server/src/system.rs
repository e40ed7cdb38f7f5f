//! The one place that reads the machine's clock and randomness.

use std::io::Write;

use link_domain::clock::Wall;
use link_domain::ports::{Clock, Entropy};

/// The machine's clock.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
    fn now(&self) -> Wall {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Wall::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        if let Err(error) = getrandom::fill(bytes) {
            // Nothing can go on without secrets, and no predictable one may ever be handed out.
            // Past the log, which nobody would write any more.
            let said =
                writeln!(std::io::stderr(), "linchpin: the operating system gives no random bytes: {error}");
            drop(said);
            std::process::abort();
        }
    }
}
