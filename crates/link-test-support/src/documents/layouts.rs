//! Layouts of a document: an arrangement of its labeled values and a style of its amounts and of what surrounds them. Over
//! half of them are held out: the rules were written without them, and `bench ocr` reports their accuracy separately.

mod amounts;
mod held_out;
mod known;
mod layout;
mod look;
mod parts;
mod surroundings;

use super::draw::Draw;
use super::sheet::Sheet;
use super::truth::Truth;
use look::Look;

pub use layout::{Arrangement, Layout, Style};

/// Lays a document out on pages.
pub fn arrange(truth: &Truth, layout: Layout, draw: &mut Draw) -> Vec<Sheet> {
    let look = Look::draw(truth, layout, draw);
    let mut truth = truth.clone();
    if let Some(base) = truth.base.take() {
        if layout.style == Style::Plain {
            truth.groups.last_mut().unwrap().push(base);
        } else {
            truth.earnings.insert(0, (look.label(&base), base.shown));
        }
    }
    // The bench compares values without their case.
    for fact in truth.groups.iter_mut().flatten() {
        fact.shown = look.print(fact);
    }
    let mut sheets = match layout.arrangement {
        Arrangement::Lines => known::lines(&truth, &look, false),
        Arrangement::Above => known::above(&truth, &look),
        Arrangement::Table => known::table(&truth, &look),
        Arrangement::Columns => known::columns(&truth, &look),
        Arrangement::Bilingual => known::lines(&truth, &look, true),
        Arrangement::Boxes => held_out::boxes(&truth, &look),
        Arrangement::Spine => held_out::spine(&truth, &look),
    };
    if !look.card {
        surroundings::put(&mut sheets, &truth, &look, draw);
    }
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
