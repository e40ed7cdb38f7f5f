//! The time and randomness of a unit of work, passed explicitly.

use sha2::{Digest, Sha256};

use crate::kernel::clock::{ClockOffset, Now};
use crate::kernel::digest::hex;
use crate::kernel::system::{Clock, Entropy};

/// Time and randomness of one unit of work. If the store runs a unit again, it passes a clone, so the unit creates the
/// same ids.
#[derive(Clone)]
pub struct Context {
    now: Now,
    seed: [u8; 32],
    drawn: u32,
}

impl Context {
    /// Creates a context at `now` that derives all its randomness from `seed`.
    pub const fn new(now: Now, seed: [u8; 32]) -> Self {
        Self { now, seed, drawn: 0 }
    }

    /// Creates a context from the two ports, for a tenant whose clock is ahead by `offset`.
    pub fn read(clock: &dyn Clock, entropy: &dyn Entropy, offset: ClockOffset) -> Self {
        let mut seed = [0; 32];
        entropy.fill(&mut seed);
        Self::new(Now::new(clock.now(), offset), seed)
    }

    /// Returns the same context for a tenant whose clock is ahead by `offset`.
    #[must_use]
    pub const fn with_offset(self, offset: ClockOffset) -> Self {
        Self { now: Now::new(self.now.wall(), offset), ..self }
    }

    /// Returns the time of this unit of work.
    pub const fn now(&self) -> Now {
        self.now
    }

    /// Returns 32 random bytes, different at each call.
    pub fn secret(&mut self) -> [u8; 32] {
        self.drawn = self.drawn.wrapping_add(1);
        Sha256::new().chain_update(self.seed).chain_update(self.drawn.to_be_bytes()).finalize().into()
    }

    /// Returns a random fraction in `0.0..1.0`, for jitter.
    pub fn fraction(&mut self) -> f64 {
        let [a, b, c, d, ..] = self.secret();
        f64::from(u32::from_be_bytes([a, b, c, d])) / 4_294_967_296.0
    }

    /// Creates a UUIDv7 from the tenant's time, with microsecond precision: the 10 bits after the version hold the
    /// microseconds within the millisecond. The next 20 bits are a counter, so ids from one context ascend. The other
    /// 44 bits are random.
    pub fn uuid(&mut self) -> [u8; 16] {
        let random = self.secret();
        let micros = u64::try_from(self.now.tenant().micros()).unwrap_or(0);
        let (millis, fraction) = (micros / 1_000, micros % 1_000);
        let count = u64::from(self.drawn);
        let mut id = [0; 16];
        id.copy_from_slice(&random[..16]);
        id[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
        id[6] = 0x70 | low_byte(fraction >> 6);
        id[7] = low_byte(fraction << 2) | low_byte(count >> 18 & 0x03);
        id[8] = 0x80 | low_byte(count >> 12 & 0x3f);
        id[9] = low_byte(count >> 4);
        id[10] = low_byte(count << 4) | (random[10] & 0x0f);
        id
    }

    /// Returns a UUIDv7 as the 32 hex digits that follow an id's prefix.
    pub fn uuid_hex(&mut self) -> String {
        hex(&self.uuid())
    }
}

fn low_byte(value: u64) -> u8 {
    value.to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::clock::Wall;

    fn context() -> Context {
        context_at(1_763_000_000_000_000, [7; 32])
    }

    fn context_at(micros: i64, seed: [u8; 32]) -> Context {
        Context::new(Now::new(Wall::from_micros(micros), ClockOffset::default()), seed)
    }

    #[test]
    fn ids_from_one_context_ascend_and_are_uuid_v7() {
        let mut context = context();
        let ids: Vec<String> = (0..5_000).map(|_| context.uuid_hex()).collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
        assert!(ids.iter().all(|id| id.len() == 32 && &id[12..13] == "7"));
        assert!(ids.iter().all(|id| "89ab".contains(&id[16..17])));
    }

    #[test]
    fn id_created_a_microsecond_later_sorts_later() {
        let start = 1_763_000_000_000_000;
        let ids: Vec<String> = (0..2_000_u16)
            .map(|n| context_at(start + i64::from(n), [(n.wrapping_mul(37)).to_le_bytes()[0]; 32]).uuid_hex())
            .collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn repeated_unit_of_work_creates_the_same_ids() {
        let first = context();
        let again = first.clone();
        assert_eq!({ first }.uuid(), { again }.uuid());
    }
}
