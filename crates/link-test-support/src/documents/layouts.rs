//! Layouts of a document. Two are held out: the rules were written without them, and `bench ocr` reports their accuracy
//! separately.

mod held_out;
mod known;
mod parts;

use link_types::archive::ArchiveType;

use super::draw::Draw;
use super::fonts::Face;
use super::sheet::Sheet;
use super::truth::{Fact, Truth};

/// The layout of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// One column, each label left of its value, with a colon.
    Lines,
    /// Two columns, each label above its value.
    Above,
    /// A ruled table with two label-value pairs per row.
    Table,
    /// Two columns, each value at the right edge of its column.
    Columns,
    /// One column, labels in two languages.
    Bilingual,
    /// HELD OUT: rows of ruled boxes, with a row of labels above a row of values.
    Boxes,
    /// HELD OUT: labels end near the middle of the page and values begin there.
    Spine,
}

/// The layouts that were used to write the rules.
pub const KNOWN: [Layout; 5] =
    [Layout::Lines, Layout::Above, Layout::Table, Layout::Columns, Layout::Bilingual];
/// The layouts that were not used to write the rules.
pub const HELD_OUT: [Layout; 2] = [Layout::Boxes, Layout::Spine];

impl Layout {
    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Above => "above",
            Self::Table => "table",
            Self::Columns => "columns",
            Self::Bilingual => "bilingual",
            Self::Boxes => "boxes",
            Self::Spine => "spine",
        }
    }

    /// Returns true if the rules were written without this layout.
    pub fn is_held_out(self) -> bool {
        HELD_OUT.contains(&self)
    }
}

/// The fonts and measures of one document.
#[derive(Clone, Copy)]
struct Look {
    plain: Face,
    bold: Face,
    size: f32,
    margin: f32,
    width: f32,
    height: f32,
    /// The index of the label to print for each fact.
    label: usize,
    card: bool,
}

impl Look {
    fn draw(truth: &Truth, layout: Layout, draw: &mut Draw) -> Self {
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
        Self { plain, bold, size, margin, width, height, label, card }
    }

    /// Returns an empty page. A card is wider, to make room for its photo.
    fn sheet(&self) -> Sheet {
        Sheet::new(self.width + if self.card { 72.0 } else { 0.0 }, self.height)
    }

    fn label(&self, fact: &Fact) -> &'static str {
        fact.labels[self.label % fact.labels.len()]
    }

    fn right(&self) -> f32 {
        self.width - self.margin
    }

    /// Returns the distance between base lines.
    fn step(&self) -> f32 {
        self.size * 1.75
    }
}

/// Lays a document out on pages.
pub fn arrange(truth: &Truth, layout: Layout, draw: &mut Draw) -> Vec<Sheet> {
    let look = Look::draw(truth, layout, draw);
    let mut sheets = match layout {
        Layout::Lines => known::lines(truth, &look, false),
        Layout::Above => known::above(truth, &look),
        Layout::Table => known::table(truth, &look),
        Layout::Columns => known::columns(truth, &look),
        Layout::Bilingual => known::lines(truth, &look, true),
        Layout::Boxes => held_out::boxes(truth, &look),
        Layout::Spine => held_out::spine(truth, &look),
    };
    for sheet in &mut sheets {
        fit(sheet, look.width - 6.0);
    }
    sheets
}

/// Shrinks texts that would run off the page or under the photo.
fn fit(sheet: &mut Sheet, right: f32) {
    for run in &mut sheet.runs {
        let width = run.face.width(&run.text, run.size);
        if run.x + width > right {
            run.size *= (right - run.x) / width;
        }
    }
}
