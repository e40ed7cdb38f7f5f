//! A page as placed texts, lines and grey boxes, in points from the top left.

use super::fonts::Face;

/// A placed text.
#[derive(Clone, Debug)]
pub struct Run {
    /// Left edge.
    pub x: f32,
    /// Base line.
    pub y: f32,
    /// Size of the type.
    pub size: f32,
    /// The face.
    pub face: Face,
    /// What it says.
    pub text: String,
}

/// A filled rectangle; thin ones are lines.
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
    /// 0 is black, 1 white.
    pub grey: f32,
}

/// A page.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// What is filled, the lowest first.
    pub filled: Vec<Filled>,
    /// Its texts.
    pub runs: Vec<Run>,
}

impl Sheet {
    /// An empty page.
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

    /// Puts a text around `middle`.
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
