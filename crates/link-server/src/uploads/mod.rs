//! Writing files with [`UploadWriter`] and reading them with [`StoredContent`]. Unencrypted bytes are only in memory,
//! one segment at a time.

pub mod base64_text;
mod receive;
mod target;
mod writer;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use link_domain::documents::archive::{FileHolder, Segment};
use link_domain::documents::document_reader::{ContentLostError, FileContent};
use link_domain::kernel::system::BoxFuture;
use link_store::{FileKey, StoreError};
use link_types::id::FileId;

use crate::app::App;
use crate::http::problem::ApiResult;

pub use receive::{Uploader, Uploading, receive};
pub use target::{FormTarget, UploadTarget};
pub use writer::{UploadEnd, UploadWriter};

/// The bytes of a file: its segments, which are decrypted one after the other, and an optional tail.
pub struct StoredContent {
    app: App,
    key: FileKey,
    segments: VecDeque<Segment>,
    tail: Option<Arc<Vec<u8>>>,
    outage: StoreOutage,
}

/// Whether a content could not be read because the file store was unavailable, so that reading it later may succeed.
#[derive(Clone, Debug, Default)]
pub struct StoreOutage(Arc<AtomicBool>);

impl StoreOutage {
    /// Returns whether the file store was unavailable.
    pub fn is_noted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl StoredContent {
    /// Opens the stored part of a file.
    ///
    /// # Errors
    /// If the holder of the file is erased, or the database cannot be read.
    pub async fn open(app: &App, holder: impl Into<FileHolder>, file: &FileId) -> ApiResult<Self> {
        let (holder, file) = (holder.into(), file.clone());
        let found = app.store.read(move |reader| -> Result<_, StoreError> {
            Ok((reader.files().key(&holder)?, reader.files().segments(&holder, &file)?))
        });
        let (key, segments) = found.await?;
        Ok(Self {
            app: app.clone(),
            key,
            segments: segments.into(),
            tail: None,
            outage: StoreOutage::default(),
        })
    }

    /// Notes an outage of the file store in this value, too.
    #[must_use]
    pub fn noting(mut self, outage: &StoreOutage) -> Self {
        self.outage = outage.clone();
        self
    }

    /// Keeps only the first `segments` segments, and appends `tail`.
    fn ending_with(mut self, segments: usize, tail: Arc<Vec<u8>>) -> Self {
        self.segments.truncate(segments);
        self.tail = Some(tail);
        self
    }

    async fn segment(&self, segment: &Segment) -> Result<Vec<u8>, ContentLostError> {
        let sealed = self.app.ports.files.get(&segment.object).await.map_err(|error| {
            if error.passes() {
                tracing::warn!(%error, file = %segment.file_id, "Reading a segment failed; will retry");
                self.outage.note();
            } else {
                tracing::error!(%error, file = %segment.file_id, "Reading a segment failed");
            }
            ContentLostError
        })?;
        let mut clear = self.key.open(segment, &sealed).map_err(|error| {
            tracing::error!(%error, file = %segment.file_id, "Decrypting a segment failed");
            ContentLostError
        })?;
        Ok(std::mem::take(&mut *clear))
    }
}

impl FileContent for StoredContent {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Vec<u8>>, ContentLostError>> {
        Box::pin(async move {
            match self.segments.pop_front() {
                Some(segment) => self.segment(&segment).await.map(Some),
                None => Ok(self.tail.take().map(|tail| tail.to_vec())),
            }
        })
    }
}
