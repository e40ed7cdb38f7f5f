//! Where a file is stored.

use link_types::id::{AccountId, ArchiveId, DocumentId, FileId, FormId};

/// A file of an archive, of the answers to a form, or of a document that a provider issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredAt {
    /// A file of an archive.
    Archive(ArchiveId, FileId),
    /// A file of the answers to a form.
    Form(FormId, FileId),
    /// The file of an account's document.
    Account(AccountId, DocumentId),
}

impl StoredAt {
    /// Parses the two last segments of a URL's path: a source, and a file in it.
    pub fn parse(source: &str, file: &str) -> Option<Self> {
        if source.starts_with(FormId::PREFIX) {
            return Some(Self::Form(source.parse().ok()?, file.parse().ok()?));
        }
        match source.parse() {
            Ok(archive) => Some(Self::Archive(archive, file.parse().ok()?)),
            Err(_) => Some(Self::Account(source.parse().ok()?, file.parse().ok()?)),
        }
    }

    /// Returns the ids of the source and of the file in it.
    pub fn ids(&self) -> (&str, &str) {
        match self {
            Self::Archive(archive, file) => (archive.as_str(), file.as_str()),
            Self::Form(form, file) => (form.as_str(), file.as_str()),
            Self::Account(account, document) => (account.as_str(), document.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_names_a_file_and_its_source() {
        let (archive, file) = (ArchiveId::from_bytes([1; 16]), FileId::from_bytes([2; 16]));
        let (account, document) = (AccountId::from_bytes([3; 16]), DocumentId::from_bytes([4; 16]));
        let of_form = StoredAt::Form(FormId::from_bytes([5; 16]), file.clone());
        for stored in
            [StoredAt::Archive(archive.clone(), file), of_form, StoredAt::Account(account, document)]
        {
            let (source, file) = stored.ids();
            assert_eq!(StoredAt::parse(source, file), Some(stored.clone()));
        }
        assert_eq!(StoredAt::parse(archive.as_str(), "d-04"), None);
        assert_eq!(StoredAt::parse("user-1", "d-04"), None);
    }
}
