//! The streams of a PDF, found by their keywords alone: bombs must not reach the parser that would unfold them.

use std::io::Read;

use flate2::bufread::ZlibDecoder;
use link_types::archive::FileFault;

use super::pixels;

/// Bytes one stream may unfold to, and all of them together.
const ONE: u64 = 128_000_000;
const ALL: u64 = 512_000_000;
/// Filters one stream may name.
const FILTERS: usize = 4;
/// How far before its data a stream's dictionary is looked for.
const DICTIONARY: usize = 4096;

/// The pixels of the largest picture, when no stream unfolds to more than a page needs.
pub(super) fn check(bytes: &[u8]) -> Result<u32, FileFault> {
    const KEYWORD: &[u8] = b"stream";
    let mut most = 0;
    let mut left = ALL;
    let mut from = 0;
    while let Some(at) = find(bytes.get(from..).unwrap_or_default(), KEYWORD).map(|at| from + at) {
        from = at + KEYWORD.len();
        if at >= 3 && bytes.get(at - 3..at) == Some(b"end") {
            continue;
        }
        let before = bytes.get(at.saturating_sub(DICTIONARY)..at).unwrap_or_default();
        let start = before.windows(4).rposition(|window| window == b" obj").unwrap_or(0);
        let dictionary = before.get(start..).unwrap_or_default();
        let image = find(dictionary, b"/Image").is_some();
        if image {
            most = most.max(pixels(number(dictionary, b"/Width"), number(dictionary, b"/Height"))?);
        }
        let inflations =
            count(dictionary, b"/FlateDecode") + count(dictionary, b"/Fl ") + count(dictionary, b"/Fl]");
        let filters =
            count(dictionary, b"Decode") + inflations.saturating_sub(count(dictionary, b"/FlateDecode"));
        if filters > 2 * FILTERS || inflations > FILTERS {
            return Err(FileFault::Damaged);
        }
        let data = bytes.get(from..).unwrap_or_default();
        let data = data.strip_prefix(b"\r").unwrap_or(data);
        let unfolded = unfolded_bytes(data.strip_prefix(b"\n").unwrap_or(data), inflations, ONE.min(left));
        match unfolded {
            Some(size) => left -= size,
            None if image => return Err(FileFault::TooManyPixels),
            None => return Err(FileFault::Damaged),
        }
    }
    Ok(most)
}

/// What the data unfolds to, step by step inside one another; null when it is more than allowed. Data that is not
/// compressed after all unfolds to nothing: the parser will say so.
fn unfolded_bytes(data: &[u8], inflations: usize, allowed: u64) -> Option<u64> {
    let mut reader: Box<dyn Read + '_> = Box::new(data);
    if inflations == 0 {
        return Some(0);
    }
    for _ in 0..inflations {
        reader = Box::new(ZlibDecoder::new(std::io::BufReader::new(reader)));
    }
    let mut buffer = [0; 16_384];
    let mut size = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) | Err(_) => return Some(size),
            Ok(read) => {
                size += read as u64;
                if size > allowed {
                    return None;
                }
            }
        }
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

fn count(bytes: &[u8], needle: &[u8]) -> usize {
    bytes.windows(needle.len()).filter(|window| *window == needle).count()
}

/// The number behind a key; 1 when it is not written there (it may stand in an object of its own).
fn number(dictionary: &[u8], key: &[u8]) -> u32 {
    let Some(at) = find(dictionary, key) else { return 1 };
    let text = dictionary.get(at + key.len()..).unwrap_or_default().trim_ascii_start();
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).take(10);
    let value = digits.fold(0_u64, |value, digit| value * 10 + u64::from(digit - b'0'));
    u32::try_from(value).unwrap_or(u32::MAX)
}
