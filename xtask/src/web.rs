//! `frame` and `bridge`: builds everything that the service serves to browsers.
//!
//! `www/sdk/dist` contains the bridge (`v1/linchpin.v1.js`, `v2/linchpin.v2.js`, `esm/index.js`), the script that it
//! loads later (`help/p1.js`), and the one that embeds link sites (`embed.js`). `www/frame/dist` contains index.html and
//! the files it refers to, with a hash in their names. `crates/link-console/dist` has the same for the developer portal.
//! Each file also exists as `.br` and `.gz`.

mod assets;
mod bridge;
mod console;
mod deferred;
mod frame;
mod names;
mod split;
mod texts;
mod trunk;

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;

pub use bridge::bridge;
pub use console::{console, finish_for_trunk as finish_console_for_trunk};
pub use deferred::plain_name;
pub use frame::{frame, unshrunk_wasm};
pub use texts::boot_shows;
pub use trunk::{compare, finish_for_trunk};

/// Builds the bridge, the frame and the developer portal.
pub fn build(env: &Env) -> Outcome {
    bridge(env)?;
    frame(env)?;
    console(env)
}

/// A compressed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The path of the uncompressed file.
    pub path: PathBuf,
    /// The uncompressed size in bytes.
    pub raw: u64,
    /// The size in bytes with brotli at quality 11.
    pub brotli: u64,
}

/// Minifies a bundle of esbuild further, in place: terser also inlines and reuses across functions. Saves 3 % (brotli).
fn minify(env: &Env, bundle: &Path, flags: impl IntoIterator<Item = &'static str>) -> Outcome {
    env.npm_bin("terser")
        .arg(bundle)
        .args(["--ecma", "2022", "--compress", "passes=2", "--mangle"])
        .args(flags)
        .arg("--output")
        .arg(bundle)
        .output()
        .map(drop)
}

/// Compresses files with brotli and gzip.
pub fn pack(env: &Env, files: &[PathBuf]) -> Outcome<Vec<Packed>> {
    let report = env.program("node").arg("xtask/node/compress.mjs").args(files).output()?;
    Ok(report.lines().filter_map(parse_packed).collect())
}

/// Lists the compressed files below a folder.
pub fn list_packed_below(dir: &Path) -> Outcome<Vec<Packed>> {
    let size = |path: &Path| std::fs::metadata(path).map(|data| data.len()).ok();
    let found = files::walk(dir)?.into_iter().filter_map(|path| {
        let brotli = size(Path::new(&format!("{}.br", path.display())))?;
        Some(Packed { raw: size(&path)?, brotli, path })
    });
    Ok(found.collect())
}

fn parse_packed(line: &str) -> Option<Packed> {
    let mut words = line.splitn(3, ' ');
    let (raw, brotli) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Packed { path: words.next()?.into(), raw, brotli })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_the_compressor_is_parsed() {
        let read = parse_packed("1200 400 dist/a b.js").unwrap();
        assert_eq!(read, Packed { path: "dist/a b.js".into(), raw: 1200, brotli: 400 });
        assert_eq!(parse_packed("node: warning"), None);
    }
}
