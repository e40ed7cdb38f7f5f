//! `Upload-Metadata`: keys with base64 values. The service reads four of them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_types::Sensitive;
use link_types::archive::FileSlot;
use link_types::id::ArchiveId;
use link_types::problem::{FaultCode, FieldFault};

use crate::http::problem::fault;

/// The metadata of a new upload. Unknown keys are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The archive that the file belongs to.
    pub archive_id: ArchiveId,
    /// The part of the document that the file shows.
    pub slot: FileSlot,
    /// The file's name on the person's device.
    pub name: Sensitive,
    /// SHA-256 of the whole file in lower-case hex, if the uploader sends it.
    pub sha256: Option<String>,
}

impl Metadata {
    /// Parses the header.
    ///
    /// # Errors
    /// All faults at once. The field of each is `Upload-Metadata.<key>`.
    pub fn parse(header: &str) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let mut pairs: Vec<(&str, Option<String>)> = Vec::new();
        for pair in header.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            if pairs.iter().any(|(known, _)| *known == key) {
                faults.push(fault("Upload-Metadata", FaultCode::Invalid, "each key at most once"));
                continue;
            }
            let text = STANDARD.decode(value.trim()).ok().and_then(|it| String::from_utf8(it).ok());
            pairs.push((key, text));
        }
        let archive_id = required(&pairs, "archiveId", "base64 of an archive's id", &mut faults);
        let slot = required(&pairs, "slot", "base64 of FRONT, BACK or PAGE", &mut faults);
        let name = text(&pairs, "filename", &mut faults);
        if name.is_none() && !pairs.iter().any(|(key, _)| *key == "filename") {
            faults.push(fault(field("filename"), FaultCode::Missing, "required"));
        }
        let sha256 = text(&pairs, "sha256", &mut faults);
        if sha256.as_ref().is_some_and(|it| !is_sha256(it)) {
            faults.push(fault(field("sha256"), FaultCode::Invalid, "base64 of 64 lower-case hex digits"));
        }
        match (archive_id, slot, name) {
            (Some(archive_id), Some(slot), Some(name)) if faults.is_empty() => {
                Ok(Self { archive_id, slot, name: Sensitive::new(name), sha256 })
            }
            _ => Err(faults),
        }
    }
}

fn field(key: &str) -> String {
    format!("Upload-Metadata.{key}")
}

/// Returns a key's value. Adds a fault if the value is not base64 of UTF-8.
fn text(pairs: &[(&str, Option<String>)], key: &str, faults: &mut Vec<FieldFault>) -> Option<String> {
    let (_, value) = pairs.iter().find(|(known, _)| *known == key)?;
    if value.is_none() {
        faults.push(fault(field(key), FaultCode::Invalid, "base64 of UTF-8"));
    }
    value.clone()
}

fn required<T: std::str::FromStr>(
    pairs: &[(&str, Option<String>)],
    key: &str,
    form: &str,
    faults: &mut Vec<FieldFault>,
) -> Option<T> {
    if !pairs.iter().any(|(known, _)| *known == key) {
        faults.push(fault(field(key), FaultCode::Missing, "required"));
        return None;
    }
    let read = text(pairs, key, faults)?.parse().ok();
    if read.is_none() {
        faults.push(fault(field(key), FaultCode::Invalid, form));
    }
    read
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARCHIVE: &str = "archive-0192f0c1a2b37c4d8e5f60718293a4b5";

    fn header(pairs: &[(&str, &str)]) -> String {
        let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{k} {}", STANDARD.encode(v))).collect();
        pairs.join(",")
    }

    fn faults(header: &str) -> Vec<(String, FaultCode)> {
        Metadata::parse(header).unwrap_err().into_iter().map(|it| (it.field, it.code)).collect()
    }

    #[test]
    fn known_keys_are_read_and_others_ignored() {
        let sha = "ab".repeat(32);
        let read = Metadata::parse(&header(&[
            ("filename", "Nómina.pdf"),
            ("archiveId", ARCHIVE),
            ("filetype", "application/pdf"),
            ("slot", "PAGE"),
            ("sha256", &sha),
        ]));
        let read = read.unwrap();
        assert_eq!(read.archive_id.as_str(), ARCHIVE);
        assert_eq!((read.slot, read.sha256), (FileSlot::Page, Some(sha)));
        assert_eq!(read.name.expose(), "Nómina.pdf");
    }

    #[test]
    fn unknown_key_may_have_no_value() {
        let with_flag = format!("is_confidential,{}", header(&[("archiveId", ARCHIVE), ("slot", "FRONT")]));
        assert!(Metadata::parse(&format!("{with_flag},filename YQ==")).is_ok());
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let missing = ["archiveId", "slot", "filename"].map(|it| (field(it), FaultCode::Missing));
        assert_eq!(faults(""), missing);
        let wrong =
            format!("{},filename !!", header(&[("archiveId", "a-1"), ("slot", "page"), ("sha256", "AB")]));
        let invalid = ["archiveId", "slot", "filename", "sha256"].map(|it| (field(it), FaultCode::Invalid));
        assert_eq!(faults(&wrong), invalid);
    }

    #[test]
    fn repeated_key_is_rejected() {
        let twice = header(&[("archiveId", ARCHIVE), ("slot", "PAGE"), ("slot", "BACK"), ("filename", "a")]);
        assert_eq!(faults(&twice), [("Upload-Metadata".to_owned(), FaultCode::Invalid)]);
    }
}
