//! A page of positioned texts, lines and grey boxes, in points from the top left.

use super::fonts::Face;

/// A positioned text.
#[derive(Clone, Debug)]
pub struct Run {
    /// Left edge.
    pub x: f32,
    /// Base line.
    pub y: f32,
    /// The font size.
    pub size: f32,
    /// The font face.
    pub face: Face,
    /// The text.
    pub text: String,
}

/// A filled rectangle; lines are thin rectangles.
#[derive(Clone, Copy, Debug)]
pub struct Filled {
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// The grey value, from 0 for black to 1 for white.
    pub grey: f32,
}

/// A page.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// The filled rectangles, from bottom to top.
    pub filled: Vec<Filled>,
    /// The texts.
    pub runs: Vec<Run>,
}

impl Sheet {
    /// Returns an empty page.
    pub fn new(width: f32, height: f32) -> Self {
        Self { width, height, filled: Vec::new(), runs: Vec::new() }
    }

    /// Puts a text.
    pub fn put(&mut self, x: f32, y: f32, size: f32, face: Face, text: &str) {
        self.runs.push(Run { x, y, size, face, text: text.to_owned() });
    }

    /// Puts a text that ends at `right`.
    pub fn put_right(&mut self, right: f32, y: f32, size: f32, face: Face, text: &str) {
        self.put(right - face.width(text, size), y, size, face, text);
    }

    /// Puts a text centered at `middle`.
    pub fn put_middle(&mut self, middle: f32, y: f32, size: f32, face: Face, text: &str) {
        self.put(middle - face.width(text, size) / 2.0, y, size, face, text);
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, x: f32, y: f32, width: f32, height: f32, grey: f32) {
        self.filled.push(Filled { x, y, width, height, grey });
    }

    /// Draws the border of a rectangle.
    pub fn frame(&mut self, x: f32, y: f32, width: f32, height: f32) {
        const LINE: f32 = 0.6;
        self.fill(x, y, width, LINE, 0.2);
        self.fill(x, y + height, width, LINE, 0.2);
        self.fill(x, y, LINE, height, 0.2);
        self.fill(x + width, y, LINE, height, 0.2);
    }
}
