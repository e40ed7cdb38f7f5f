//! Bad files, made by code: each with the fault it must be refused with. Two tests include this module: the one of
//! the inspection itself and the one that uploads them over HTTP; `documents -- bad DIR` writes them for a browser.

mod jpeg;
mod other;
pub(crate) mod pdf;
mod png;
mod tiff;

use link_types::archive::FileFault;

/// A file that must be refused.
pub struct BadFile {
    /// Its name, with the extension somebody gave it.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Why it is refused.
    pub fault: FileFault,
}

/// All of them.
pub fn bad_files() -> Vec<BadFile> {
    [other::files(), pdf::files(), png::files(), jpeg::files(), tiff::files()].concat()
}

impl Clone for BadFile {
    fn clone(&self) -> Self {
        Self { name: self.name, bytes: self.bytes.clone(), fault: self.fault }
    }
}

fn bad(name: &'static str, fault: FileFault, bytes: impl Into<Vec<u8>>) -> BadFile {
    BadFile { name, bytes: bytes.into(), fault }
}

/// Bytes packed as zlib does.
pub(crate) fn deflated(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Bytes that zlib unfolds to so many million zeros: one block, over and over, without an end.
fn bomb(millions: usize) -> Vec<u8> {
    let mut packer = flate2::Compress::new(flate2::Compression::fast(), false);
    let mut block = Vec::with_capacity(100_000);
    packer.compress_vec(&vec![0; 1_000_000], &mut block, flate2::FlushCompress::Sync).unwrap();
    [vec![0x78, 0x01], block.repeat(millions)].concat()
}

/// An empty ZIP archive with one stored entry's end record: what a ZIP program looks for.
fn zip() -> Vec<u8> {
    let mut bytes = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a".to_vec();
    bytes.extend(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    bytes
}
