//! The machine's clock and randomness. No other code reads them.

use std::io::Write;

use link_domain::kernel::clock::Wall;
use link_domain::kernel::system::{Clock, Entropy};

/// The machine's clock.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "all other code gets the time from this clock")]
    fn now(&self) -> Wall {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Wall::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy)]
pub struct SystemEntropy;

/// Returns 32 random bytes.
pub fn random_secret() -> [u8; 32] {
    let mut bytes = [0; 32];
    SystemEntropy.fill(&mut bytes);
    bytes
}

impl Entropy for SystemEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        if let Err(error) = getrandom::fill(bytes) {
            // The service cannot work without secrets, and must never use predictable ones. Write the message directly:
            // the log would not be flushed before the abort.
            let written = writeln!(
                std::io::stderr(),
                "linchpin: the operating system does not provide random bytes: {error}"
            );
            drop(written);
            std::process::abort();
        }
    }
}
