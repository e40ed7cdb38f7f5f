//! A PDF's streams before a parser sees them, found by their keywords: a parser unfolds those with objects in them at
//! once. What a dictionary says of a stream may be spelled in many ways, so the data itself tells.

use std::borrow::Cow;

use link_types::archive::FileFault;

use super::letters::{self, is_white};
use super::{ALL, FILTERS, ONE, flate};

/// Streams a file may have.
const STREAMS: usize = 20_000;
/// Bytes that parsers may have to look through for the ends of streams.
const SEARCHED: usize = 100_000_000;
/// Letters by which the bytes they stand for are known.
const HEAD: usize = 16;
/// Unfolded bytes that are held to be unfolded once more.
const HELD: u64 = link_types::archive::MAX_FILE_BYTES as u64;

/// Whether no stream unfolds to more than a page needs, and their ends are where they can be found.
pub(super) fn check(bytes: &[u8]) -> Result<(), FileFault> {
    const STREAM: &[u8] = b"stream";
    const END: &[u8] = b"endstream";
    let (mut streams, mut searched, mut left) = (0, 0, ALL);
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
        if streams > STREAMS || searched > SEARCHED {
            return Err(FileFault::Damaged);
        }
        left = match unfolded_bytes(data, FILTERS, ONE.min(left)).and_then(|size| left.checked_sub(size)) {
            Some(left) => left,
            None if is_picture(bytes, found) => return Err(FileFault::TooManyPixels),
            None => return Err(FileFault::Damaged),
        };
    }
    Ok(())
}

/// What data that begins like zlib's unfolds to, also when it is written in letters and when what it unfolds to does so
/// again, or what was read for it when that is more; 0 of other data, null of more than allowed.
fn unfolded_bytes(data: &[u8], depth: usize, allowed: u64) -> Option<u64> {
    let Some(packed) = packed(data) else { return Some(0) };
    let (mut inner, mut nested, mut cut) = (Vec::new(), false, false);
    let unfolded = flate::unfold(packed.get(2..)?, allowed, |piece| {
        nested |= inner.is_empty() && flate::begins_like_zlib(piece);
        cut = nested && inner.len() as u64 > HELD;
        if nested && !cut {
            inner.extend_from_slice(piece);
        }
    })?;
    let most = unfolded.size.max(unfolded.read);
    if !nested {
        return Some(most);
    }
    let inner = unfolded_bytes(&inner, depth.checked_sub(1)?, allowed)?;
    // What is longer than a file has no business to be packed data. When it only looks like it, a fault comes soon.
    (!cut || inner < HELD).then_some(most.max(inner))
}

/// The data, out of the letters it may be written in, when it begins like zlib's.
fn packed(data: &[u8]) -> Option<Cow<'_, [u8]>> {
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

/// Whether the dictionary before a stream speaks of a picture: its fault is then its size.
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
