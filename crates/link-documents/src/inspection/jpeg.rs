//! JPEG: walks over the markers. The picture itself is not decoded here.

use link_types::archive::FileFault;

use super::found::{Found, pixels};

/// The padding that cameras leave after the end, in bytes.
const SLACK: usize = 64;
/// The supported frames. Lossless, differential and arithmetic frames are not.
const FRAMES: [u8; 3] = [0xC0, 0xC1, 0xC2];

/// Checks that the file is a complete picture, followed only by further pictures (as phones store them) or padding.
pub(super) fn look(bytes: &[u8]) -> Result<Found, FileFault> {
    let (mut rest, pixels) = picture(bytes)?;
    loop {
        if !rest.starts_with(&[0xFF, 0xD8, 0xFF]) {
            break;
        }
        (rest, _) = picture(rest)?;
    }
    if rest.len() <= SLACK { Ok(Found { pages: 1, pixels }) } else { Err(FileFault::UnsupportedFormat) }
}

/// Returns the bytes after the picture at the start, and its number of pixels.
fn picture(bytes: &[u8]) -> Result<(&[u8], u32), FileFault> {
    let mut rest = bytes.get(2..).ok_or(FileFault::Damaged)?;
    let (mut framed, mut scanned) = (None, false);
    loop {
        let (marker, after) = next_marker(rest).ok_or(FileFault::Damaged)?;
        match marker {
            0xD9 => {
                return framed.filter(|_| scanned).map(|pixels| (after, pixels)).ok_or(FileFault::Damaged);
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

fn frame(segment: &[u8]) -> Result<u32, FileFault> {
    match segment {
        [8, h1, h0, w1, w0, 1 | 3 | 4, ..] => {
            let (height, width) = (u16::from_be_bytes([*h1, *h0]), u16::from_be_bytes([*w1, *w0]));
            pixels(u32::from(width), u32::from(height))
        }
        // More bits per sample, or an unsupported number of components.
        [_, _, _, _, _, _, ..] => Err(FileFault::UnsupportedFormat),
        _ => Err(FileFault::Damaged),
    }
}

fn next_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let filled = bytes.strip_prefix(&[0xFF])?;
    let skip = filled.iter().take_while(|byte| **byte == 0xFF).count();
    let (marker, after) = filled.get(skip..)?.split_first()?;
    Some((*marker, after))
}

/// Returns the bytes after a scan's coded data, which ends at the first marker that is neither stuffing nor a restart.
fn scan_end(bytes: &[u8]) -> Option<&[u8]> {
    let at = bytes.windows(2).position(|pair| {
        matches!(pair, [0xFF, marker] if *marker != 0 && *marker != 0xFF && !(0xD0..=0xD7).contains(marker))
    })?;
    bytes.get(at..)
}
