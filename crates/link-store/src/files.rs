//! Where files' sealed segments lie: a folder of this machine, or a store that speaks S3.

use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;

use link_domain::clock::Wall;
use link_domain::ports::{Answer, FileStore, FileStoreFault, StoredObject};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};

/// Where files lie.
#[derive(Debug, Clone)]
pub enum FileSettings {
    /// Below a folder, made 0700 if it is missing.
    Folder(PathBuf),
    /// In memory: nothing on disk, nothing left.
    Memory,
}

/// A [`FileStore`] over whatever the settings name.
#[derive(Debug)]
pub struct ObjectFiles {
    objects: Arc<dyn ObjectStore>,
    folder: Option<PathBuf>,
}

impl ObjectFiles {
    /// Opens the store of files.
    ///
    /// # Errors
    /// When the folder cannot be made, or the settings make no store.
    pub fn open(settings: FileSettings) -> Result<Self, FileStoreFault> {
        match settings {
            FileSettings::Folder(folder) => {
                let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
                made.map_err(|error| FileStoreFault::Unavailable(error.to_string()))?;
                // What is committed must not be lost with the machine's power.
                let objects = LocalFileSystem::new_with_prefix(&folder).map_err(fault)?;
                let objects = objects.with_automatic_cleanup(true).with_fsync(true);
                Ok(Self { objects: Arc::new(objects), folder: Some(folder) })
            }
            FileSettings::Memory => Ok(Self { objects: Arc::new(InMemory::new()), folder: None }),
        }
    }

    async fn listed(&self, prefix: &str) -> Result<Vec<ObjectMeta>, FileStoreFault> {
        use futures_util::TryStreamExt as _;
        self.objects.list(Some(&Path::from(prefix))).try_collect().await.map_err(fault)
    }

    async fn gone(&self, name: &Path) -> Result<(), FileStoreFault> {
        match self.objects.delete(name).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(fault(error)),
        }
    }
}

impl FileStore for ObjectFiles {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> Answer<'a, Result<(), FileStoreFault>> {
        Box::pin(
            async move { self.objects.put(&Path::from(name), bytes.into()).await.map(drop).map_err(fault) },
        )
    }

    fn get<'a>(&'a self, name: &'a str) -> Answer<'a, Result<Vec<u8>, FileStoreFault>> {
        Box::pin(async move {
            let found = self.objects.get(&Path::from(name)).await.map_err(fault)?;
            Ok(found.bytes().await.map_err(fault)?.into())
        })
    }

    fn delete<'a>(&'a self, name: &'a str) -> Answer<'a, Result<(), FileStoreFault>> {
        Box::pin(async move { self.gone(&Path::from(name)).await })
    }

    fn delete_all<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<(), FileStoreFault>> {
        Box::pin(async move {
            for object in self.listed(prefix).await? {
                self.gone(&object.location).await?;
            }
            let Some(folder) = &self.folder else { return Ok(()) };
            // A write that a crash cut off left a draft that no list shows.
            let folder = folder.join(prefix);
            let removed = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(folder)).await;
            match removed {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Ok(Err(error)) => Err(FileStoreFault::Unavailable(error.to_string())),
                Err(error) => Err(FileStoreFault::Unavailable(error.to_string())),
            }
        })
    }

    fn list<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<Vec<StoredObject>, FileStoreFault>> {
        Box::pin(async move {
            let found = self.listed(prefix).await?;
            Ok(found
                .into_iter()
                .map(|object| StoredObject {
                    name: object.location.to_string(),
                    written_at: Wall::from_micros(object.last_modified.timestamp_micros()),
                })
                .collect())
        })
    }
}

fn fault(error: object_store::Error) -> FileStoreFault {
    match error {
        object_store::Error::NotFound { .. } => FileStoreFault::Missing,
        other => FileStoreFault::Unavailable(other.to_string()),
    }
}
