//! HELD OUT. If you write or tune the rules of `link_documents`, do not look at the output of these layouts, and do not
//! run the bench on them to decide what to change.

use super::amounts;
use super::look::Look;
use super::parts::{self, Movements};
use crate::documents::sheet::Sheet;
use crate::documents::truth::{Fact, Truth};

/// Rows of ruled boxes: a grey row of labels above a row of values, with two or three boxes per row.
pub(super) fn boxes(truth: &Truth, look: &Look) -> Vec<Sheet> {
    let mut sheet = look.sheet();
    let mut y = parts::head(&mut sheet, truth, look, true);
    let span = look.right() - look.margin;
    let (label_row, value_row) = (look.size * 1.45, look.size * 1.75);
    let most = if look.card { 2 } else { 3 };
    for group in &truth.groups {
        let mut rest: &[Fact] = group;
        while !rest.is_empty() {
            let mut count = most.min(rest.len());
            while count > 1
                && rest[..count]
                    .iter()
                    .any(|fact| look.bold.width(&fact.shown, look.size) > span / count as f32 - 12.0)
            {
                count -= 1;
            }
            let width = span / count as f32;
            for (place, fact) in rest[..count].iter().enumerate() {
                let x = look.margin + width * place as f32;
                sheet.fill(x, y - look.size, width, label_row, 0.9);
                sheet.frame(x, y - look.size, width, label_row + value_row);
                sheet.put(x + 5.0, y, look.size * 0.88, look.plain, &look.label(fact));
                sheet.put(x + 5.0, y + value_row * 0.9, look.size, look.bold, &fact.shown);
            }
            rest = &rest[count..];
            y += label_row + value_row + if look.card { 1.0 } else { 3.0 };
        }
        y += if look.card { 0.0 } else { look.size };
    }
    y = amounts::table(&mut sheet, truth, look, y + look.size, true);
    y = parts::movements(&mut sheet, truth, look, y + look.step(), &Movements { split: true, ruled: true });
    parts::note(&mut sheet, truth, look, y);
    vec![sheet]
}

/// Labels end at a vertical line in the page and values begin after it; totals come first.
pub(super) fn spine(truth: &Truth, look: &Look) -> Vec<Sheet> {
    let mut sheet = look.sheet();
    let mut y = parts::head(&mut sheet, truth, look, false);
    let spine = look.width * if look.card { 0.4 } else { 0.42 };
    let step = if look.card { look.step().min(16.0) } else { look.step() };
    let is_table = amounts::has_table(truth, look);
    let (first, others) =
        (if is_table { &[][..] } else { &truth.totals }, truth.groups.iter().rev().flatten());
    for fact in first.iter().chain(others) {
        sheet.put_right(spine - 6.0, y, look.size, look.plain, &look.label(fact));
        sheet.put(spine + 6.0, y, look.size, look.bold, &fact.shown);
        y += step;
    }
    y = if is_table {
        amounts::table(&mut sheet, truth, look, y + look.size, false)
    } else {
        amounts::items(&mut sheet, truth, look, y + look.size, false)
    };
    y = parts::movements(&mut sheet, truth, look, y + look.step(), &Movements { split: false, ruled: false });
    parts::note(&mut sheet, truth, look, y);
    vec![sheet]
}
