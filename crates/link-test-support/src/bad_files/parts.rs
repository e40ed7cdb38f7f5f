//! Building blocks of bad files.

use link_types::archive::FileFault;

/// A file that inspection must reject.
#[derive(Clone)]
pub struct BadFile {
    /// The file name, whose extension may be wrong.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The expected fault.
    pub fault: FileFault,
}

pub(super) fn bad(name: &'static str, fault: FileFault, bytes: impl Into<Vec<u8>>) -> BadFile {
    BadFile { name, bytes: bytes.into(), fault }
}

/// Compresses bytes with zlib.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a zlib stream that decompresses to `millions` million zeros: one block, repeated without an end marker.
pub(super) fn bomb(millions: usize) -> Vec<u8> {
    let mut packer = flate2::Compress::new(flate2::Compression::fast(), false);
    let mut block = Vec::with_capacity(100_000);
    packer.compress_vec(&vec![0; 1_000_000], &mut block, flate2::FlushCompress::Sync).unwrap();
    [vec![0x78, 0x01], block.repeat(millions)].concat()
}

/// Returns a local file header and an end record: enough for a program to recognize a ZIP archive.
pub(super) fn zip() -> Vec<u8> {
    let mut bytes = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a".to_vec();
    bytes.extend(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    bytes
}
