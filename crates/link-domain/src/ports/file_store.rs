//! The port to where files' sealed segments lie.

use super::Answer;
use crate::clock::Wall;

/// Keeps objects by name. What it is given is sealed already: it never sees a person's bytes.
pub trait FileStore: Send + Sync {
    /// Writes an object, or replaces it whole. It is durable when this answers.
    ///
    /// # Errors
    /// [`FileStoreFault`] when it may not have been written.
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> Answer<'a, Result<(), FileStoreFault>>;

    /// An object's bytes.
    ///
    /// # Errors
    /// [`FileStoreFault`] when it is not there, or the store is away.
    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Result<Vec<u8>, FileStoreFault>>;

    /// Removes an object; one that is gone already is no fault.
    ///
    /// # Errors
    /// [`FileStoreFault`] when it may still be there.
    fn delete<'a>(&'a self, name: &'a str) -> Answer<'a, Result<(), FileStoreFault>>;

    /// Removes every object whose name begins with `prefix` and a slash, and whatever else the store keeps there.
    ///
    /// # Errors
    /// [`FileStoreFault`] when some may still be there.
    fn delete_all<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<(), FileStoreFault>>;

    /// The objects whose names begin with `prefix` and a slash.
    ///
    /// # Errors
    /// [`FileStoreFault`] when the store is away.
    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<Vec<StoredObject>, FileStoreFault>>;
}

/// An object, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// Its name.
    pub name: String,
    /// When it was written, by the store's own clock.
    pub written_at: Wall,
}

/// Why the store of files did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileStoreFault {
    /// There is no such object.
    #[error("the object is not there")]
    Missing,
    /// The store is away, or refuses.
    #[error("the store of files is not available: {0}")]
    Unavailable(String),
}
