//! A page as positioned words. The rules see nothing else, whether a text layer or pixels were read.

use serde::{Deserialize, Serialize};

/// A word on a page. Positions may have any unit, which is the same for both axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// The text, as read.
    pub text: String,
    /// Left edge.
    pub left: f32,
    /// Returns the upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Returns the lower edge.
    pub bottom: f32,
    /// The reader's confidence, 0 to 1.
    pub confidence: f32,
}

impl Word {
    /// Returns the height.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// Returns the overlap of two words' heights as a share of the smaller one. Negative if they do not overlap.
    fn beside(&self, other: &Self) -> f32 {
        let shared = self.bottom.min(other.bottom) - self.top.max(other.top);
        shared / self.height().min(other.height()).max(0.1)
    }
}

/// The words of one line, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The words.
    pub words: Vec<Word>,
}

impl Line {
    /// Returns the upper edge.
    pub fn top(&self) -> f32 {
        self.words.iter().map(|word| word.top).fold(f32::MAX, f32::min)
    }

    /// Returns the lower edge.
    pub fn bottom(&self) -> f32 {
        self.words.iter().map(|word| word.bottom).fold(f32::MIN, f32::max)
    }

    /// Returns the median height of the words.
    pub fn height(&self) -> f32 {
        median(self.words.iter().map(Word::height))
    }

    /// Returns the words, separated by spaces.
    pub fn text(&self) -> String {
        text_of(&self.words)
    }
}

/// A page as lines, from top to bottom.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The lines.
    pub lines: Vec<Line>,
}

impl Page {
    /// Groups words into lines: a word continues the line whose last word overlaps it vertically.
    pub fn of(mut words: Vec<Word>) -> Self {
        const BESIDE: f32 = 0.5;
        words.retain(|word| !word.text.trim().is_empty());
        words.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut lines: Vec<Line> = Vec::new();
        for word in words {
            let best = lines
                .iter_mut()
                .filter_map(|line| {
                    line.words.last().map(|last| last.beside(&word)).map(|share| (share, line))
                })
                .filter(|(share, _)| *share > BESIDE)
                .max_by(|(a, _), (b, _)| a.total_cmp(b));
            match best {
                Some((_, line)) => line.words.push(word),
                None => lines.push(Line { words: vec![word] }),
            }
        }
        lines.sort_by(|a, b| (a.top() + a.bottom()).total_cmp(&(b.top() + b.bottom())));
        Self { lines }
    }

    /// Returns the number of words.
    pub fn words(&self) -> usize {
        self.lines.iter().map(|line| line.words.len()).sum()
    }
}

/// Joins words with spaces.
pub(crate) fn text_of(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Returns the median, or 0 if there are no values.
pub(crate) fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
