use super::layout::pages;
use super::*;
use crate::exports::sheet::{Align, Column, Content, Fact, Section, Table};

fn sheet(rows: usize) -> Sheet {
    let column = |name, align| Column { name, align };
    let columns = vec![column("Date", Align::Left), column("Amount", Align::Right)];
    let rows = (0..rows).map(|row| vec![format!("day {row}"), format!("{row}.00")]).collect();
    let content = Content::Table(Table { columns, rows });
    Sheet {
        title: "Seguridad Social de México".into(),
        subject: Some("Ligaya Muñoz".into()),
        notice: None,
        facts: vec![Fact { name: "Account".into(), value: "a-1".into() }],
        sections: vec![Section { title: "Contributions".into(), content }],
        footer: "a-1".into(),
    }
}

fn texts(marks: &[Mark]) -> Vec<&str> {
    marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text { text, .. } => Some(text.as_str()),
            Mark::Rule { .. } => None,
        })
        .collect()
}

#[test]
fn long_table_repeats_headings_and_pages_are_numbered() {
    let faces = Faces::load().unwrap();
    let pages = pages(&sheet(120), &faces);
    assert!(pages.len() > 2);
    for (page, number) in pages.iter().zip(1..) {
        let texts = texts(page);
        assert!(texts.contains(&"Date") && texts.contains(&"Amount"), "page {number}");
        assert!(texts.contains(&format!("Page {number} of {}", pages.len()).as_str()));
        assert!(texts.contains(&"a-1"));
    }
    let all: Vec<&str> = pages.iter().flat_map(|page| texts(page)).collect();
    assert_eq!(all.iter().filter(|it| it.starts_with("day ")).count(), 120, "every row appears once");
    assert!(texts(&pages[1]).contains(&"Contributions, continued"));
}

#[test]
fn notice_is_shown_and_facts_continue_under_heading() {
    let faces = Faces::load().unwrap();
    let mut sheet = sheet(0);
    sheet.notice = Some("fictitious".into());
    let fact = |number| Fact { name: format!("fact {number}"), value: "1".into() };
    sheet
        .sections
        .push(Section { title: "Insight".into(), content: Content::Facts((0..60).map(fact).collect()) });
    let pages = pages(&sheet, &faces);
    assert!(texts(&pages[0]).contains(&"fictitious"));
    assert!(texts(&pages[1]).contains(&"Insight, continued"));
}

#[test]
fn all_marks_are_within_the_page() {
    let faces = Faces::load().unwrap();
    let mut sheet = sheet(3);
    let wide = "unbroken".repeat(200);
    sheet.facts.push(Fact { name: "A name that is far too long for its column".into(), value: wide.clone() });
    if let Content::Table(table) = &mut sheet.sections[0].content {
        table.rows.push(vec![wide, "-999,999,999,999.99".into()]);
    }
    for mark in pages(&sheet, &faces).iter().flatten() {
        match mark {
            Mark::Text { x, y, size, weight, text, .. } => {
                let right = x + faces.width(text, *weight, *size);
                assert!(*x >= 45.9 && right <= PAGE.0 - 45.9 && *y < PAGE.1, "{text}");
            }
            Mark::Rule { y, .. } => assert!(*y < PAGE.1),
        }
    }
}

#[test]
fn rendered_pdf_is_smaller_than_60_kb() {
    let bytes = render(&sheet(120)).unwrap();
    assert!(bytes.starts_with(b"%PDF-1."));
    assert!(bytes.len() < 60_000, "{} bytes", bytes.len());
}
