//! The health of this process and of what it depends on.

use std::sync::{Arc, Mutex, PoisonError};

use link_domain::kernel::retention::ClockJump;

use crate::app::readiness::Readiness;
use crate::dependencies::DependencyErrors;

/// The health of this process and of what it depends on.
#[derive(Default)]
pub struct Health {
    /// The health of the database.
    pub readiness: Arc<Readiness>,
    /// The refusals of dependencies at present.
    pub dependencies: Arc<DependencyErrors>,
    /// The clock jump that pauses retention, if any.
    pub known_jump: KnownJump,
}

/// The clock jump that this process last found. Reading it is cheap.
#[derive(Clone, Default)]
pub struct KnownJump(Arc<Mutex<Option<ClockJump>>>);

impl KnownJump {
    /// Returns the clock jump, if there is one.
    pub fn get(&self) -> Option<ClockJump> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the clock jump, or that there is none.
    pub fn set(&self, jump: Option<ClockJump>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = jump;
    }
}
