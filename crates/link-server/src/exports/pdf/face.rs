//! The two fonts of the pages, and the width of text in them. `fonts/` contains Noto Sans, reduced to the Latin, Greek
//! and Cyrillic scripts, with its licence. It is embedded, so pages look the same everywhere.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::MetadataProvider as _;
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;

const REGULAR: &[u8] = include_bytes!("../../../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../../../fonts/NotoSans-Bold.ttf");

/// Shown for a character that the fonts do not have.
const REPLACEMENT: char = '\u{fffd}';

/// The weight of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both fonts.
pub(super) struct Faces {
    regular: Face,
    bold: Face,
}

struct Face {
    font: Font,
    charmap: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
    units_per_em: f32,
}

impl Faces {
    /// Loads both fonts. Returns `None` if a file is not a font.
    pub(super) fn load() -> Option<Self> {
        Some(Self { regular: Face::load(REGULAR)?, bold: Face::load(BOLD)? })
    }

    fn face(&self, weight: Weight) -> &Face {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    /// Returns the font of a weight.
    pub(super) fn font(&self, weight: Weight) -> Font {
        self.face(weight).font.clone()
    }

    /// Returns the width of a text in points.
    pub(super) fn width(&self, text: &str, weight: Weight, size: f32) -> f32 {
        let face = self.face(weight);
        text.chars().map(|letter| face.advance(face.glyph(letter))).sum::<f32>() * size
    }

    /// Returns the glyphs of a text, one for each character.
    pub(super) fn glyphs(&self, text: &str, weight: Weight) -> Vec<KrillaGlyph> {
        let face = self.face(weight);
        let glyph = |(start, letter): (usize, char)| {
            let glyph = face.glyph(letter);
            KrillaGlyph {
                glyph_id: GlyphId::new(glyph.to_u32()),
                text_range: start..start + letter.len_utf8(),
                x_advance: face.advance(glyph),
                x_offset: 0.0,
                y_offset: 0.0,
                y_advance: 0.0,
                location: None,
            }
        };
        text.char_indices().map(glyph).collect()
    }
}

impl Face {
    fn load(bytes: &'static [u8]) -> Option<Self> {
        let metadata = skrifa::FontRef::new(bytes).ok()?;
        let font = Font::new(bytes.into(), 0)?;
        Some(Self {
            units_per_em: font.units_per_em(),
            font,
            charmap: metadata.charmap(),
            metrics: metadata.glyph_metrics(Size::unscaled(), LocationRef::default()),
        })
    }

    fn glyph(&self, letter: char) -> skrifa::GlyphId {
        let map = |letter: char| self.charmap.map(letter);
        map(letter).or_else(|| map(REPLACEMENT)).unwrap_or(skrifa::GlyphId::NOTDEF)
    }

    /// Returns the advance of a glyph as a fraction of the font size.
    fn advance(&self, glyph: skrifa::GlyphId) -> f32 {
        self.metrics.advance_width(glyph).unwrap_or_default() / self.units_per_em
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_have_letters_of_names_and_tabular_figures() {
        let faces = Faces::load().unwrap();
        for weight in [Weight::Regular, Weight::Bold] {
            let face = faces.face(weight);
            let letters = "ÁÉÍÓÚÜÑáéíóúüñçãõøåßłőžșțğıΣФ’–·…₱€";
            for letter in letters.chars() {
                assert!(face.charmap.map(letter).is_some(), "{letter}");
            }
            let width = |text: &str| faces.width(text, weight, 10.0);
            assert!((width("1111") - width("8888")).abs() < 0.001, "amounts align in a column");
            assert!(width("a") > 0.0 && width("ñ") > 0.0);
            assert_eq!(width("漢"), width("\u{fffd}"));
        }
    }
}
