//! The fonts and measures of one document.

use link_types::archive::ArchiveType;

use super::layout::{Layout, Style};
use crate::documents::draw::Draw;
use crate::documents::fonts::Face;
use crate::documents::sheet::Sheet;
use crate::documents::truth::{Fact, Truth};

/// The fonts and measures of one document.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub plain: Face,
    pub bold: Face,
    pub size: f32,
    pub margin: f32,
    pub width: f32,
    pub height: f32,
    /// The index of the label to print for each fact.
    pub label: usize,
    pub card: bool,
    pub style: Style,
}

impl Look {
    pub fn draw(truth: &Truth, layout: Layout, draw: &mut Draw) -> Self {
        let card = matches!(truth.kind, ArchiveType::CompanyId | ArchiveType::Identification);
        let families = [
            (Face::Sans, Face::SansBold),
            (Face::Condensed, Face::CondensedBold),
            (Face::Serif, Face::SerifBold),
        ];
        let (plain, bold) = if layout.is_held_out() {
            (Face::SerifCondensed, Face::SerifCondensedBold)
        } else {
            *draw.pick(&families)
        };
        let label = usize::try_from(draw.next() % 3).unwrap();
        let size = draw.real(8.6, 10.6);
        let (width, height, margin, size) =
            if card { (360.0, 236.0, 14.0, 8.6) } else { (612.0, 792.0, draw.real(36.0, 60.0), size) };
        Self { plain, bold, size, margin, width, height, label, card, style: layout.style }
    }

    /// Returns an empty page. A card is wider, to make room for its photo.
    pub fn sheet(&self) -> Sheet {
        Sheet::new(self.width + if self.card { 72.0 } else { 0.0 }, self.height)
    }

    pub fn label(&self, fact: &Fact) -> String {
        let label = fact.labels[self.label % fact.labels.len()];
        if self.style == Style::Rates { label.to_uppercase() } else { label.to_owned() }
    }

    /// Returns a value as printed. Only words are in capitals, because a code has its case.
    pub fn print(&self, fact: &Fact) -> String {
        let words = !fact.shown.contains(|c: char| c.is_ascii_digit());
        if self.style == Style::SideBySide && words { fact.shown.to_uppercase() } else { fact.shown.clone() }
    }

    pub fn right(&self) -> f32 {
        self.width - self.margin
    }

    /// Returns the distance between base lines.
    pub fn step(&self) -> f32 {
        self.size * 1.75
    }
}
