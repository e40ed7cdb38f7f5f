//! The two clocks. *Wall* time is real time: leases, timeouts, rate limits, `webhook-timestamp`. *Tenant* time is wall
//! time plus a sandbox tenant's offset: everything a tenant sees, and when its jobs and deliveries are due. They are
//! separate types, so that one cannot be stored or compared in place of the other.

use std::ops::{Add, Sub};
use std::time::Duration;

use serde::{Deserialize, Serialize};

macro_rules! instant {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(i64);

        impl $name {
            /// Creates the instant this many microseconds after 1970-01-01T00:00:00Z.
            pub const fn from_micros(micros: i64) -> Self {
                Self(micros)
            }

            /// Returns the microseconds since 1970-01-01T00:00:00Z, as the store keeps them.
            pub const fn micros(self) -> i64 {
                self.0
            }

            /// Returns the time from `earlier` to this instant, or zero if `earlier` is later.
            pub fn since(self, earlier: Self) -> Duration {
                Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
            }
        }

        impl Add<Duration> for $name {
            type Output = Self;

            fn add(self, by: Duration) -> Self {
                Self(self.0.saturating_add(micros_of(by)))
            }
        }

        impl Sub<Duration> for $name {
            type Output = Self;

            fn sub(self, by: Duration) -> Self {
                Self(self.0.saturating_sub(micros_of(by)))
            }
        }
    };
}

instant! {
    /// An instant of real time.
    Wall
}

instant! {
    /// An instant on a tenant's own clock.
    TenantTime
}

impl From<TenantTime> for link_types::Timestamp {
    fn from(at: TenantTime) -> Self {
        Self::from_micros(at.micros())
    }
}

/// How far a sandbox tenant's clock is ahead of the wall clock. Zero in production. It only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockOffset(i64);

impl ClockOffset {
    /// Creates an offset in microseconds. Negative values become zero, because the clock only moves forward.
    pub const fn from_micros(micros: i64) -> Self {
        Self(if micros > 0 { micros } else { 0 })
    }

    /// Returns the offset in microseconds, as the store keeps it.
    pub const fn micros(self) -> i64 {
        self.0
    }
}

/// The same instant on the wall clock and on a tenant's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    wall: Wall,
    offset: ClockOffset,
}

impl Now {
    /// Creates the instant `wall` for a tenant whose clock is ahead by `offset`.
    pub const fn new(wall: Wall, offset: ClockOffset) -> Self {
        Self { wall, offset }
    }

    /// Returns the instant on the wall clock.
    pub const fn wall(self) -> Wall {
        self.wall
    }

    /// Returns the instant on the tenant's clock.
    pub const fn tenant(self) -> TenantTime {
        TenantTime(self.wall.0.saturating_add(self.offset.0))
    }

    /// Returns the offset of the tenant's clock.
    pub const fn offset(self) -> ClockOffset {
        self.offset
    }

    /// Returns the offset with which the tenant's clock shows `at` now. A clock never goes back, so it is at least the
    /// present offset.
    pub fn offset_at(self, at: TenantTime) -> ClockOffset {
        ClockOffset::from_micros(at.0.saturating_sub(self.wall.0)).max(self.offset)
    }
}

fn micros_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenant_clock_is_ahead_by_its_offset_and_never_goes_back() {
        let day = Duration::from_secs(86_400);
        let now = Now::new(Wall::from_micros(1_000_000), ClockOffset::from_micros(86_400_000_000));
        assert_eq!(now.tenant().micros(), 86_401_000_000);
        assert_eq!(now.offset_at(now.tenant() + day).micros(), 2 * 86_400_000_000);
        assert_eq!(now.offset_at(now.tenant() - day), now.offset());
    }

    #[test]
    fn negative_clock_offset_becomes_zero() {
        assert_eq!(ClockOffset::from_micros(-5).micros(), 0);
    }
}
