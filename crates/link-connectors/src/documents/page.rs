//! A page as words with places. Rules see nothing else, whether a text layer or pixels were read.

use serde::{Deserialize, Serialize};

/// A word on a page. The unit is the same along both sides, its size of no matter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// As read.
    pub text: String,
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
    /// How sure the reader is, 0 to 1.
    pub confidence: f32,
}

impl Word {
    /// Its height.
    pub fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// The share of the lower of the two words' heights that both have in common; negative when apart.
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
    /// Upper edge.
    pub fn top(&self) -> f32 {
        self.words.iter().map(|word| word.top).fold(f32::MAX, f32::min)
    }

    /// Lower edge.
    pub fn bottom(&self) -> f32 {
        self.words.iter().map(|word| word.bottom).fold(f32::MIN, f32::max)
    }

    /// The usual height of its words.
    pub fn height(&self) -> f32 {
        median(self.words.iter().map(Word::height))
    }

    /// The words with spaces between.
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
    /// Puts words into lines: a word continues the line whose last word it stands beside.
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

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.lines.iter().map(|line| line.words.len()).sum()
    }
}

/// Words with spaces between.
pub(super) fn text_of(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The value in the middle; 0 of none.
pub(super) fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
