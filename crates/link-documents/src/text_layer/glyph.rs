//! A glyph of a text layer.

use hayro::kurbo::{BezPath, Point, Rect, Shape as _, Vec2};

/// A glyph, in points from the page's top left.
pub(super) struct Glyph {
    /// The text that it stands for. Empty if unknown.
    pub text: String,
    /// The left end of its base line.
    pub origin: Point,
    /// The right end of its base line.
    pub end: Point,
    /// The upward direction, as long as the font is large.
    pub up: Vec2,
    /// The outline, if it is known.
    pub outline: Option<BezPath>,
    /// Whether only the line along the outline is drawn.
    pub is_stroked: bool,
    /// Whether a person sees it.
    pub seen: bool,
    /// Whether nothing in the file contradicts it.
    pub is_sure: bool,
}

impl Glyph {
    /// Returns the size of the font, at a right angle to the base line.
    pub fn size(&self) -> f64 {
        let along = self.along();
        (along.x * self.up.y - along.y * self.up.x).abs()
    }

    /// Returns the direction of the base line.
    pub fn along(&self) -> Vec2 {
        let advance = self.end - self.origin;
        if advance.hypot() > 1e-6 {
            advance.normalize()
        } else {
            Vec2::new(-self.up.y, self.up.x) / self.up.hypot().max(1e-6)
        }
    }

    /// Returns whether it is drawn as in a mirror.
    pub fn is_mirrored(&self) -> bool {
        let along = self.along();
        along.x * self.up.y - along.y * self.up.x > 0.0
    }

    /// Returns the rectangle around its ink, or around its place if the ink is unknown.
    pub fn bounds(&self) -> Rect {
        match &self.outline {
            Some(outline) => outline.bounding_box(),
            None => {
                let top = self.origin + self.up * 0.75;
                Rect::from_points(self.origin, self.end).union_pt(top)
            }
        }
    }
}
