//! Lays out a sheet as pages of marks. Does not draw anything.
//!
//! Our own: krilla draws and has no layout. Tests check these 230 lines without a PDF reader (ADR 92).

use super::face::{Faces, Weight};
use super::wrap::{ColumnWidth, share_out, wrap_text};
use crate::exports::sheet::{Align, Column, Content, Fact, Section, Sheet, Table};

/// A4, in points.
pub(super) const PAGE: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 46.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// The lower edge of the content. Only the footer is below it.
const BOTTOM: f32 = PAGE.1 - 62.0;
const FOOT: f32 = PAGE.1 - 36.0;

const TEXT: f32 = 8.5;
const LINE: f32 = 11.5;
const HEADING: f32 = 12.0;
const NOTICE: f32 = 9.5;
/// The space between a row's text and the rules around it.
const PAD: f32 = 3.5;
/// The space between a cell's text and the next column.
const GAP: f32 = 10.0;
/// The width of the column with the names of facts.
const NAMES: f32 = 152.0;

/// Something on a page.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mark {
    /// Text whose baseline starts at this point.
    Text { x: f32, y: f32, size: f32, weight: Weight, ink: Ink, text: String },
    /// A thin line across the text's width.
    Rule { y: f32, ink: Ink },
}

/// The shade of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    Grey,
    Pale,
}

/// Lays out the pages of a sheet.
pub(super) fn pages(sheet: &Sheet, faces: &Faces) -> Vec<Vec<Mark>> {
    let mut layout = Layout { faces, pages: vec![Vec::new()], y: MARGIN };
    layout.head(sheet);
    for section in &sheet.sections {
        layout.section(section);
    }
    if sheet.sections.is_empty() {
        layout.y += LINE;
        layout.paragraph("This account has no data yet.");
    }
    layout.feet(&sheet.footer);
    layout.pages
}

struct Layout<'f> {
    faces: &'f Faces,
    pages: Vec<Vec<Mark>>,
    /// The upper edge of the next mark.
    y: f32,
}

impl Layout<'_> {
    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    fn text(&mut self, (x, y): (f32, f32), text: &str, (size, weight, ink): (f32, Weight, Ink)) {
        self.mark(Mark::Text { x, y, size, weight, ink, text: text.to_owned() });
    }

    fn turn_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = MARGIN;
    }

    fn head(&mut self, sheet: &Sheet) {
        self.y += 16.0;
        for line in wrap_text(self.faces, &sheet.title, Weight::Bold, 18.0, WIDTH) {
            self.text((MARGIN, self.y), &line, (18.0, Weight::Bold, Ink::Black));
            self.y += 22.0;
        }
        for line in
            sheet.subject.iter().flat_map(|it| wrap_text(self.faces, it, Weight::Regular, 12.0, WIDTH))
        {
            self.text((MARGIN, self.y), &line, (12.0, Weight::Regular, Ink::Black));
            self.y += 16.0;
        }
        for line in sheet.notice.iter().flat_map(|it| wrap_text(self.faces, it, Weight::Bold, NOTICE, WIDTH))
        {
            self.text((MARGIN, self.y), &line, (NOTICE, Weight::Bold, Ink::Black));
            self.y += 14.0;
        }
        self.facts(&sheet.title, &sheet.facts);
    }

    fn paragraph(&mut self, text: &str) {
        self.y += LINE;
        self.text((MARGIN, self.y), text, (TEXT, Weight::Regular, Ink::Grey));
    }

    fn section(&mut self, section: &Section) {
        // Keep a heading on the same page as the start of its content.
        if self.y + 90.0 > BOTTOM {
            self.turn_page();
        }
        self.heading(&section.title);
        match &section.content {
            Content::Facts(facts) => self.facts(&section.title, facts),
            Content::Table(table) => self.table(&section.title, table),
        }
    }

    fn heading(&mut self, title: &str) {
        self.y += if self.y > MARGIN { 30.0 } else { HEADING };
        self.text((MARGIN, self.y), title, (HEADING, Weight::Bold, Ink::Black));
        self.y += 7.0;
    }

    fn facts(&mut self, title: &str, facts: &[Fact]) {
        for fact in facts {
            let value = self.lines(&fact.value, WIDTH - NAMES);
            let name = self.lines(&fact.name, NAMES - GAP);
            let height = height_of(value.len().max(name.len()));
            if self.y + height > BOTTOM {
                self.turn_page();
                self.heading(&format!("{title}, continued"));
            }
            self.cell(&name, (MARGIN, NAMES), Align::Left, (Weight::Regular, Ink::Grey));
            self.cell(&value, (MARGIN + NAMES, WIDTH - NAMES), Align::Left, (Weight::Regular, Ink::Black));
            self.close_row(height);
        }
    }

    fn table(&mut self, title: &str, table: &Table) {
        let widths = self.widths(table);
        self.column_names(&table.columns, &widths);
        for row in &table.rows {
            let cells: Vec<Vec<String>> =
                row.iter().zip(&widths).map(|(text, width)| self.lines(text, width - GAP)).collect();
            let height = height_of(cells.iter().map(Vec::len).max().unwrap_or(0));
            if self.y + height > BOTTOM {
                self.turn_page();
                self.heading(&format!("{title}, continued"));
                self.column_names(&table.columns, &widths);
            }
            let mut x = MARGIN;
            for ((lines, column), width) in cells.iter().zip(&table.columns).zip(&widths) {
                self.cell(lines, (x, *width), column.align, (Weight::Regular, Ink::Black));
                x += width;
            }
            self.close_row(height);
        }
    }

    fn column_names(&mut self, columns: &[Column], widths: &[f32]) {
        let mut x = MARGIN;
        for (column, width) in columns.iter().zip(widths) {
            self.cell(&[column.name.to_owned()], (x, *width), column.align, (Weight::Bold, Ink::Grey));
            x += width;
        }
        self.y += height_of(1);
        self.mark(Mark::Rule { y: self.y, ink: Ink::Grey });
    }

    /// Adds lines of text in a column, from the top of the current row.
    fn cell(&mut self, lines: &[String], (x, width): (f32, f32), align: Align, (weight, ink): (Weight, Ink)) {
        let mut y = self.y + PAD + TEXT;
        for line in lines {
            let left = match align {
                Align::Left => x,
                Align::Right => x + width - GAP - self.faces.width(line, weight, TEXT),
            };
            self.text((left, y), line, (TEXT, weight, ink));
            y += LINE;
        }
    }

    fn close_row(&mut self, height: f32) {
        self.y += height;
        self.mark(Mark::Rule { y: self.y, ink: Ink::Pale });
    }

    fn lines(&self, text: &str, width: f32) -> Vec<String> {
        wrap_text(self.faces, text, Weight::Regular, TEXT, width)
    }

    /// Returns the width of each column: as wide as its widest cell, if the page has room.
    fn widths(&self, table: &Table) -> Vec<f32> {
        let widths: Vec<ColumnWidth> = table
            .columns
            .iter()
            .enumerate()
            .map(|(index, column)| {
                let name = self.faces.width(column.name, Weight::Bold, TEXT);
                let cells = || table.rows.iter().filter_map(|row| row.get(index));
                let widest = |texts: &mut dyn Iterator<Item = &str>| {
                    texts.map(|text| self.faces.width(text, Weight::Regular, TEXT)).fold(name, f32::max) + GAP
                };
                ColumnWidth {
                    least: widest(&mut cells().flat_map(|text| text.split_whitespace())),
                    most: widest(&mut cells().map(String::as_str)),
                }
            })
            .collect();
        share_out(&widths, WIDTH)
    }

    fn feet(&mut self, footer: &str) {
        let count = self.pages.len();
        for (page, number) in self.pages.iter_mut().zip(1..) {
            let text = |x: f32, text: String| Mark::Text {
                x,
                y: FOOT,
                size: 7.5,
                weight: Weight::Regular,
                ink: Ink::Grey,
                text,
            };
            let place = format!("Page {number} of {count}");
            let right = PAGE.0 - MARGIN - self.faces.width(&place, Weight::Regular, 7.5);
            page.push(text(MARGIN, footer.to_owned()));
            page.push(text(right, place));
        }
    }
}

/// Returns the height of a row with this number of lines.
fn height_of(lines: usize) -> f32 {
    2.0 * PAD + LINE * lines.max(1) as f32 - (LINE - TEXT) + 1.0
}
