//! Port to the store of encrypted file segments.

use crate::kernel::clock::Wall;
use crate::kernel::system::BoxFuture;

/// Stores objects by name. The objects are already encrypted, so the store never sees a person's data.
pub trait FileStore: Send + Sync {
    /// Writes an object, replacing an existing one completely. The object is durable when the call returns.
    ///
    /// # Errors
    /// [`FileStoreError`] if the object may not have been written.
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>>;

    /// Returns the content of an object.
    ///
    /// # Errors
    /// [`FileStoreError`] if the object does not exist or the store is unavailable.
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>>;

    /// Deletes an object. Succeeds if the object does not exist.
    ///
    /// # Errors
    /// [`FileStoreError`] if the object may still exist.
    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>>;

    /// Deletes every object whose name starts with `prefix` and a slash, and anything else the store keeps there.
    ///
    /// # Errors
    /// [`FileStoreError`] if some objects may still exist.
    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>>;

    /// Lists the objects whose names start with `prefix` and a slash.
    ///
    /// # Errors
    /// [`FileStoreError`] if the store is unavailable.
    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>>;
}

/// An object in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredObject {
    /// Name of the object.
    pub name: String,
    /// When the object was written, by the store's own clock.
    pub written_at: Wall,
}

/// Reason why a request to the file store failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileStoreError {
    /// The object does not exist.
    #[error("the object does not exist")]
    Missing,
    /// The store is unavailable, or rejected the request.
    #[error("the file store is unavailable: {0}")]
    Unavailable(String),
    /// The store rejects requests until an operator changes something.
    #[error("the file store refuses requests ({code}): {cause}. {remedy}")]
    Refused {
        /// The store's own code, such as `AccessDenied`.
        code: String,
        /// The store's message.
        cause: String,
        /// The next step for the operator.
        remedy: &'static str,
    },
}

impl FileStoreError {
    /// Returns whether the same request may succeed later.
    pub fn passes(&self) -> bool {
        match self {
            Self::Missing => false,
            Self::Unavailable(_) | Self::Refused { .. } => true,
        }
    }
}
