//! Files of unsupported formats with misleading names.

use link_types::archive::FileFault::{Damaged, Empty, ExtraBytes, TooLarge, UnsupportedFormat};
use link_types::archive::MAX_FILE_BYTES;

use super::parts::{BadFile, bad, zip};

pub(super) fn files() -> Vec<BadFile> {
    let mut large = super::pdf::whole();
    large.resize(MAX_FILE_BYTES as usize + 1, b'\n');
    vec![
        bad("zero-bytes.pdf", Empty, []),
        bad("15-mb-and-1.pdf", TooLarge, large),
        bad("text.pdf", UnsupportedFormat, "Payslip of October\nNet pay 12,000.00\n"),
        bad("page.jpg", UnsupportedFormat, "<!doctype html><html><script>alert(1)</script></html>"),
        bad("office.pdf", UnsupportedFormat, zip()),
        bad("animation.png", UnsupportedFormat, *b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\0;"),
        bad("photo-webp.jpg", Damaged, *b"RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0\0\0\0\0"),
        bad("photo-heic.jpg", Damaged, *b"\0\0\0\x18ftypheic\0\0\0\0heicmif1"),
        bad("photo-avif.heic", UnsupportedFormat, *b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"),
        bad("drawing.png", UnsupportedFormat, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        bad("program.pdf", UnsupportedFormat, *b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xFF\xFF\0\0"),
        bad("script.pdf", ExtraBytes, "#!/bin/sh\necho %PDF-1.7\n"),
        bad("bitmap.tif", UnsupportedFormat, *b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"),
        bad("big-tiff.tif", UnsupportedFormat, *b"II\x2B\0\x08\0\0\0\x10\0\0\0\0\0\0\0"),
        bad("one-byte.png", UnsupportedFormat, [0x89]),
    ]
}
