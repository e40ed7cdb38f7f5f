//! When API keys were last used, until a worker stores it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;

/// The uses that are not stored yet: the last one of each key.
#[derive(Default)]
pub struct KeyUses(Mutex<HashMap<Digest32, Wall>>);

impl KeyUses {
    /// Notes that a key was used.
    pub fn note(&self, key_hash: Digest32, at: Wall) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key_hash, at);
    }

    /// Returns the uses since the last call.
    pub fn take(&self) -> HashMap<Digest32, Wall> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
