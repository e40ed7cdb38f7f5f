//! Writes the bytes of an upload as sealed segments. Each segment is durable before its row is committed.

use std::sync::Arc;

use axum::http::StatusCode;
use link_domain::documents::archive::{
    FileInput, ReceivedBytes, SEGMENT_BYTES, Segment, StoredFile, UploadingFile,
};
use link_domain::documents::document_reader::{FileContent, InspectError, Inspection};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_store::FileKey;
use link_types::archive::FileFault;
use link_types::id::{FileId, UserId};
use sha2::{Digest, Sha256};

use super::StoredContent;
use super::target::UploadTarget;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Appends to one file.
///
/// Buffers at most one segment. Bytes that are not yet written when the writer is dropped are lost, and the client
/// sends them again. If another writer appends to the same file, on any node, this writer's next segment fails with a
/// conflict.
pub struct UploadWriter {
    app: App,
    owner: Owner,
    user_id: UserId,
    target: UploadTarget,
    file_id: FileId,
    key: FileKey,
    size: u32,
    /// Whether the file may end before `size`.
    may_end_early: bool,
    /// The number of durable bytes.
    received: u32,
    /// The segment being filled, from its first byte on. Includes bytes of an earlier request.
    filling: Arc<Vec<u8>>,
    /// The object with the durable part of that segment, which the next write replaces.
    replaced: Option<String>,
}

/// The state of a file when a writer finishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UploadEnd {
    /// The file is incomplete.
    Partial {
        /// The number of durable bytes.
        received: u32,
    },
    /// The file is complete and has passed inspection.
    Complete(Box<StoredFile>),
    /// The file was rejected and removed.
    Refused(FileFault),
}

impl UploadWriter {
    /// Opens a file at its current offset.
    ///
    /// # Errors
    /// 404 if the file does not exist, 409 if it is already complete.
    pub async fn open(
        app: &App,
        owner: &Owner,
        target: impl Into<UploadTarget>,
        file_id: &FileId,
    ) -> ApiResult<Self> {
        let target = target.into();
        let (whose, which, file) = (owner.clone(), target.clone(), file_id.clone());
        let found = app.store.read(move |reader| -> ApiResult<_> {
            let (user_id, uploading) = which.find(reader, &whose, &file)?;
            let segments = reader.files().segments(which.holder(), &file)?;
            Ok((user_id, uploading, reader.files().key(which.holder())?, segments))
        });
        let (user_id, file, key, segments) = found.await?;
        if file.stored_file().is_some() {
            return Err(Problem::conflict("The file is already complete."));
        }
        let mut writer = Self {
            app: app.clone(),
            owner: owner.clone(),
            user_id,
            target,
            file_id: file_id.clone(),
            key,
            size: file.size_bytes(),
            may_end_early: false,
            received: file.received_bytes(),
            filling: Arc::default(),
            replaced: None,
        };
        if let Some(last) = segments.last().filter(|last| last.length < SEGMENT_BYTES) {
            let sealed = app.ports.files.get(&last.object).await.map_err(Problem::unavailable)?;
            writer.filling = Arc::new(std::mem::take(&mut *writer.key.open(last, &sealed)?));
            writer.replaced = Some(last.object.clone());
        }
        Ok(writer)
    }

    /// Returns the number of durable bytes.
    pub const fn received_bytes(&self) -> u32 {
        self.received
    }

    /// Returns the size of the whole file in bytes.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Lets the file end before its announced size, with [`UploadWriter::end_here`].
    #[must_use]
    pub fn allow_early_end(self) -> Self {
        Self { may_end_early: true, ..self }
    }

    /// Appends bytes, and writes all segments that they fill, except the file's last one ([`UploadWriter::finish`]).
    ///
    /// # Errors
    /// 413 if there are more bytes than the file is missing, 409 if another writer changed the file, and 503 if the
    /// file store is unavailable.
    pub async fn append(&mut self, mut bytes: &[u8]) -> ApiResult<()> {
        if bytes.len() > (self.size - self.all_received_bytes()) as usize {
            return Err(crate::http::tus::too_many_bytes());
        }
        while !bytes.is_empty() {
            // Left by the step below.
            if self.filling.len() == SEGMENT_BYTES as usize {
                self.write().await?;
            }
            let room = SEGMENT_BYTES as usize - self.filling.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            Arc::make_mut(&mut self.filling).extend_from_slice(now);
            bytes = later;
            // A full segment may be the last one of a file that ends early, and the last one must not be empty.
            let is_last = self.all_received_bytes() == self.size || self.may_end_early;
            if self.filling.len() == SEGMENT_BYTES as usize && !is_last {
                self.write().await?;
            }
        }
        Ok(())
    }

    /// Ends a file whose size was not known at the bytes that were appended. [`UploadWriter::finish`] then completes it.
    ///
    /// # Errors
    /// 422 if there are none.
    pub fn end_here(&mut self) -> ApiResult<()> {
        if self.all_received_bytes() == 0 {
            return Err(Problem::file(FileFault::Empty));
        }
        self.size = self.all_received_bytes();
        Ok(())
    }

    /// Removes the file and its bytes, for the given reason.
    ///
    /// # Errors
    /// 404 if the file is already gone.
    pub async fn give_up(self, fault: FileFault) -> ApiResult<UploadEnd> {
        self.refuse(fault).await
    }

    /// Writes the remaining bytes. If they are the end of the file, inspects the file first: it is then either
    /// complete, or rejected and removed.
    ///
    /// # Errors
    /// See [`UploadWriter::append`]. Also 503 if the document reader is unavailable, or too many files wait for
    /// inspection; the client must then send the last segment again.
    pub async fn finish(mut self) -> ApiResult<UploadEnd> {
        if self.all_received_bytes() == self.size {
            return self.complete().await;
        }
        if self.all_received_bytes() > self.received {
            self.write().await?;
        }
        Ok(UploadEnd::Partial { received: self.received })
    }

    /// Returns the number of received bytes, durable or not.
    fn all_received_bytes(&self) -> u32 {
        self.first_of_filling() + u32::try_from(self.filling.len()).unwrap_or(u32::MAX)
    }

    const fn first_of_filling(&self) -> u32 {
        self.received / SEGMENT_BYTES * SEGMENT_BYTES
    }

    /// Stores the segment as a new object. No row refers to it yet.
    async fn store_segment(&self, context: &mut Context) -> ApiResult<Segment> {
        let index = self.first_of_filling() / SEGMENT_BYTES;
        let length = u32::try_from(self.filling.len()).unwrap_or(u32::MAX);
        let segment = Segment::new(self.target.holder(), &self.file_id, index, length, context);
        let sealed = self.key.seal(&segment, &self.filling)?;
        self.app.ports.files.put(&segment.object, sealed).await.map_err(Problem::unavailable)?;
        Ok(segment)
    }

    async fn write(&mut self) -> ApiResult<()> {
        let mut context = self.app.context(self.app.offset_of(&self.owner).await?);
        let segment = self.store_segment(&mut context).await?;
        let bytes = self.to_received(&segment);
        let applied = self.apply(context, move || FileInput::Received(bytes.clone())).await;
        self.delete_rejected(&segment, &applied).await;
        applied?;
        self.drop_replaced().await;
        self.received = segment.ends_at();
        if segment.length == SEGMENT_BYTES {
            Arc::make_mut(&mut self.filling).clear();
        } else {
            self.replaced = Some(segment.object);
        }
        Ok(())
    }

    async fn complete(&mut self) -> ApiResult<UploadEnd> {
        let permit = self.app.limits.inspections.take(&self.owner.tenant, Some(&self.user_id)).await?;
        let sha256 = self.sha256().await?;
        let inspected = self.inspect().await;
        drop(permit);
        let inspection = match inspected {
            Ok(inspection) => inspection,
            Err(InspectError::Refused(fault)) => return self.refuse(fault).await,
            Err(InspectError::Unavailable) => {
                return Err(Problem::unavailable(InspectError::Unavailable));
            }
        };
        let mut context = self.app.context(self.app.offset_of(&self.owner).await?);
        let segment = self.store_segment(&mut context).await?;
        let bytes = self.to_received(&segment);
        let completed =
            move || FileInput::Completed { bytes: bytes.clone(), inspection, sha256: sha256.clone() };
        let applied = self.apply(context, completed).await;
        self.delete_rejected(&segment, &applied).await;
        match applied {
            Ok(file) => {
                self.drop_replaced().await;
                let stored = file.stored_file().ok_or_else(Problem::missing)?;
                Ok(UploadEnd::Complete(Box::new(stored.clone())))
            }
            Err(problem) => match problem.file_fault() {
                Some(fault) => self.refuse(fault).await,
                None => Err(problem),
            },
        }
    }

    async fn refuse(&self, fault: FileFault) -> ApiResult<UploadEnd> {
        let context = self.app.context(self.app.offset_of(&self.owner).await?);
        let file_id = self.file_id.clone();
        self.apply(context, move || FileInput::Remove(file_id.clone())).await?;
        Ok(UploadEnd::Refused(fault))
    }

    fn to_received(&self, segment: &Segment) -> ReceivedBytes {
        ReceivedBytes { file_id: self.file_id.clone(), from: self.received, segment: segment.clone() }
    }

    async fn inspect(&self) -> Result<Inspection, InspectError> {
        let content = self.content().await.map_err(|problem| {
            tracing::error!(?problem, file = %self.file_id, "Inspecting a file failed");
            InspectError::Unavailable
        })?;
        self.app.ports.reader.inspect(Box::new(content)).await
    }

    async fn sha256(&self) -> ApiResult<String> {
        let mut content = self.content().await?;
        let mut digest = Sha256::new();
        while let Some(piece) = content.next().await.map_err(Problem::unavailable)? {
            digest.update(&piece);
        }
        Ok(base16ct::lower::encode_string(&digest.finalize()))
    }

    /// Returns the whole file: its stored full segments, and the buffered one.
    async fn content(&self) -> ApiResult<StoredContent> {
        let stored = StoredContent::open(&self.app, self.target.holder(), &self.file_id).await?;
        Ok(stored.ending_with((self.received / SEGMENT_BYTES) as usize, Arc::clone(&self.filling)))
    }

    /// Deletes the object whose segment was replaced. This happens only after a successful unit: after a failed one,
    /// the commit may have succeeded anyway, so a job deletes the orphan later.
    async fn drop_replaced(&mut self) {
        if let Some(replaced) = self.replaced.take()
            && let Err(error) = self.app.ports.files.delete(&replaced).await
        {
            tracing::warn!(%error, "Deleting an orphaned segment failed; a job deletes it later");
        }
    }

    /// Deletes the object of a segment that was rejected because its file or holder is gone, or because another writer
    /// was faster. After any other error, a row may refer to the object.
    async fn delete_rejected(&self, segment: &Segment, applied: &ApiResult<UploadingFile>) {
        let Err(problem) = applied else { return };
        let is_refused = matches!(problem.status(), StatusCode::NOT_FOUND | StatusCode::CONFLICT);
        if !is_refused && problem.file_fault().is_none() {
            return;
        }
        let (holder, file) = (self.target.holder(), self.file_id.clone());
        let named = self.app.store.read(move |reader| reader.files().segments(holder, &file)).await;
        // The unit may have run twice, and only the second run was rejected.
        let is_named = named.map(|named| named.iter().any(|it| it.object == segment.object));
        if !matches!(is_named, Ok(false)) {
            return;
        }
        if let Err(error) = self.app.ports.files.delete(&segment.object).await {
            tracing::warn!(%error, "Deleting an orphaned segment failed; a job deletes it later");
        }
    }

    async fn apply(
        &self,
        context: Context,
        input: impl Fn() -> FileInput + Send + 'static,
    ) -> ApiResult<UploadingFile> {
        let (owner, target, file) = (self.owner.clone(), self.target.clone(), self.file_id.clone());
        self.app.store.write(move |tx| target.apply(tx, (&owner, &file), input(), context.clone())).await
    }
}
