//! The headers of tus creation and append requests, and the error responses for invalid ones.

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_types::Sensitive;
use link_types::archive::{FileFault, FileSlot, MAX_FILE_BYTES};
use link_types::id::ArchiveId;
use link_types::problem::{FaultCode, FieldFault, ProblemCode};

use super::{OFFSET_STREAM, UPLOAD_LENGTH, UPLOAD_METADATA, UPLOAD_OFFSET};
use crate::http::problem::{ApiResult, Problem, fault};

/// `POST`: a new upload. `M` is its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation<M> {
    /// The file's size in bytes, 1 to [`MAX_FILE_BYTES`].
    pub length: u32,
    /// The file's metadata.
    pub metadata: M,
    /// Whether the request's body contains the first bytes.
    pub with_upload: bool,
}

/// `PATCH`: more bytes of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Append {
    /// The position of the first byte.
    pub offset: u64,
    /// The number of bytes, if the request has a `Content-Length`.
    pub announced: Option<u64>,
}

/// Parses the headers of a creation request.
///
/// # Errors
/// 413 with a `fileFault` if the file is too large, 422 with a `fileFault` if it is empty, and 422 with all faults
/// otherwise.
pub fn creation<M: ParseMetadata>(headers: &HeaderMap) -> ApiResult<Creation<M>> {
    let mut faults = Vec::new();
    let length = whole_number(headers, &UPLOAD_LENGTH, &mut faults);
    let metadata = text_of(headers, &UPLOAD_METADATA).unwrap_or_default();
    let metadata = M::parse(&metadata).map_err(|found| faults.extend(found)).ok();
    let (Some(length), Some(metadata)) = (length, metadata) else { return Err(Problem::invalid(faults)) };
    let length = u32::try_from(length).ok().filter(|it| *it <= MAX_FILE_BYTES);
    let length = length.ok_or_else(|| Problem::file(FileFault::TooLarge))?;
    if length == 0 {
        return Err(Problem::file(FileFault::Empty));
    }
    Ok(Creation { length, metadata, with_upload: is_offset_stream(headers) })
}

/// Parses the headers of an append request.
///
/// # Errors
/// 415 for another media type; 422 if the offset is missing or not a number.
pub fn append(headers: &HeaderMap) -> ApiResult<Append> {
    if !is_offset_stream(headers) {
        return Err(Problem::new(
            ProblemCode::UnsupportedType,
            "Send `Content-Type: application/offset+octet-stream`.",
        ));
    }
    let mut faults = Vec::new();
    let offset = whole_number(headers, &UPLOAD_OFFSET, &mut faults);
    let offset = offset.ok_or_else(|| Problem::invalid(faults))?;
    let announced = text_of(headers, &header::CONTENT_LENGTH).and_then(|it| it.parse().ok());
    Ok(Append { offset, announced })
}

impl Append {
    /// Checks the append against an upload that has received `received` of `length` bytes.
    ///
    /// # Errors
    /// 409 if the offset differs; 413 if the append announces more bytes than are missing.
    pub fn check(&self, received: u32, length: u32) -> ApiResult<()> {
        if self.offset != u64::from(received) {
            return Err(Problem::conflict(
                "`Upload-Offset` is not the upload's current offset. Send HEAD to get it.",
            ));
        }
        if self.announced.is_some_and(|it| it > u64::from(length - received.min(length))) {
            return Err(too_many_bytes());
        }
        Ok(())
    }
}

/// Returns a 413: the request has more bytes than the upload is missing.
pub fn too_many_bytes() -> Problem {
    Problem::new(ProblemCode::PayloadTooLarge, "The request has more bytes than the upload is missing.")
}

/// Returns a 423: another request is using the upload.
pub fn upload_in_use() -> Problem {
    Problem::conflict("Another request is using this upload. Try again in a few seconds.")
        .with_status(StatusCode::LOCKED)
}

fn is_offset_stream(headers: &HeaderMap) -> bool {
    text_of(headers, &header::CONTENT_TYPE).is_some_and(|it| it.trim().eq_ignore_ascii_case(OFFSET_STREAM))
}

fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).and_then(|it| it.to_str().ok()).map(str::to_owned)
}

fn whole_number(headers: &HeaderMap, name: &HeaderName, faults: &mut Vec<FieldFault>) -> Option<u64> {
    let Some(text) = text_of(headers, name) else {
        faults.push(fault(name.as_str(), FaultCode::Missing, "required"));
        return None;
    };
    // `parse` accepts a leading sign.
    let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    // A number that overflows `u64` is too large, not malformed.
    let number = digits.then(|| text.parse().unwrap_or(u64::MAX));
    if number.is_none() {
        faults.push(fault(name.as_str(), FaultCode::Invalid, "a whole number"));
    }
    number
}

// `Upload-Metadata`: keys with base64 values. The service reads four of them.

/// The metadata of one kind of upload.
pub trait ParseMetadata: Sized {
    /// Parses the header.
    ///
    /// # Errors
    /// All faults at once. The field of each is `Upload-Metadata.<key>`.
    fn parse(header: &str) -> Result<Self, Vec<FieldFault>>;
}

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

/// The metadata of a file of a form's FILE field. Unknown keys are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormMetadata {
    /// The name of the field.
    pub field: String,
    /// The file's name on the person's device.
    pub name: Sensitive,
}

impl ParseMetadata for FormMetadata {
    fn parse(header: &str) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let pairs = pairs(header, &mut faults);
        let of_form = take_required(&pairs, "field", "base64 of a field's name", &mut faults);
        let name = take_required::<String>(&pairs, "filename", "base64 of a file's name", &mut faults);
        match (of_form, name) {
            (Some(field), Some(name)) if faults.is_empty() => Ok(Self { field, name: Sensitive::new(name) }),
            _ => Err(faults),
        }
    }
}

/// Splits the header into keys and values. A value that is not base64 of UTF-8 is `None`.
fn pairs<'a>(header: &'a str, faults: &mut Vec<FieldFault>) -> Vec<(&'a str, Option<String>)> {
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
    pairs
}

impl ParseMetadata for Metadata {
    fn parse(header: &str) -> Result<Self, Vec<FieldFault>> {
        let mut faults = Vec::new();
        let pairs = pairs(header, &mut faults);
        let archive_id = take_required(&pairs, "archiveId", "base64 of an archive's id", &mut faults);
        let slot = take_required(&pairs, "slot", "base64 of FRONT, BACK or PAGE", &mut faults);
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

fn take_required<T: std::str::FromStr>(
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
    use rstest::rstest;

    use super::*;

    const METADATA: &str =
        "archiveId YXJjaGl2ZS0wMTkyZjBjMWEyYjM3YzRkOGU1ZjYwNzE4MjkzYTRiNQ==,slot UEFHRQ==,filename YQ==";

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    fn parse_creation(length: &str) -> ApiResult<Creation<Metadata>> {
        creation(&headers(&[("upload-length", length), ("upload-metadata", METADATA)]))
    }

    #[rstest]
    #[case::largest("15000000", None)]
    #[case::one_byte_more("15000001", Some((413, Some(FileFault::TooLarge))))]
    #[case::beyond_any_number("99999999999999999999999", Some((413, Some(FileFault::TooLarge))))]
    #[case::empty("0", Some((422, Some(FileFault::Empty))))]
    #[case::negative("-1", Some((422, None)))]
    #[case::signed("+5", Some((422, None)))]
    fn upload_length_outside_limits_is_rejected(
        #[case] length: &str,
        #[case] refused: Option<(u16, Option<FileFault>)>,
    ) {
        let result = parse_creation(length).err().map(|it| (it.status().as_u16(), it.file_fault()));
        assert_eq!(result, refused);
    }

    #[test]
    fn creation_without_headers_reports_all_of_them() {
        let problem = creation::<Metadata>(&HeaderMap::new()).unwrap_err();
        let named: Vec<_> = problem.errors().iter().map(|it| it.field.as_str()).collect();
        let metadata = ["archiveId", "slot", "filename"].map(|it| format!("Upload-Metadata.{it}"));
        assert_eq!(named[0], "upload-length");
        assert_eq!(named[1..], metadata);
    }

    #[rstest]
    #[case::json(&[("content-type", "application/json"), ("upload-offset", "0")], 415)]
    #[case::no_type(&[("upload-offset", "0")], 415)]
    #[case::no_offset(&[("content-type", OFFSET_STREAM)], 422)]
    #[case::offset_not_a_number(&[("content-type", OFFSET_STREAM), ("upload-offset", "1e3")], 422)]
    fn append_with_wrong_type_or_offset_is_rejected(
        #[case] pairs: &[(&'static str, &str)],
        #[case] status: u16,
    ) {
        assert_eq!(append(&headers(pairs)).unwrap_err().status().as_u16(), status);
    }

    #[rstest]
    #[case::behind(5, None, Some(409))]
    #[case::ahead(11, None, Some(409))]
    #[case::more_than_is_missing(10, Some(91), Some(413))]
    #[case::all_that_is_missing(10, Some(90), None)]
    #[case::unannounced(10, None, None)]
    fn append_must_match_offset_and_remaining_bytes(
        #[case] offset: u64,
        #[case] announced: Option<u64>,
        #[case] refused: Option<u16>,
    ) {
        let checked = Append { offset, announced }.check(10, 100);
        assert_eq!(checked.err().map(|it| it.status().as_u16()), refused);
    }

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
