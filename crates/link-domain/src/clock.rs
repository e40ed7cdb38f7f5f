//! The two clocks. *Wall* is real time: leases, `run_at`, timeouts, rate limits, `webhook-timestamp`.
//! *Tenant* time is the wall plus a sandbox tenant's offset: everything a tenant sees. They are two types, so
//! that one can never be stored or compared in place of the other.

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
            /// The instant so many microseconds after 1970-01-01T00:00:00Z.
            pub const fn from_micros(micros: i64) -> Self {
                Self(micros)
            }

            /// Microseconds since 1970-01-01T00:00:00Z: the form the store keeps.
            pub const fn micros(self) -> i64 {
                self.0
            }

            /// The time from `earlier` to this instant; zero when `earlier` is later.
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
    /// A moment of real time.
    Wall
}

instant! {
    /// A moment on a tenant's own clock.
    TenantTime
}

impl From<TenantTime> for link_types::Timestamp {
    fn from(at: TenantTime) -> Self {
        Self::from_micros(at.micros())
    }
}

/// How far a sandbox tenant's clock runs ahead of the wall; zero in production. It only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockOffset(i64);

impl ClockOffset {
    /// An offset of so many microseconds; a negative one counts as none, for the clock only moves forward.
    pub const fn from_micros(micros: i64) -> Self {
        Self(if micros > 0 { micros } else { 0 })
    }

    /// The offset in microseconds: the form the store keeps.
    pub const fn micros(self) -> i64 {
        self.0
    }
}

/// One moment read on both clocks of one tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    wall: Wall,
    offset: ClockOffset,
}

impl Now {
    /// The moment `wall` for a tenant whose clock is ahead by `offset`.
    pub const fn new(wall: Wall, offset: ClockOffset) -> Self {
        Self { wall, offset }
    }

    /// The moment on the real clock.
    pub const fn wall(self) -> Wall {
        self.wall
    }

    /// The moment on the tenant's clock.
    pub const fn tenant(self) -> TenantTime {
        TenantTime(self.wall.0.saturating_add(self.offset.0))
    }

    /// The real moment at which this tenant's clock, left alone, will show `due`.
    pub const fn run_at(self, due: TenantTime) -> Wall {
        Wall(due.0.saturating_sub(self.offset.0))
    }
}

fn micros_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advanced_tenant_clock_runs_its_jobs_earlier_on_the_wall() {
        let day = Duration::from_secs(86_400);
        let now = Now::new(Wall::from_micros(1_000_000), ClockOffset::from_micros(86_400_000_000));
        let due = now.tenant() + day;
        assert_eq!(now.run_at(due), now.wall() + day);
        assert_eq!(now.tenant().micros(), 86_401_000_000);
    }

    #[test]
    fn an_offset_never_turns_the_clock_back() {
        assert_eq!(ClockOffset::from_micros(-5).micros(), 0);
    }
}
