//! Files with two formats at once: a program that trusts the other format would run or unpack them.

use link_types::archive::FileFormat;

/// How many bytes of a file a browser inspects to detect its type.
const SNIFFED: usize = 1024;
/// The length of a ZIP archive's end record without its comment, and of the longest comment.
const ZIP_END: usize = 22;
const ZIP_COMMENT: usize = 65_535;

/// Returns whether another program would treat the file as a different format.
pub(super) fn is_also_something_else(bytes: &[u8], format: FileFormat) -> bool {
    let head = bytes.get(..SNIFFED).unwrap_or(bytes).to_ascii_lowercase();
    let holds = |needle: &[u8]| head.windows(needle.len()).any(|window| window == needle);
    let pdf_inside = format != FileFormat::Pdf && holds(b"%pdf-");
    pdf_inside || holds(b"<html") || holds(b"<script") || holds(b"<?php") || ends_as_zip(bytes)
}

/// Returns whether the file ends like a ZIP archive, which is read from its end: the last record has the length of the
/// comment that ends the file.
fn ends_as_zip(bytes: &[u8]) -> bool {
    let tail = bytes.get(bytes.len().saturating_sub(ZIP_END + ZIP_COMMENT)..).unwrap_or(bytes);
    tail.windows(ZIP_END).enumerate().any(|(at, record)| match record {
        [b'P', b'K', 5, 6, .., low, high] => {
            tail.len() - at - ZIP_END == usize::from(u16::from_le_bytes([*low, *high]))
        }
        _ => false,
    })
}
