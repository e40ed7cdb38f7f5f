//! HEIC: the picture is decoded, because a header does not show whether the file is complete.

use std::collections::BTreeMap;

use heifer::Error;
use heifer::heifer_hevc_dec::nal::{NalUnit, split_annex_b};
use heifer::heifer_hevc_dec::params::ParameterSets;
use heifer::heifer_isobmff::boxes::Property;
use heifer::heifer_isobmff::{HeifFile, ItemId};
use link_types::archive::{FileFault, MAX_PIXELS};

use super::{Found, pixels};
use crate::pixels::decode;

/// The maximum number of pictures within each other. The decoder has a smaller limit.
const MAX_DEPTH: u32 = 8;

/// Returns whether a file says that it contains an HEVC picture. AVIF pictures have other brands.
pub(super) fn is_heic(bytes: &[u8]) -> bool {
    let [s3, s2, s1, s0, b'f', b't', b'y', b'p', brands @ ..] = bytes else { return false };
    let size = u32::from_be_bytes([*s3, *s2, *s1, *s0]) as usize;
    let brands = brands.get(..size.saturating_sub(8)).unwrap_or(brands);
    brands.chunks_exact(4).any(|brand| matches!(brand, [b'h', b'e', b'i', b'c' | b'x' | b'm' | b's']))
}

pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let file = HeifFile::parse(bytes).map_err(|_| FileFault::Damaged)?;
    if let Some((width, height)) = file.image_size(file.primary_id).map_err(|_| FileFault::Damaged)? {
        pixels(width, height)?;
    }
    if let Ok(grid) = file.grid(file.primary_id) {
        pixels(grid.output_width, grid.output_height)?;
    }
    if count_decoded_pixels(&file, file.primary_id, 0, &mut BTreeMap::new()) > u64::from(MAX_PIXELS) {
        return Err(FileFault::TooManyPixels);
    }
    let picture = decode::heic(bytes).map_err(fault)?;
    Ok(Found { pages: 1, pixels: pixels(picture.width(), picture.height())? })
}

/// Returns the number of pixels that are decoded for a picture and all its parts. A grid may contain the same tile many times.
fn count_decoded_pixels(
    file: &HeifFile<'_>,
    id: ItemId,
    depth: u32,
    known: &mut BTreeMap<ItemId, u64>,
) -> u64 {
    if depth > MAX_DEPTH {
        return u64::MAX;
    }
    if let Some(pixels) = known.get(&id) {
        return *pixels;
    }
    // A picture that contains itself is endless.
    known.insert(id, u64::MAX);
    let coded = if file.item(id).is_ok_and(|item| item.item_type.0 == *b"hvc1") {
        count_coded_pixels(file, id).unwrap_or(0)
    } else {
        0
    };
    let parts = file.referenced_items(id, b"dimg").iter().copied();
    let alpha = file.referencing_items(id, b"auxl").into_iter().find(|aux| is_alpha(file, *aux));
    let pixels = parts
        .chain(alpha)
        .map(|part| count_decoded_pixels(file, part, depth + 1, known))
        .fold(coded, u64::saturating_add);
    known.insert(id, pixels);
    pixels
}

fn is_alpha(file: &HeifFile<'_>, id: ItemId) -> bool {
    let is_alpha = |kind: &str| kind.ends_with(":alpha") || kind.ends_with(":auxid:1");
    let is_named = |property: &Property| matches!(property, Property::AuxiliaryType(kind) if is_alpha(kind));
    file.item_properties(id).is_ok_and(|mut properties| properties.any(is_named))
}

/// Returns the number of pixels of the largest picture that an HEVC stream declares. Its item may declare fewer.
fn count_coded_pixels(file: &HeifFile<'_>, id: ItemId) -> Option<u64> {
    let stream = file.hevc_bitstream(id).ok()?;
    let mut sets = ParameterSets::default();
    let units = split_annex_b(&stream).map_while(|unit| NalUnit::parse(unit).ok());
    for unit in units.take_while(|unit| !unit.header.unit_type.is_slice()) {
        sets.add(&unit).ok()?;
    }
    let pixels = |(width, height)| u64::from(width) * u64::from(height);
    let sizes =
        sets.sps.iter().flatten().map(|it| (it.pic_width_in_luma_samples, it.pic_height_in_luma_samples));
    sizes.map(pixels).max()
}

fn fault(error: Error) -> FileFault {
    match error {
        Error::Unsupported(_) => FileFault::UnsupportedFormat,
        Error::Container(_) | Error::Hevc(_) | Error::Encode(_) | Error::Invalid(_) => FileFault::Damaged,
    }
}
