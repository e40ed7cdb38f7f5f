//! A file store that records why it refuses requests.

use std::sync::Arc;

use link_domain::documents::file_store::{FileStore, FileStoreError, StoredObject};
use link_domain::kernel::system::BoxFuture;

use super::{DependencyError, DependencyErrors};

/// Passes requests on to another store, and records its lasting refusals. Only a [probe](super::probes::probe_files) removes
/// them, because a store may accept one kind of request and refuse another.
pub struct WatchedFiles {
    files: Arc<dyn FileStore>,
    errors: Arc<DependencyErrors>,
}

impl WatchedFiles {
    /// Watches a store.
    pub fn new(files: Arc<dyn FileStore>, errors: Arc<DependencyErrors>) -> Self {
        Self { files, errors }
    }

    async fn watch<T>(&self, request: BoxFuture<'_, Result<T, FileStoreError>>) -> Result<T, FileStoreError> {
        let result = request.await;
        if let Some(error) = result.as_ref().err().and_then(DependencyError::from_files) {
            self.errors.note(error);
        }
        result
    }
}

impl FileStore for WatchedFiles {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(self.watch(self.files.put(name, bytes)))
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>> {
        Box::pin(self.watch(self.files.get(name)))
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(self.watch(self.files.delete(name)))
    }

    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(self.watch(self.files.delete_all(prefix)))
    }

    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>> {
        Box::pin(self.watch(self.files.list(prefix)))
    }
}
