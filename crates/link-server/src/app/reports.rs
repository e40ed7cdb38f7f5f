//! The notes of this process for the operator and for tenants.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;

use crate::app::refused_origins::RefusedOrigins;
use crate::app::request_log::RequestLog;
use crate::metrics::Metrics;

/// The notes of this process.
pub struct Reports {
    /// Counters for the operator.
    pub metrics: Arc<Metrics>,
    /// The latest requests, for the developer portal.
    pub request_log: Arc<RequestLog>,
    /// Origins that tried to embed a link template that does not allow them.
    pub refused_origins: RefusedOrigins,
    /// Uses of API keys that are not stored yet.
    pub key_uses: KeyUses,
}

/// When API keys were last used, until a worker stores it: the last use of each key.
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
