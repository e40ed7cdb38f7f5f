//! What a stream's data unfolds to by its filters, one behind the other.

use hayro::hayro_syntax::Filter;

use super::{FILTERS, flate, lengths, letters};

/// Unfolded bytes that are held to be unfolded once more: packed, they are a part of a file.
const HELD: u64 = link_types::archive::MAX_FILE_BYTES as u64;

/// The most bytes that the data unfolds to on its way through the filters; null when it is more than allowed or is not
/// told. What a picture's own filter makes of it is bounded by the picture's pixels: it must be the last.
pub(super) fn unfolded_bytes(filters: &[Filter], data: &[u8], allowed: u64) -> Option<u64> {
    let [first, rest @ ..] = filters else { return Some(data.len() as u64) };
    if filters.len() > FILTERS {
        return None;
    }
    let held = match first {
        Filter::Crypt => return unfolded_bytes(rest, data, allowed),
        Filter::DctDecode | Filter::JpxDecode | Filter::Jbig2Decode | Filter::CcittFaxDecode => {
            return rest.is_empty().then_some(data.len() as u64);
        }
        Filter::AsciiHexDecode => letters::from_hex(data.iter().copied()),
        Filter::Ascii85Decode => letters::from_85(data.iter().copied()),
        Filter::FlateDecode if is_end(rest) => return flate::unfolded_bytes(data, allowed),
        Filter::LzwDecode if is_end(rest) => return Some(lengths::of_lzw(data)).filter(|it| *it <= allowed),
        Filter::RunLengthDecode if is_end(rest) => {
            return Some(lengths::of_runs(data)).filter(|it| *it <= allowed);
        }
        Filter::FlateDecode => {
            flate::unfolded_bytes(data, allowed)?;
            flate::unfolded(data, HELD)?
        }
        Filter::LzwDecode | Filter::RunLengthDecode => return None,
    };
    let size = held.len() as u64;
    unfolded_bytes(rest, &held, allowed).map(|behind| behind.max(size)).filter(|size| *size <= allowed)
}

/// Whether nothing that unfolds further follows.
fn is_end(rest: &[Filter]) -> bool {
    match rest {
        [] => true,
        [last] => matches!(
            last,
            Filter::DctDecode | Filter::JpxDecode | Filter::Jbig2Decode | Filter::CcittFaxDecode
        ),
        [_, _, ..] => false,
    }
}
