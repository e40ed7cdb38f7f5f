//! Wraps text into lines, and distributes the width of columns.

use super::face::{Faces, Weight};

/// The maximum number of lines in a cell, so that it fits on a page.
const MAX_LINES: usize = 40;

/// Wraps a text into lines that are at most `width` wide. Breaks between words if possible.
pub(super) fn wrap_text(faces: &Faces, text: &str, weight: Weight, size: f32, width: f32) -> Vec<String> {
    let fits = |line: &str| faces.width(line, weight, size) <= width;
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if fits(&longer) {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for letter in word.chars() {
                line.push(letter);
                if !fits(&line) {
                    line.pop();
                    if !line.is_empty() {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push(letter);
                }
            }
        }
        lines.push(line);
        if lines.len() > MAX_LINES {
            break;
        }
    }
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines
}

/// The preferred width of a column, and the width of its longest word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ColumnWidth {
    pub(super) least: f32,
    pub(super) most: f32,
}

/// Distributes the width between columns. The widest columns shrink first, and words are broken only as a last resort.
/// All columns share any remaining width.
pub(super) fn share_out(columns: &[ColumnWidth], width: f32) -> Vec<f32> {
    let sum = |of: fn(&ColumnWidth) -> f32| columns.iter().map(of).sum::<f32>();
    let wanted = sum(|column| column.most);
    if wanted <= width {
        let more = (width - wanted) / columns.len().max(1) as f32;
        return columns.iter().map(|column| column.most + more).collect();
    }
    let keeps_words = sum(|column| column.least) <= width;
    let at = |cap: f32| {
        columns
            .iter()
            .map(move |column| column.most.min(if keeps_words { cap.max(column.least) } else { cap }))
    };
    // The sum grows with the cap, so bisection finds the cap for the width, to within a hundredth of a point.
    let (mut low, mut high) = (0.0, width);
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        if at(middle).sum::<f32>() > width { high = middle } else { low = middle }
    }
    at(low).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::room_for_all(&[(1.0, 10.0), (1.0, 20.0)], 60.0, &[25.0, 35.0])]
    #[case::widest_columns_shrink_first(&[(1.0, 10.0), (1.0, 90.0), (1.0, 80.0)], 100.0, &[10.0, 45.0, 45.0])]
    #[case::only_as_far_as_necessary(&[(1.0, 10.0), (1.0, 30.0), (1.0, 80.0)], 100.0, &[10.0, 30.0, 60.0])]
    #[case::not_below_longest_word(&[(60.0, 60.0), (10.0, 90.0)], 100.0, &[60.0, 40.0])]
    #[case::unless_words_do_not_fit(&[(90.0, 90.0), (90.0, 90.0)], 100.0, &[50.0, 50.0])]
    #[case::none(&[], 100.0, &[])]
    fn columns_share_the_width(#[case] columns: &[(f32, f32)], #[case] width: f32, #[case] expected: &[f32]) {
        let columns: Vec<ColumnWidth> =
            columns.iter().map(|(least, most)| ColumnWidth { least: *least, most: *most }).collect();
        let found = share_out(&columns, width);
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(found, it)| (found - it).abs() < 0.01), "{found:?}");
    }

    #[test]
    fn only_words_wider_than_a_line_are_broken() {
        let faces = Faces::load().unwrap();
        let lines = |text: &str, width: f32| wrap_text(&faces, text, Weight::Regular, 10.0, width);
        assert_eq!(lines("Rápido Rides para conductores", 80.0), ["Rápido Rides", "para", "conductores"]);
        assert_eq!(lines("one\ntwo", 80.0), ["one", "two"]);
        let broken = lines(&"W".repeat(30), 80.0);
        assert!(broken.len() > 2 && broken.concat() == "W".repeat(30), "{broken:?}");
        assert_eq!(lines(&"word ".repeat(4_000), 80.0).len(), MAX_LINES);
        assert_eq!(lines("", 80.0), [""; 0]);
    }
}
