//! Reasons to reject a file: before it is sent, by inspection, and afterwards, by the service.

use link_types::archive::{FileFault, FileFormat, MAX_FILE_BYTES, MAX_PAGES, MAX_PIXELS};

use crate::generated::message::Message;

/// Reason why a file is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileRejection {
    /// A fault that the service also reports.
    Of(FileFault),
    /// The same file is already in the list.
    Duplicate,
}

/// The inspection of a file.
pub(crate) struct InspectedFile {
    pub(crate) size: u32,
    pub(crate) format: Option<FileFormat>,
    pub(crate) pages: Option<u32>,
    pub(crate) pixels: Option<u32>,
    pub(crate) fault: Option<FileFault>,
}

/// Returns the fault of a file. The service checks what the inspection could not see.
pub(crate) fn check(seen: &InspectedFile) -> Option<FileFault> {
    if seen.size == 0 {
        Some(FileFault::Empty)
    } else if seen.fault.is_none() && seen.format.is_none() {
        Some(FileFault::UnsupportedFormat)
    } else if seen.pixels > Some(MAX_PIXELS) {
        Some(FileFault::TooManyPixels)
    } else if seen.size > MAX_FILE_BYTES {
        Some(FileFault::TooLarge)
    } else if seen.fault.is_some() {
        seen.fault
    } else if seen.pages > Some(MAX_PAGES.into()) {
        Some(FileFault::TooManyPages)
    } else {
        None
    }
}

/// Returns the text for a fault, with what to do.
pub(crate) const fn words(fault: FileRejection) -> Message {
    match fault {
        FileRejection::Duplicate => Message::FileDuplicate,
        FileRejection::Of(fault) => match fault {
            FileFault::Empty => Message::FileEmpty,
            FileFault::TooLarge => Message::FileTooLarge,
            FileFault::UnsupportedFormat => Message::FileUnsupported,
            FileFault::ExtraBytes => Message::FileExtra,
            FileFault::Encrypted => Message::FileEncrypted,
            FileFault::Damaged => Message::FileDamaged,
            FileFault::TooManyPages => Message::FileTooManyPages,
            FileFault::TooManyPixels => Message::FileTooManyPixels,
            FileFault::TooManyFiles => Message::FileTooMany,
            FileFault::QuotaExceeded => Message::FileQuota,
            FileFault::HashMismatch => Message::FileMismatch,
        },
    }
}
