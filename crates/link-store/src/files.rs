//! Stores the sealed segments of files: in a local folder, or in an S3-compatible object store.

mod http;

use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use link_domain::documents::file_store::{FileStore, FileStoreError, StoredObject};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::future::BoxFuture;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use secrecy::{ExposeSecret as _, SecretString};

use self::http::Hyper;

/// Where files are stored.
#[derive(Debug, Clone)]
pub enum FileSettings {
    /// Below a folder, created with mode 0700 if it is missing.
    Folder(PathBuf),
    /// In a bucket of an S3-compatible object store.
    S3(S3Settings),
    /// In memory. Nothing is written to disk.
    Memory,
}

/// An S3 bucket and its credentials.
#[derive(Debug, Clone)]
pub struct S3Settings {
    /// The server's URL. If `None`, AWS's endpoint for the region.
    pub endpoint: Option<String>,
    /// The region.
    pub region: String,
    /// The bucket. It must exist.
    pub bucket: String,
    /// The access key ID.
    pub access_key_id: String,
    /// The secret access key.
    pub secret_access_key: SecretString,
}

/// The maximum time to read or write one object, or to list or delete all objects of an archive, including retries.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A [`FileStore`] for the configured location.
#[derive(Debug)]
pub struct ObjectFiles {
    objects: Arc<dyn ObjectStore>,
    folder: Option<PathBuf>,
}

impl ObjectFiles {
    /// Opens the file store.
    ///
    /// # Errors
    /// If the folder cannot be created, or the settings are invalid.
    pub fn open(settings: FileSettings) -> Result<Self, FileStoreError> {
        match settings {
            FileSettings::Folder(folder) => {
                let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder);
                made.map_err(|error| FileStoreError::Unavailable(error.to_string()))?;
                // Committed segments must survive a power failure.
                let objects = LocalFileSystem::new_with_prefix(&folder).map_err(fault)?;
                let objects = objects.with_automatic_cleanup(true).with_fsync(true);
                Ok(Self { objects: Arc::new(objects), folder: Some(folder) })
            }
            FileSettings::S3(settings) => Ok(Self { objects: Arc::new(bucket(settings)?), folder: None }),
            FileSettings::Memory => Ok(Self { objects: Arc::new(InMemory::new()), folder: None }),
        }
    }

    async fn list_objects(&self, prefix: &str) -> Result<Vec<ObjectMeta>, FileStoreError> {
        use futures_util::TryStreamExt as _;
        self.objects.list(Some(&Path::from(prefix))).try_collect().await.map_err(fault)
    }

    async fn gone(&self, name: &Path) -> Result<(), FileStoreError> {
        match self.objects.delete(name).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(fault(error)),
        }
    }
}

impl FileStore for ObjectFiles {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(in_time(async move {
            self.objects.put(&Path::from(name), bytes.into()).await.map(drop).map_err(fault)
        }))
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Vec<u8>, FileStoreError>> {
        Box::pin(in_time(async move {
            let found = self.objects.get(&Path::from(name)).await.map_err(fault)?;
            Ok(found.bytes().await.map_err(fault)?.into())
        }))
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(in_time(async move { self.gone(&Path::from(name)).await }))
    }

    fn delete_all<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), FileStoreError>> {
        Box::pin(in_time(async move {
            for object in self.list_objects(prefix).await? {
                self.gone(&object.location).await?;
            }
            let Some(folder) = &self.folder else { return Ok(()) };
            // A write that was interrupted by a crash left a temporary file, which listings do not show.
            let folder = folder.join(prefix);
            let removed = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(folder)).await;
            match removed {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                Ok(Err(error)) => Err(FileStoreError::Unavailable(error.to_string())),
                Err(error) => Err(FileStoreError::Unavailable(error.to_string())),
            }
        }))
    }

    fn list<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<StoredObject>, FileStoreError>> {
        Box::pin(in_time(async move {
            let found = self.list_objects(prefix).await?;
            Ok(found
                .into_iter()
                .map(|object| StoredObject {
                    name: object.location.to_string(),
                    written_at: Wall::from_micros(object.last_modified.timestamp_micros()),
                })
                .collect())
        }))
    }
}

fn bucket(settings: S3Settings) -> Result<AmazonS3, FileStoreError> {
    let mut builder = AmazonS3Builder::new()
        .with_http_connector(Hyper)
        .with_region(settings.region)
        .with_bucket_name(settings.bucket)
        .with_access_key_id(settings.access_key_id)
        .with_secret_access_key(settings.secret_access_key.expose_secret());
    if let Some(endpoint) = settings.endpoint {
        builder = builder.with_allow_http(endpoint.starts_with("http://")).with_endpoint(endpoint);
    }
    builder.build().map_err(fault)
}

async fn in_time<T>(work: impl Future<Output = Result<T, FileStoreError>>) -> Result<T, FileStoreError> {
    let done = tokio::time::timeout(TIMEOUT, work).await;
    done.unwrap_or_else(|late| Err(FileStoreError::Unavailable(late.to_string())))
}

fn fault(error: object_store::Error) -> FileStoreError {
    if matches!(error, object_store::Error::NotFound { .. }) {
        FileStoreError::Missing
    } else {
        FileStoreError::Unavailable(error.to_string())
    }
}
