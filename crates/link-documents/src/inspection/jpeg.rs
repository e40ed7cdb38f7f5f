//! JPEG: walks over the markers. The picture itself is not decoded here.

use link_types::archive::FileFault;

use super::{Found, pixels};

/// The supported frames. Lossless, differential and arithmetic frames are not.
const FRAMES: [u8; 3] = [0xC0, 0xC1, 0xC2];

/// Checks that the file begins with a complete picture. Cameras append further pictures, films, notes and padding, which
/// every viewer ignores.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let mut rest = bytes.get(2..).ok_or(FileFault::Damaged)?;
    let (mut framed, mut scanned) = (None, false);
    loop {
        let (marker, after) = next_marker(rest).ok_or(FileFault::Damaged)?;
        match marker {
            0xD9 => {
                let pixels = framed.filter(|_| scanned).ok_or(FileFault::Damaged)?;
                return Ok(Found { pages: 1, pixels });
            }
            0x01 | 0xD0..=0xD7 => rest = after,
            _ => {
                let length = match after {
                    [high, low, ..] => usize::from(u16::from_be_bytes([*high, *low])),
                    _ => return Err(FileFault::Damaged),
                };
                let segment = after.get(2..length).ok_or(FileFault::Damaged)?;
                rest = after.get(length..).ok_or(FileFault::Damaged)?;
                if FRAMES.contains(&marker) {
                    framed = Some(frame(segment)?);
                } else if (0xC3..=0xCF).contains(&marker) && !matches!(marker, 0xC4 | 0xC8 | 0xCC) {
                    return Err(FileFault::UnsupportedFormat);
                } else if marker == 0xDA {
                    scanned = true;
                    rest = scan_end(rest).ok_or(FileFault::Damaged)?;
                }
            }
        }
    }
}

/// Returns whether the decoder would read a JPEG wrongly, or not at all. A damaged one is not among them.
///
/// Every JPEG is asked this before it is decoded, also within other files.
pub(crate) fn is_unsupported(bytes: &[u8]) -> bool {
    matches!(look(bytes), Err(FileFault::UnsupportedFormat))
}

fn frame(segment: &[u8]) -> Result<u32, FileFault> {
    match segment {
        [8, h1, h0, w1, w0, count @ (1 | 3 | 4), components @ ..] => {
            if !is_sampled_usually(components.get(..usize::from(*count) * 3).ok_or(FileFault::Damaged)?) {
                return Err(FileFault::UnsupportedFormat);
            }
            let (height, width) = (u16::from_be_bytes([*h1, *h0]), u16::from_be_bytes([*w1, *w0]));
            pixels(u32::from(width), u32::from(height))
        }
        // More bits per sample, or an unsupported number of components.
        [_, _, _, _, _, _, ..] => Err(FileFault::UnsupportedFormat),
        _ => Err(FileFault::Damaged),
    }
}

/// Returns whether the decoder (zune-jpeg 0.5) understands how the components are sampled. It decodes others to wrong pictures:
/// those whose first component is narrower than another one, and most with more than two samples for a distance.
fn is_sampled_usually(components: &[u8]) -> bool {
    let factors: Vec<(u8, u8)> =
        components.chunks_exact(3).filter_map(|it| it.get(1)).map(|it| (it >> 4, it & 15)).collect();
    let [first, _, ..] = factors.as_slice() else { return true };
    let widest = factors.iter().map(|(across, _)| *across).max().unwrap_or(1);
    let highest = factors.iter().map(|(_, down)| *down).max().unwrap_or(1);
    let is_known = |(across, down): &(u8, u8)| matches!(across, 1 | 2 | 4) && matches!(down, 1 | 2);
    factors.iter().all(is_known) && first.0 == widest && widest * highest <= 4
}

/// Returns the next marker, and the bytes after it. Like viewers, skips bytes that do not belong to a segment.
fn next_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let at =
        bytes.windows(2).position(|pair| matches!(pair, [0xFF, marker] if !matches!(marker, 0 | 0xFF)))?;
    let (marker, after) = bytes.get(at + 1..)?.split_first()?;
    Some((*marker, after))
}

/// Returns the bytes after a scan's coded data, which ends at the first marker that is neither stuffing nor a restart.
fn scan_end(bytes: &[u8]) -> Option<&[u8]> {
    let at = bytes.windows(2).position(|pair| {
        matches!(pair, [0xFF, marker] if *marker != 0 && *marker != 0xFF && !(0xD0..=0xD7).contains(marker))
    })?;
    bytes.get(at..)
}
