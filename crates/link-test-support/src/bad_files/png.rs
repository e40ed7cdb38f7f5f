//! PNGs with false or malicious chunks.

use link_types::archive::FileFault::{Damaged, ExtraBytes, TooManyPixels, UnsupportedFormat};

use super::parts::{BadFile, bad, deflate, zip};

pub(super) fn files() -> Vec<BadFile> {
    let whole = image(8, 8, &deflate(&[0; 8 * 9]), &[]);
    vec![
        bad("50000-pixels.png", TooManyPixels, image(50_000, 50_000, &deflate(&[0; 1_000]), &[])),
        bad("overflowing-sides.png", TooManyPixels, image(0x7FFF_FFFF, 0x7FFF_FFFF, &deflate(&[0; 9]), &[])),
        bad(
            "more-bytes-than-are-decoded.png",
            TooManyPixels,
            image_of([16, 6], 8_900, 8_900, &deflate(&[0; 9]), &[]),
        ),
        bad("no-width.png", Damaged, image(0, 8, &deflate(&[0; 8]), &[])),
        bad("cut.png", Damaged, &whole[..whole.len() - 14]),
        bad("header-only.png", Damaged, &whole[..33]),
        bad("wrong-checksum.png", Damaged, {
            let mut bytes = whole.clone();
            bytes[45] ^= 0xFF;
            bytes
        }),
        bad("length-beyond-the-end.png", Damaged, {
            let mut bytes = whole.clone();
            bytes[33..37].copy_from_slice(&0x7FFF_FFF0_u32.to_be_bytes());
            bytes
        }),
        bad("rows-missing.png", Damaged, image(4_000, 4_000, &deflate(&[0; 1_000]), &[])),
        bad(
            "animated.png",
            UnsupportedFormat,
            image(
                8,
                8,
                &deflate(&[0; 8 * 9]),
                &[
                    (b"acTL", [0, 0, 0, 1, 0, 0, 0, 0].to_vec()),
                    (b"fcTL", [[0; 4].as_slice(), &[0, 0, 0, 8, 0, 0, 0, 8], &[0; 14]].concat()),
                ],
            ),
        ),
        bad(
            "html-in-text.png",
            ExtraBytes,
            image(8, 8, &deflate(&[0; 8 * 9]), &[(b"tEXt", b"Comment\0<script>alert(1)</script>".to_vec())]),
        ),
        bad("png-and-zip.png", ExtraBytes, [whole.clone(), zip()].concat()),
        bad("png-and-php.png", ExtraBytes, [whole, b"<?php system($_GET[0]); ?>".to_vec()].concat()),
    ]
}

fn image(width: u32, height: u32, data: &[u8], extra: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    image_of([8, 0], width, height, data, extra)
}

/// Returns an image with this bit depth and color type.
fn image_of(kind: [u8; 2], width: u32, height: u32, data: &[u8], extra: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let header = [width.to_be_bytes().as_slice(), &height.to_be_bytes(), &kind, &[0, 0, 0]].concat();
    let mut bytes = b"\x89PNG\r\n\x1A\n".to_vec();
    bytes.extend(chunk(b"IHDR", &header));
    for (name, content) in extra {
        bytes.extend(chunk(name, content));
    }
    bytes.extend(chunk(b"IDAT", data));
    bytes.extend(chunk(b"IEND", &[]));
    bytes
}

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(name);
    crc.update(content);
    let length = u32::try_from(content.len()).unwrap();
    [length.to_be_bytes().as_slice(), name, content, &crc.sum().to_be_bytes()].concat()
}
