//! Records the glyphs of a page, and which of them later fills and pictures cover.

use hayro::hayro_interpret::font::{Glyph as Drawn, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, FillRule, Image, ImageDrawProps, Paint, SoftMask,
};
use hayro::hayro_syntax::object::Dict;
use hayro::kurbo::{self, BezPath, Point, Rect, Shape as _, Stroke, StrokeOpts};

use super::glyph::Glyph;
use super::layers::is_surely_shown;
use crate::inspection::{is_unsupported, jpeg};

/// The maximum number of glyphs per page. No readable page has more.
pub(super) const MAX_GLYPHS: usize = 60_000;
/// The maximum number of comparisons of a glyph with a fill, per page.
pub(super) const MAX_CHECKS: usize = 100_000_000;
/// A glyph's coordinates are in thousandths of the font size.
const EM: f64 = 1000.0;
/// Fills with less opacity show what is under them.
const OPAQUE: f32 = 0.9;

/// Records glyphs as they are drawn.
pub(super) struct Collector {
    bounds: Rect,
    glyphs: Vec<Glyph>,
    clips: Vec<(BezPath, FillRule)>,
    /// Whether each open group replaces what is under it.
    groups: Vec<bool>,
    /// Whether each open group shows black on white.
    blends: Vec<bool>,
    /// Whether each open marked content is surely shown.
    layers: Vec<bool>,
    checks: usize,
    /// The area of the pictures.
    pictures: f64,
    /// Whether viewers may draw the page differently: a layer that they may hide, or a picture that hayro decodes wrongly.
    is_unsure: bool,
}

impl Collector {
    /// Returns an empty collection for a page with these bounds.
    pub fn new(bounds: Rect) -> Self {
        Self {
            bounds,
            glyphs: Vec::new(),
            clips: Vec::new(),
            groups: Vec::new(),
            blends: Vec::new(),
            layers: Vec::new(),
            checks: 0,
            pictures: 0.0,
            is_unsure: false,
        }
    }

    /// Returns the glyphs, or `None` if the page has too many or too many fills.
    pub fn glyphs(self) -> Option<Vec<Glyph>> {
        (self.glyphs.len() <= MAX_GLYPHS && self.checks <= MAX_CHECKS).then_some(self.glyphs)
    }

    /// Returns the number of glyphs so far.
    pub fn len(&self) -> usize {
        self.glyphs.len()
    }

    /// Returns the share of the page that pictures cover. More than 1 if they cover each other.
    pub fn picture_share(&self) -> f64 {
        self.pictures / self.bounds.area().max(1.0)
    }

    /// Returns whether viewers may draw the page differently.
    pub fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    fn within_clips(&self, point: Point) -> bool {
        self.clips.iter().all(|(path, rule)| holds(path, *rule, point))
    }

    /// Hides the glyphs under an opaque shape. A shape that covers only a line through a glyph does not hide it.
    fn cover(&mut self, shape: &BezPath, rule: FillRule) {
        const COVERED: usize = 3;
        if self.glyphs.is_empty() || self.groups.contains(&false) {
            return;
        }
        let around = shape.bounding_box();
        self.checks += self.glyphs.len();
        if self.checks > MAX_CHECKS {
            return;
        }
        for at in 0..self.glyphs.len() {
            let Some(glyph) = self.glyphs.get(at).filter(|glyph| glyph.seen) else { continue };
            let place = glyph.bounds();
            if around.intersect(place).is_zero_area() && !around.contains(place.center()) {
                continue;
            }
            let points = [(0.5, 0.5), (0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)]
                .map(|(x, y)| Point::new(place.x0 + place.width() * x, place.y0 + place.height() * y));
            self.checks += shape.elements().len();
            let under = |point: &&Point| holds(shape, rule, **point) && self.within_clips(**point);
            if points.iter().filter(under).count() >= COVERED
                && let Some(glyph) = self.glyphs.get_mut(at)
            {
                glyph.seen = false;
            }
        }
    }
}

fn holds(path: &BezPath, rule: FillRule, point: Point) -> bool {
    let winding = path.winding(point);
    match rule {
        FillRule::NonZero => winding != 0,
        FillRule::EvenOdd => winding % 2 != 0,
    }
}

/// Returns whether black is seen on white in this mode.
fn shows_black(blend: BlendMode) -> bool {
    matches!(blend, BlendMode::Normal | BlendMode::Multiply | BlendMode::Darken)
}

/// Returns whether what is drawn replaces what is under it.
fn replaces(props: &DrawProps<'_>) -> bool {
    let opaque = match &props.paint {
        Paint::Color(color) => f32::from(color.to_rgba().to_rgba8()[3]) / 255.0 >= OPAQUE,
        Paint::Pattern(_) => false,
    };
    opaque && props.soft_mask.is_none() && props.blend_mode == BlendMode::Normal
}

impl Device<'_> for Collector {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Invisible) {
            return;
        }
        for drawn in run.glyphs() {
            if self.glyphs.len() > MAX_GLYPHS {
                return;
            }
            let text = match drawn.as_unicode() {
                Some(BfString::Char(c)) => c.to_string(),
                Some(BfString::String(text)) => text,
                None => String::new(),
            };
            let place = props.transform * drawn.transform();
            let (advance, outline) = match &**drawn {
                Drawn::Outline(glyph) => (glyph.advance_width(), Some(place * glyph.outline())),
                Drawn::Type3(glyph) => (glyph.advance_width(), None),
            };
            let origin = place * Point::ZERO;
            let mut glyph = Glyph {
                text,
                origin,
                end: place * Point::new(f64::from(advance.unwrap_or(500.0)), 0.0),
                up: place * Point::new(0.0, EM) - origin,
                outline,
                is_stroked: matches!(mode, DrawMode::Stroke(_)),
                seen: true,
                // On white paper, other modes may hide black text.
                is_sure: shows_black(props.blend_mode) && !self.blends.contains(&false),
            };
            glyph.seen = !glyph.text.trim().is_empty()
                && !self.layers.contains(&false)
                && glyph.up.is_finite()
                && glyph.end.is_finite()
                && glyph.up.hypot() > 0.0
                && self.bounds.contains(glyph.bounds().center())
                && self.within_clips(glyph.bounds().center());
            self.glyphs.push(glyph);
        }
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'_>, mode: &DrawMode) {
        if !replaces(&props) {
            return;
        }
        match mode {
            DrawMode::Fill(rule) | DrawMode::FillAndStroke(rule, _) => {
                self.cover(&(props.transform * path.clone()), *rule);
            }
            DrawMode::Stroke(stroke) if stroke.dash_array.is_empty() => {
                let style = Stroke::new(f64::from(stroke.line_width));
                let line =
                    kurbo::stroke(path.elements().iter().copied(), &style, &StrokeOpts::default(), 0.1);
                self.cover(&(props.transform * line), FillRule::NonZero);
            }
            DrawMode::Stroke(_) | DrawMode::Invisible => {}
        }
    }

    fn draw_image(&mut self, image: Image<'_, '_>, props: ImageDrawProps<'_>) {
        // Also one that is a mask: fax machines write black pixels as such.
        let area = Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let place = props.transform.transform_rect_bbox(area).intersect(self.bounds);
        let clips = self.clips.iter().map(|(clip, _)| clip.bounding_box());
        self.pictures += clips.fold(place, |shown, clip| shown.intersect(clip)).area();
        let Image::Raster(picture) = &image else { return };
        self.is_unsure |= jpeg(picture.stream()).is_some_and(|bytes| is_unsupported(&bytes));
        let dict = picture.stream().dict().clone();
        let masked = ["SMask", "Mask", "SMaskInData"].iter().any(|key| dict.contains_key(key.as_bytes()));
        if masked || props.soft_mask.is_some() || props.blend_mode != BlendMode::Normal {
            return;
        }
        self.cover(&(props.transform * area.to_path(0.1)), FillRule::NonZero);
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.clips.push((clip.path.clone(), clip.fill));
    }

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'_>>, blend: BlendMode) {
        self.blends.push(shows_black(blend));
        self.groups.push(opacity >= OPAQUE && mask.is_none() && blend == BlendMode::Normal);
    }

    fn begin_marked_content(&mut self, tag: &[u8], properties: Option<&Dict<'_>>) {
        let is_sure = tag != b"OC" || properties.is_none_or(is_surely_shown);
        self.is_unsure |= !is_sure;
        self.layers.push(is_sure);
    }

    fn end_marked_content(&mut self) {
        self.layers.pop();
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn pop_transparency_group(&mut self) {
        self.groups.pop();
        self.blends.pop();
    }
}
