//! The headers of tus creation and append requests, and the error responses for invalid ones.

use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use link_types::archive::{FileFault, MAX_FILE_BYTES};
use link_types::problem::{FaultCode, FieldFault, ProblemCode};

use super::{Metadata, OFFSET_STREAM, UPLOAD_LENGTH, UPLOAD_METADATA, UPLOAD_OFFSET};
use crate::http::problem::{ApiResult, Problem, fault};

/// `POST`: a new upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Creation {
    /// The file's size in bytes, 1 to [`MAX_FILE_BYTES`].
    pub length: u32,
    /// The file's metadata.
    pub metadata: Metadata,
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
pub fn creation(headers: &HeaderMap) -> ApiResult<Creation> {
    let mut faults = Vec::new();
    let length = whole_number(headers, &UPLOAD_LENGTH, &mut faults);
    let metadata = text_of(headers, &UPLOAD_METADATA).unwrap_or_default();
    let metadata = Metadata::parse(&metadata).map_err(|found| faults.extend(found)).ok();
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
pub fn locked() -> Problem {
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

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const METADATA: &str =
        "archiveId YXJjaGl2ZS0wMTkyZjBjMWEyYjM3YzRkOGU1ZjYwNzE4MjkzYTRiNQ==,slot UEFHRQ==,filename YQ==";

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    fn created(length: &str) -> ApiResult<Creation> {
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
        let answer = created(length).err().map(|it| (it.status().as_u16(), it.file_fault()));
        assert_eq!(answer, refused);
    }

    #[test]
    fn creation_without_headers_reports_all_of_them() {
        let problem = creation(&HeaderMap::new()).unwrap_err();
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
}
