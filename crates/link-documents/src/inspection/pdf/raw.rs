//! Measures a PDF's streams before a parser sees them, because a parser decompresses object streams immediately.
//!
//! The streams are found by their keywords. A dictionary can describe a stream in many ways, so the data itself is
//! checked.

use std::borrow::Cow;

use link_types::archive::FileFault;

use super::flate;
use super::letters::{self, is_white};

/// The maximum decompressed size of one stream, and of all streams together, in bytes.
pub(super) const MAX_STREAM_BYTES: u64 = 128_000_000;
pub(super) const MAX_TOTAL_BYTES: u64 = 512_000_000;
/// The maximum number of filters of a stream.
pub(super) const MAX_FILTERS: usize = 4;
/// The maximum number of streams in a file.
const MAX_STREAMS: usize = 20_000;
/// The maximum number of bytes that parsers may have to search for the ends of streams.
const MAX_SEARCHED: usize = 100_000_000;
/// The number of characters to decode to recognize the bytes they represent.
const HEAD: usize = 16;
/// The maximum size of decompressed bytes that are held to be decompressed again.
const MAX_HELD: u64 = link_types::archive::MAX_FILE_BYTES as u64;

/// Checks that no stream decompresses to more than a page needs, and that the ends of streams are easy to find.
pub(super) fn check(bytes: &[u8]) -> Result<(), FileFault> {
    const STREAM: &[u8] = b"stream";
    const END: &[u8] = b"endstream";
    let (mut streams, mut searched, mut left) = (0, 0, MAX_TOTAL_BYTES);
    let (mut at, mut end) = (0, 0);
    while let Some(found) = find(bytes, STREAM, at) {
        at = found + STREAM.len();
        let data = match bytes.get(at..) {
            Some([b'\r', b'\n', data @ ..] | [b'\r' | b'\n', data @ ..]) => data,
            Some(_) | None => continue,
        };
        if bytes.get(..at).is_some_and(|before| before.ends_with(END)) {
            continue;
        }
        if end < at {
            end = find(bytes, END, at).unwrap_or(bytes.len());
        }
        (streams, searched) = (streams + 1, searched + end - at);
        if streams > MAX_STREAMS || searched > MAX_SEARCHED {
            return Err(FileFault::Damaged);
        }
        left = match max_unfolded_bytes(data, MAX_FILTERS, MAX_STREAM_BYTES.min(left))
            .and_then(|size| left.checked_sub(size))
        {
            Some(left) => left,
            None if is_picture(bytes, found) => return Err(FileFault::TooManyPixels),
            None => return Err(FileFault::Damaged),
        };
    }
    Ok(())
}

/// Returns the decompressed size of data with a zlib header, or the bytes read for it if that is more.
///
/// Decodes ASCII filters and nested zlib data. Returns 0 for other data, and `None` if the size exceeds `allowed`.
fn max_unfolded_bytes(data: &[u8], depth: usize, allowed: u64) -> Option<u64> {
    let Some(packed) = decode_ascii_filters(data) else { return Some(0) };
    let (mut inner, mut nested, mut cut) = (Vec::new(), false, false);
    let unfolded = flate::unfold(packed.get(2..)?, allowed, |piece| {
        nested |= inner.is_empty() && flate::begins_like_zlib(piece);
        cut = nested && inner.len() as u64 > MAX_HELD;
        if nested && !cut {
            inner.extend_from_slice(piece);
        }
    })?;
    let most = unfolded.size.max(unfolded.read);
    if !nested {
        return Some(most);
    }
    let inner = max_unfolded_bytes(&inner, depth.checked_sub(1)?, allowed)?;
    // Data that is longer than a file cannot be compressed data. If it only looks like it, an error follows soon.
    (!cut || inner < MAX_HELD).then_some(most.max(inner))
}

/// Decodes data from ASCII filters if it begins with a zlib header.
fn decode_ascii_filters(data: &[u8]) -> Option<Cow<'_, [u8]>> {
    let head = || data.iter().copied().filter(|byte| !is_white(*byte)).take(HEAD);
    if flate::begins_like_zlib(data) {
        Some(Cow::Borrowed(data))
    } else if flate::begins_like_zlib(&letters::from_hex(head())) {
        Some(Cow::Owned(letters::from_hex(data.iter().copied())))
    } else if flate::begins_like_zlib(&letters::from_85(head())) {
        Some(Cow::Owned(letters::from_85(data.iter().copied())))
    } else {
        None
    }
}

/// Returns whether the dictionary before a stream describes a picture, so that the fault is its size.
fn is_picture(bytes: &[u8], stream: usize) -> bool {
    const DICTIONARY: usize = 4096;
    let before = bytes.get(stream.saturating_sub(DICTIONARY)..stream).unwrap_or_default();
    let start = before.windows(4).rposition(|window| window == b" obj").unwrap_or(0);
    find(before, b"/Image", start).is_some()
}

fn find(bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let at = bytes.get(from..)?.windows(needle.len()).position(|window| window == needle)?;
    Some(from + at)
}
