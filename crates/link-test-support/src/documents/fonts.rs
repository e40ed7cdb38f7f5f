//! The DejaVu fonts installed on the machine.

use std::path::PathBuf;
use std::sync::OnceLock;

use ab_glyph::{Font, FontVec, PxScale, ScaleFont};

/// A font face.
#[expect(missing_docs, reason = "each variant is named like its file")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Sans,
    SansBold,
    Condensed,
    CondensedBold,
    Serif,
    SerifBold,
    SerifCondensed,
    SerifCondensedBold,
}

const FILES: [&str; 8] = [
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSansCondensed.ttf",
    "DejaVuSansCondensed-Bold.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSerif-Bold.ttf",
    "DejaVuSerifCondensed.ttf",
    "DejaVuSerifCondensed-Bold.ttf",
];

static LOADED: [OnceLock<(Vec<u8>, FontVec)>; 8] = [const { OnceLock::new() }; 8];

impl Face {
    fn load(self) -> &'static (Vec<u8>, FontVec) {
        LOADED[self as usize].get_or_init(|| {
            let folders =
                ["/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/TTF", "/usr/share/fonts/dejavu"];
            let path = folders
                .iter()
                .map(|folder| PathBuf::from(folder).join(FILES[self as usize]))
                .find(|path| path.exists());
            let path = path.expect("the DejaVu fonts are missing: run `cargo xtask setup`");
            let bytes = std::fs::read(path).unwrap();
            let font = FontVec::try_from_vec(bytes.clone()).unwrap();
            (bytes, font)
        })
    }

    /// Returns the bytes of the font file.
    pub fn bytes(self) -> &'static [u8] {
        &self.load().0
    }

    /// Returns the parsed font.
    pub fn font(self) -> &'static FontVec {
        &self.load().1
    }

    /// Returns the file name without the extension.
    pub fn name(self) -> &'static str {
        FILES[self as usize].trim_end_matches(".ttf")
    }

    /// Returns the scale at which one em is `size` pixels (or points).
    pub fn scale(self, size: f32) -> PxScale {
        let font = self.font();
        PxScale::from(size * font.height_unscaled() / font.units_per_em().unwrap())
    }

    /// Returns the width of a text.
    pub fn width(self, text: &str, size: f32) -> f32 {
        let font = self.font().as_scaled(self.scale(size));
        text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum()
    }
}
