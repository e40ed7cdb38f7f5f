//! TIFFs with false directories.

use link_types::archive::FileFault::{Damaged, TooManyPages, TooManyPixels, UnsupportedFormat};

use super::parts::{BadFile, bad, deflate};

const DEFLATE: u16 = 8;
const NONE: u16 = 1;

pub(super) fn files() -> Vec<BadFile> {
    let plain = [0_u8; 64];
    let page = |width, height, next| directory(width, height, NONE, 8, 64, next);
    let one = |directory: Vec<u8>| [&header(72), plain.as_slice(), &directory].concat();
    let whole = one(page(8, 8, 0));
    vec![
        bad("50000-pixels.tif", TooManyPixels, one(page(50_000, 50_000, 0))),
        bad("no-height.tif", Damaged, one(page(8, 0, 0))),
        bad("cut.tif", Damaged, &whole[..whole.len() - 20]),
        bad("directory-beyond-the-end.tif", Damaged, header(900_000)),
        bad("directory-loop.tif", Damaged, one(page(8, 8, 72))),
        bad("strip-beyond-the-end.tif", Damaged, one(directory(8, 8, NONE, 5_000_000, 64, 0))),
        bad("strip-too-short.tif", Damaged, {
            let packed = deflate(&[0; 100]);
            let at = 8 + u32::try_from(packed.len()).unwrap();
            let directory = directory(4_000, 4_000, DEFLATE, 8, at - 8, 0);
            [&header(at), packed.as_slice(), &directory].concat()
        }),
        bad("31-pages.tif", TooManyPages, {
            let length = u32::try_from(page(8, 8, 0).len()).unwrap();
            let mut bytes = [&header(72), plain.as_slice()].concat();
            for number in 0..31 {
                let next = if number == 30 { 0 } else { 72 + (number + 1) * length };
                bytes.extend(page(8, 8, next));
            }
            bytes
        }),
        bad("palette.tif", UnsupportedFormat, one(directory_of([8, 3, 1], 8, 8, NONE, 8, 64, 0))),
        bad("deep.tif", UnsupportedFormat, one(directory_of([32, 1, 1], 4, 4, NONE, 8, 64, 0))),
        bad("more-bytes-than-are-decoded.tif", TooManyPixels, {
            one(directory_of([16, 2, 3], 8_900, 8_900, NONE, 8, 64, 0))
        }),
        bad("unknown-packing.tif", UnsupportedFormat, one(directory(8, 8, 9_999, 8, 64, 0))),
    ]
}

fn header(first_directory: u32) -> Vec<u8> {
    [b"II\x2A\0".as_slice(), &first_directory.to_le_bytes()].concat()
}

fn directory(width: u32, height: u32, packing: u16, strip: u32, strip_bytes: u32, next: u32) -> Vec<u8> {
    directory_of([8, 1, 1], width, height, packing, strip, strip_bytes, next)
}

/// Returns a directory of a page with these bits per sample, photometric interpretation and samples per pixel.
fn directory_of(
    [bits, kind, samples]: [u32; 3],
    width: u32,
    height: u32,
    packing: u16,
    strip: u32,
    strip_bytes: u32,
    next: u32,
) -> Vec<u8> {
    let entries = [
        (256, width),
        (257, height),
        (258, bits),
        (259, u32::from(packing)),
        (262, kind),
        (273, strip),
        (277, samples),
        (278, height),
        (279, strip_bytes),
    ];
    let mut bytes = u16::try_from(entries.len()).unwrap().to_le_bytes().to_vec();
    for (tag, value) in entries {
        bytes.extend(u16::to_le_bytes(tag));
        bytes.extend([4, 0, 1, 0, 0, 0]);
        bytes.extend(u32::to_le_bytes(value));
    }
    bytes.extend(next.to_le_bytes());
    bytes
}
