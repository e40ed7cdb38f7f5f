//! Why a file is not taken: before it is sent, by what was seen of it, and after, as the service says.

use link_types::archive::{FileFault, FileFormat, MAX_FILE_BYTES, MAX_PAGES, MAX_PIXELS};

use crate::generated::message::Message;

/// Why a file is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A reason that the service has a word for.
    Of(FileFault),
    /// The same file is in the list already.
    Duplicate,
}

/// What was seen of a file.
pub(crate) struct Seen {
    pub(crate) size: u32,
    pub(crate) format: Option<FileFormat>,
    pub(crate) pages: Option<u32>,
    pub(crate) pixels: Option<u32>,
    pub(crate) fault: Option<FileFault>,
}

/// What is wrong with a file by itself. What was not seen is left to the service.
pub(crate) fn check(seen: &Seen) -> Option<FileFault> {
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

/// The reason in words, with what to do.
pub(crate) const fn words(fault: Fault) -> Message {
    match fault {
        Fault::Duplicate => Message::FileDuplicate,
        Fault::Of(fault) => match fault {
            FileFault::Empty => Message::FileEmpty,
            FileFault::TooLarge => Message::FileTooLarge,
            FileFault::UnsupportedFormat => Message::FileUnsupported,
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
