//! The decompressed size of a stream's data after all its filters, and the picture before its own filter.

use std::borrow::Cow;

use hayro::hayro_syntax::Filter;
use hayro::hayro_syntax::object::Stream;

use super::raw::MAX_FILTERS;
use super::{flate, lengths, letters};

/// The maximum size of decompressed bytes that are held for another filter. Compressed, they are a part of a file.
const MAX_HELD: u64 = link_types::archive::MAX_FILE_BYTES as u64;

/// Returns the largest size, in bytes, of the data after any of the filters. `None` if it exceeds `allowed` or is
/// unknown.
///
/// A picture's own filter must be the last one. Its output is bounded by the picture's pixels.
pub(super) fn max_unfolded_bytes(filters: &[Filter], data: &[u8], allowed: u64) -> Option<u64> {
    let [first, rest @ ..] = filters else { return Some(data.len() as u64) };
    if filters.len() > MAX_FILTERS {
        return None;
    }
    let held = match first {
        Filter::Crypt => return max_unfolded_bytes(rest, data, allowed),
        Filter::DctDecode | Filter::JpxDecode | Filter::Jbig2Decode | Filter::CcittFaxDecode => {
            return rest.is_empty().then_some(data.len() as u64);
        }
        Filter::AsciiHexDecode | Filter::Ascii85Decode => unfold(first, data)?,
        Filter::FlateDecode if is_end(rest) => return flate::max_unfolded_bytes(data, allowed),
        Filter::LzwDecode if is_end(rest) => return Some(lengths::of_lzw(data)).filter(|it| *it <= allowed),
        Filter::RunLengthDecode if is_end(rest) => {
            return Some(lengths::of_runs(data)).filter(|it| *it <= allowed);
        }
        Filter::FlateDecode => {
            flate::max_unfolded_bytes(data, allowed)?;
            unfold(first, data)?
        }
        Filter::LzwDecode | Filter::RunLengthDecode => return None,
    };
    let size = held.len() as u64;
    max_unfolded_bytes(rest, &held, allowed).map(|behind| behind.max(size)).filter(|size| *size <= allowed)
}

/// Returns the data of a stream after one filter that other filters may follow. `None` if it is another one.
fn unfold(filter: &Filter, data: &[u8]) -> Option<Vec<u8>> {
    match filter {
        Filter::AsciiHexDecode => Some(letters::from_hex(data.iter().copied())),
        Filter::Ascii85Decode => Some(letters::from_85(data.iter().copied())),
        Filter::FlateDecode => flate::decompress(data, MAX_HELD),
        Filter::Crypt
        | Filter::LzwDecode
        | Filter::RunLengthDecode
        | Filter::DctDecode
        | Filter::JpxDecode
        | Filter::Jbig2Decode
        | Filter::CcittFaxDecode => None,
    }
}

/// Returns the JPEG that a stream contains. `None` if it contains anything else.
pub(crate) fn jpeg<'a>(stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
    let filters = stream.filters();
    let (Filter::DctDecode, others) = filters.split_last()? else { return None };
    others
        .iter()
        .filter(|filter| **filter != Filter::Crypt)
        .try_fold(stream.raw_data(), |data, filter| unfold(filter, &data).map(Cow::Owned))
}

/// Returns whether no further filter decompresses the data.
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
