//! A file store whose writes wait for the test's permission.

use std::sync::Arc;

use link_domain::documents::file_store::{FileStore, FileStoreError, StoredObject};
use link_domain::kernel::future::BoxFuture;
use tokio::sync::watch;

/// Wraps a file store and holds its writes.
pub struct HeldFiles {
    files: Arc<dyn FileStore>,
    /// Whether writes may continue.
    pub open: watch::Sender<bool>,
    /// How many writes have begun.
    pub begun: watch::Sender<u32>,
}

impl HeldFiles {
    pub fn over(files: Arc<dyn FileStore>, open: bool) -> Arc<Self> {
        Arc::new(Self { files, open: watch::Sender::new(open), begun: watch::Sender::new(0) })
    }

    /// Waits until `writes` writes have begun.
    pub async fn until_begun(&self, writes: u32) {
        self.begun.subscribe().wait_for(|begun| *begun >= writes).await.unwrap();
    }
}

impl FileStore for HeldFiles {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(async move {
            self.begun.send_modify(|begun| *begun += 1);
            self.open.subscribe().wait_for(|open| *open).await.unwrap();
            self.files.put(name, bytes).await
        })
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>> {
        self.files.get(name)
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        self.files.delete(name)
    }

    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        self.files.delete_all(prefix)
    }

    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>> {
        self.files.list(prefix)
    }
}
