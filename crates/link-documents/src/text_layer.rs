//! The text layer of a PDF page: what a person sees of it (ADR 202).
//!
//! [`collect`] records the glyphs in the order in which they are drawn, and removes those under later fills and
//! pictures. [`seen`] compares the rest with the drawn page. [`forms`] adds what a viewer draws itself. [`layers`] says what viewers may hide. [`words`] turns them upright and joins them.

mod collect;
mod forms;
mod glyph;
mod layers;
mod seen;
mod words;

use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_interpret::{Context, InterpreterCache, InterpreterSettings, RenderContent, interpret_page};
use hayro::hayro_syntax::page::Page as PdfPage;
use hayro::kurbo::{Affine, Rect};

use crate::page::{Frame, Page};
use collect::Collector;

/// The share of a page that pictures cover if they may be the page itself: a scan.
const PICTURED: f64 = 0.3;

/// The text layer of a page.
pub(crate) struct TextLayer {
    /// The words. None if they cannot be trusted, so that the page is read as a picture: too many glyphs, or glyphs in
    /// several directions.
    pub page: Page,
    /// Whether pictures cover so much of the page that they may say more than the text.
    pub is_pictured: bool,
    /// Whether viewers may hide a part of the page that is read, from its text or as a picture.
    pub may_be_hidden: bool,
    /// Whether viewers may draw the page differently. Its text leaves out what they may hide.
    pub is_drawing_unsure: bool,
}

/// Reads the text layer of a page.
pub(crate) fn read(page: &PdfPage<'_>) -> TextLayer {
    let cache = InterpreterCache::new();
    let (width, height) = page.render_dimensions();
    let bounds = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let mut collector = Collector::new(bounds);
    let mut interpret = |render_content| {
        let settings = InterpreterSettings { render_content, ..InterpreterSettings::default() };
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, bounds, &cache, page.xref(), settings);
        interpret_page(page, &mut context, &mut collector);
        collector.len()
    };
    let annotated = interpret(RenderContent::PAGE);
    interpret(RenderContent::ANNOTATIONS);
    let may_be_hidden = layers::may_be_hidden(page);
    let is_drawing_unsure = collector.is_unsure();
    let is_pictured = collector.picture_share() >= PICTURED;
    let Some(mut glyphs) = collector.glyphs() else {
        return TextLayer { page: Page::default(), is_pictured, may_be_hidden, is_drawing_unsure };
    };
    if glyphs.iter().any(|glyph| glyph.seen) {
        seen::compare(page, &mut glyphs);
    }
    let fractions = Affine::scale_non_uniform(1.0 / bounds.width(), 1.0 / bounds.height());
    let words = forms::draw(page, glyphs, annotated).and_then(|glyphs| words::words(&glyphs));
    let page = words.map(|(words, turn)| Page {
        frame: Frame::new(fractions * Affine::rotate(turn.to_radians())),
        ..Page::from_words(words)
    });
    TextLayer { page: page.unwrap_or_default(), is_pictured, may_be_hidden, is_drawing_unsure }
}
