//! `frame` and `bridge`: everything the service serves to browsers.
//!
//! `www/sdk/dist` gets the bridge (`v1/linchpin.v1.js`, `v2/linchpin.v2.js`, `esm/index.js`); `www/frame/dist` gets
//! index.html and, under hashed names, everything it names. Each file has its `.br` and `.gz` beside it.

mod assets;
mod bridge;
mod frame;
mod names;
mod snip;
mod split;
mod texts;

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;

pub use bridge::bridge;
pub use frame::{frame, unshrunk_wasm};

/// Builds both.
pub fn build(env: &Env) -> Outcome {
    bridge(env)?;
    frame(env)
}

/// One file as it was packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub raw: u64,
    /// Its size after brotli at quality 11.
    pub brotli: u64,
}

/// Packs files with brotli and gzip.
pub fn pack(env: &Env, files: &[PathBuf]) -> Outcome<Vec<Packed>> {
    let report = env.program("node").arg("xtask/node/compress.mjs").args(files).output()?;
    Ok(report.lines().filter_map(packed).collect())
}

/// What was packed below a folder.
pub fn packed_below(dir: &Path) -> Outcome<Vec<Packed>> {
    let size = |path: &Path| std::fs::metadata(path).map(|data| data.len()).ok();
    let found = files::walk(dir)?.into_iter().filter_map(|path| {
        let brotli = size(Path::new(&format!("{}.br", path.display())))?;
        Some(Packed { raw: size(&path)?, brotli, path })
    });
    Ok(found.collect())
}

fn packed(line: &str) -> Option<Packed> {
    let mut words = line.splitn(3, ' ');
    let (raw, brotli) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Packed { path: words.next()?.into(), raw, brotli })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_packer_is_read() {
        let read = packed("1200 400 dist/a b.js").unwrap();
        assert_eq!(read, Packed { path: "dist/a b.js".into(), raw: 1200, brotli: 400 });
        assert_eq!(packed("node: warning"), None);
    }
}
