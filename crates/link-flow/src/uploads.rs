//! The files of an upload and how they are sent.

mod batch;
mod fault;
mod file;
mod photo;

use link_types::archive::ArchiveType;

pub(crate) use self::batch::{Asks, Batch};
pub(crate) use self::fault::words as fault_words;
pub(crate) use self::file::{File, FileStage};
use crate::generated::message::Message;

/// Names a document kind in a word or two.
pub(crate) const fn kind_name(kind: ArchiveType) -> Message {
    match kind {
        ArchiveType::Payslip => Message::ArchivePayslip,
        ArchiveType::TaxDocument => Message::ArchiveTax,
        ArchiveType::CompanyId => Message::ArchiveCompany,
        ArchiveType::Identification => Message::ArchiveIdentity,
        ArchiveType::Clearance => Message::ArchiveClearance,
        ArchiveType::Certificate => Message::ArchiveCertificate,
        ArchiveType::BankStatement => Message::ArchiveBank,
    }
}
