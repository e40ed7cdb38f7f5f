//! The text layer of a PDF page. Invisible text is left out, because a reader does not see it.

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, interpret_page,
};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{Affine, BezPath, Point, Rect};

use crate::page::{Page, Word};

/// The maximum number of glyphs per page. No readable page has more.
const MOST_GLYPHS: usize = 60_000;
/// A glyph's coordinates are in thousandths of the font size.
const EM: f64 = 1000.0;

/// Returns the words of the page's text.
pub(crate) fn words(page: &PdfPage<'_>) -> Page {
    let cache = InterpreterCache::new();
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let mut context = Context::new(
        page.initial_transform(true).to_kurbo(),
        bounds,
        &cache,
        page.xref(),
        InterpreterSettings::default(),
    );
    let mut collector = Collector { bounds, glyphs: 0, words: Vec::new(), open: false };
    interpret_page(page, &mut context, &mut collector);
    Page::of(collector.words)
}

/// Builds words from glyphs as they are drawn.
struct Collector {
    bounds: Rect,
    glyphs: usize,
    words: Vec<Word>,
    /// Whether the next glyph may continue the last word.
    open: bool,
}

impl Collector {
    fn glyph(&mut self, text: &str, place: Affine, advance: f32) {
        const JOINED: f32 = 0.18;
        let origin = place * Point::ZERO;
        let end = place * Point::new(f64::from(advance), 0.0);
        let size = (place * Point::new(0.0, EM) - origin).hypot() as f32;
        if text.trim().is_empty() || !self.bounds.contains(origin) || size <= 0.0 {
            self.open = false;
            return;
        }
        let (left, right) = (origin.x.min(end.x) as f32, origin.x.max(end.x) as f32);
        let (top, bottom) = (origin.y as f32 - size * 0.75, origin.y as f32 + size * 0.2);
        if let Some(last) = self.words.last_mut().filter(|_| self.open)
            && (last.bottom - bottom).abs() < size * 0.3
            && (left - last.right).abs() < size * JOINED
        {
            last.text.push_str(text);
            last.right = right;
        } else {
            self.words.push(Word { text: text.to_owned(), left, top, right, bottom, confidence: 1.0 });
        }
        self.open = true;
    }
}

impl Device<'_> for Collector {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Invisible) {
            return;
        }
        for glyph in run.glyphs() {
            self.glyphs += 1;
            let text = match glyph.as_unicode() {
                Some(BfString::Char(c)) => c.to_string(),
                Some(BfString::String(text)) => text,
                None => continue,
            };
            if self.glyphs <= MOST_GLYPHS {
                let advance = match &**glyph {
                    hayro::hayro_interpret::font::Glyph::Outline(outline) => outline.advance_width(),
                    hayro::hayro_interpret::font::Glyph::Type3(drawn) => drawn.advance_width(),
                };
                self.glyph(&text, props.transform * glyph.transform(), advance.unwrap_or(500.0));
            }
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
