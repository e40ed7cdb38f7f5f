//! The layouts that were used to write the rules.

use super::amounts;
use super::look::Look;
use super::parts::{self, Movements};
use crate::documents::sheet::Sheet;
use crate::documents::truth::{Fact, Truth};

/// Returns one column with each label left of its value; labels are in two languages if `bilingual`.
pub(super) fn lines(truth: &Truth, look: &Look, bilingual: bool) -> Vec<Sheet> {
    let mut sheet = look.sheet();
    parts::photo(&mut sheet, look);
    let mut y = parts::head(&mut sheet, truth, look, bilingual);
    let label = |fact: &Fact| match bilingual && fact.other != look.label(fact) {
        true => format!("{} / {}:", look.label(fact), fact.other),
        false => format!("{}:", look.label(fact)),
    };
    // Without a table, the totals are lines like the others.
    let totals = if amounts::has_table(truth, look) { &[][..] } else { &truth.totals };
    let all = truth.groups.iter().flatten().chain(totals);
    let widest = all.clone().map(|fact| look.plain.width(&label(fact), look.size)).fold(0.0, f32::max);
    let value_x = look.margin + widest + look.size;
    let step = if look.card { look.step().min((look.height - look.margin - y) / 9.0) } else { look.step() };
    let put = |sheet: &mut Sheet, fact: &Fact, y: f32| {
        sheet.put(look.margin, y, look.size, look.plain, &label(fact));
        let x = if bilingual {
            value_x
        } else {
            look.margin + look.plain.width(&label(fact), look.size) + look.size * 0.6
        };
        sheet.put(x, y, look.size, look.bold, &fact.shown);
    };
    for group in &truth.groups {
        for fact in group {
            put(&mut sheet, fact, y);
            y += step;
        }
        y += step * if look.card { 0.0 } else { 0.6 };
    }
    y = if totals.is_empty() {
        amounts::table(&mut sheet, truth, look, y, false)
    } else {
        amounts::items(&mut sheet, truth, look, y, false)
    };
    for fact in totals {
        put(&mut sheet, fact, y);
        y += step;
    }
    if truth.movements.is_empty() {
        parts::note(&mut sheet, truth, look, y);
        return vec![sheet];
    }
    let mut second = look.sheet();
    let y = look.margin + look.step() * 2.0;
    parts::movements(&mut second, truth, look, y, &Movements { split: bilingual, ruled: false });
    vec![sheet, second]
}

/// Returns two columns with each label above its value, in smaller type.
pub(super) fn above(truth: &Truth, look: &Look) -> Vec<Sheet> {
    let mut sheet = look.sheet();
    parts::photo(&mut sheet, look);
    let mut y = parts::head(&mut sheet, truth, look, false);
    let column = (look.right() - look.margin) * if look.card { 0.5 } else { 0.52 };
    let small = look.size * if look.card { 0.82 } else { 0.85 };
    let step = look.size * if look.card { 2.75 } else { 3.3 };
    for group in &truth.groups {
        let mut at = 0;
        for fact in group {
            let wide = look.bold.width(&fact.shown, look.size) > column * 0.94;
            if wide && at % 2 == 1 {
                at += 1;
                y += step;
            }
            let x = look.margin + if at % 2 == 1 { column } else { 0.0 };
            sheet.put(x, y, small, look.plain, &look.label(fact));
            sheet.put(x, y + look.size * 1.25, look.size, look.bold, &fact.shown);
            at += if wide { 2 } else { 1 };
            if at % 2 == 0 {
                y += step;
            }
        }
        if at % 2 == 1 {
            y += step;
        }
    }
    y = amounts::table(&mut sheet, truth, look, y, false);
    y = parts::movements(
        &mut sheet,
        truth,
        look,
        y + look.step() * 0.5,
        &Movements { split: true, ruled: false },
    );
    parts::note(&mut sheet, truth, look, y);
    vec![sheet]
}

/// Returns a ruled table with two label-value pairs per row.
pub(super) fn table(truth: &Truth, look: &Look) -> Vec<Sheet> {
    let mut sheet = look.sheet();
    parts::photo(&mut sheet, look);
    let mut y = parts::head(&mut sheet, truth, look, false);
    let span = look.right() - look.margin;
    let row = look.step() * 1.1;
    for group in &truth.groups {
        let facts: Vec<&Fact> = group.iter().collect();
        let half = span / 2.0;
        let narrow = |fact: &&Fact| {
            !look.card
                && look.plain.width(&look.label(fact), look.size) < half * 0.4
                && look.bold.width(&fact.shown, look.size) < half * 0.55
        };
        let mut at = 0;
        while at < facts.len() {
            let pair = at + 1 < facts.len() && narrow(&facts[at]) && narrow(&facts[at + 1]);
            let (count, width) = if pair { (2, half) } else { (1, span) };
            for (place, fact) in facts[at..at + count].iter().enumerate() {
                let x = look.margin + half * place as f32;
                let label_width = if pair { half * 0.42 } else { span * 0.34 };
                sheet.frame(x, y - look.size * 1.25, width, row);
                sheet.frame(x, y - look.size * 1.25, label_width, row);
                sheet.put(x + 4.0, y, look.size, look.plain, &look.label(fact));
                sheet.put(x + label_width + 5.0, y, look.size, look.bold, &fact.shown);
            }
            at += count;
            y += row;
        }
        y += row * if look.card { 0.0 } else { 0.6 };
    }
    y = amounts::table(&mut sheet, truth, look, y, true);
    y = parts::movements(&mut sheet, truth, look, y + look.step(), &Movements { split: false, ruled: true });
    parts::note(&mut sheet, truth, look, y);
    vec![sheet]
}

/// Returns two columns of label-value pairs, with each value at the right edge of its column.
pub(super) fn columns(truth: &Truth, look: &Look) -> Vec<Sheet> {
    let mut sheet = look.sheet();
    parts::photo(&mut sheet, look);
    let mut y = parts::head(&mut sheet, truth, look, true);
    let gap = look.size * 2.5;
    let column = (look.right() - look.margin - gap) / 2.0;
    for group in &truth.groups {
        let mut at = 0;
        for fact in group {
            let needs = look.plain.width(&look.label(fact), look.size)
                + look.bold.width(&fact.shown, look.size)
                + look.size * 2.0;
            let wide = look.card || needs > column;
            if wide && at % 2 == 1 {
                at += 1;
                y += look.step();
            }
            let x = look.margin + if at % 2 == 1 { column + gap } else { 0.0 };
            let room = if look.card {
                244.0
            } else if wide {
                column * 2.0 + gap
            } else {
                column
            };
            sheet.put(x, y, look.size, look.plain, &look.label(fact));
            let right = (x + room).max(x + needs);
            sheet.put_right(right, y, look.size, look.bold, &fact.shown);
            at += if wide { 2 } else { 1 };
            if at % 2 == 0 {
                y += look.step();
            }
        }
        if at % 2 == 1 {
            y += look.step();
        }
        y += look.step() * if look.card { 0.0 } else { 0.6 };
    }
    y = amounts::table(&mut sheet, truth, look, y, false);
    y = parts::movements(&mut sheet, truth, look, y + look.step(), &Movements { split: true, ruled: false });
    parts::note(&mut sheet, truth, look, y);
    vec![sheet]
}
