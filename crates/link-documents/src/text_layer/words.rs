//! Joins glyphs to words: upright, and each glyph once, even if it is drawn again for bold type or a shadow.

use std::collections::HashMap;

use hayro::kurbo::{Affine, Point, Vec2};

use super::collect::MAX_CHECKS;
use super::glyph::Glyph;
use crate::page::{MAX_CONFIDENCE_DOUBTED, Word};

/// The share of the seen glyphs that must have the page's direction.
const LEVEL: f64 = 0.6;
/// The maximum angle between a glyph and the page's direction, in degrees.
const MAX_SKEW: f64 = 2.0;
/// Glyphs at a right angle to the page's direction, within these degrees, are a margin or a line to cut along.
const UPENDED: f64 = 10.0;
/// The size of a watermark's glyphs, in heights of a word. Smaller ones with another direction may be a value.
const WATERMARK: f64 = 1.6;

/// A glyph with a level base line.
struct Level<'a> {
    text: &'a str,
    left: f64,
    right: f64,
    /// The base line.
    base: f64,
    size: f64,
    /// Whether it is drawn a second time.
    again: bool,
    /// Whether another letter is printed over it, or the file contradicts it.
    clash: bool,
}

/// Returns the words and the angle of the page's base lines, by which they are turned back, in degrees. `None` if the glyphs
/// have several directions.
pub(super) fn words(glyphs: &[Glyph]) -> Option<(Vec<Word>, f64)> {
    let turn = direction(glyphs)?;
    let seen = glyphs.iter().filter(|glyph| glyph.seen).count();
    let mut level: Vec<Option<Level<'_>>> =
        glyphs.iter().map(|glyph| level_glyph(glyph, turn).filter(|_| glyph.seen)).collect();
    if (level.iter().flatten().count() as f64) < seen as f64 * LEVEL {
        return None;
    }
    compare(&mut level);
    let mut words = without_marks(without_copies(join_glyphs(&level)));
    doubt_next_to_tilted(&mut words, glyphs, turn);
    Some((words, turn))
}

/// Returns the angle of most base lines, in degrees.
fn direction(glyphs: &[Glyph]) -> Option<f64> {
    let mut angles: Vec<f64> = glyphs
        .iter()
        .filter(|glyph| glyph.seen)
        .map(|glyph| glyph.along().atan2().to_degrees().rem_euclid(360.0))
        .collect();
    angles.sort_by(f64::total_cmp);
    let near = |angle: f64| angles.iter().filter(|other| apart(**other, angle) <= MAX_SKEW / 2.0).count();
    // Adjacent angles have the same neighbours, so not each one is tried.
    let mut tried = angles.clone();
    tried.dedup_by(|a, b| (*a - *b).abs() < 0.2);
    let best = tried.into_iter().take(1_800).max_by_key(|angle| near(*angle))?;
    let close = || angles.iter().filter(|angle| apart(**angle, best) <= MAX_SKEW / 2.0);
    let mean: Vec2 = close().map(|angle| Vec2::from_angle(angle.to_radians())).fold(Vec2::ZERO, |a, b| a + b);
    Some(mean.atan2().to_degrees())
}

/// Doubts words to the right of glyphs with another direction, if there are words to their left, too: what was left out is
/// probably the value of the label, unless it is a watermark or at a right angle.
fn doubt_next_to_tilted(words: &mut [Word], glyphs: &[Glyph], turn: f64) {
    let back = Affine::rotate(-turn.to_radians());
    let is_upended = |glyph: &Glyph| {
        let angle = apart(glyph.along().atan2().to_degrees(), turn);
        (angle - 90.0).abs() <= UPENDED
    };
    let tilted: Vec<(Point, f64)> = glyphs
        .iter()
        .filter(|glyph| glyph.seen && level_glyph(glyph, turn).is_none() && !is_upended(glyph))
        .map(|glyph| (back * glyph.bounds().center(), glyph.size()))
        .collect();
    if (tilted.len() + words.len()) * words.len() > MAX_CHECKS && !tilted.is_empty() {
        words.iter_mut().for_each(|word| word.confidence = word.confidence.min(MAX_CONFIDENCE_DOUBTED));
        return;
    }
    let level: Vec<(f32, f32, f32)> = words.iter().map(|word| (word.top, word.bottom, word.right)).collect();
    for word in words.iter_mut().filter(|_| !tilted.is_empty()) {
        let in_row = |top: f32, bottom: f32| (word.top..word.bottom).contains(&((top + bottom) / 2.0));
        let between = |(point, size): &(Point, f64)| {
            let (x, y) = (point.x as f32, point.y as f32);
            let is_row = (word.top - word.height()..word.bottom + word.height()).contains(&y);
            let is_left = || level.iter().any(|(top, bottom, right)| in_row(*top, *bottom) && *right < x);
            let is_watermark = *size > f64::from(word.height()) * WATERMARK;
            !is_watermark && is_row && x < word.left && is_left()
        };
        if tilted.iter().any(between) {
            word.confidence = word.confidence.min(MAX_CONFIDENCE_DOUBTED);
        }
    }
}

/// Returns the angle between two directions, in degrees.
fn apart(one: f64, other: f64) -> f64 {
    let difference = (one - other).rem_euclid(360.0);
    difference.min(360.0 - difference)
}

/// Turns a glyph back by the page's angle. `None` if it has another direction.
fn level_glyph(glyph: &Glyph, turn: f64) -> Option<Level<'_>> {
    if apart(glyph.along().atan2().to_degrees(), turn) > MAX_SKEW {
        return None;
    }
    let back = Affine::rotate(-turn.to_radians());
    let (origin, end): (Point, Point) = (back * glyph.origin, back * glyph.end);
    Some(Level {
        text: &glyph.text,
        left: origin.x.min(end.x),
        right: origin.x.max(end.x),
        base: origin.y,
        size: glyph.size(),
        again: false,
        clash: !glyph.is_sure,
    })
}

/// Finds glyphs that are drawn again at almost the same place, and letters that are printed over others.
fn compare(level: &mut [Option<Level<'_>>]) {
    let cell = level.iter().flatten().map(|glyph| glyph.size).fold(4.0, f64::max).min(40.0);
    let cell_of = |glyph: &Level<'_>| ((glyph.left / cell) as i64, (glyph.base / cell) as i64);
    let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    // The distance of the copy that is being drawn, and its run.
    let mut copy: Option<(f64, f64)> = None;
    for at in 0..level.len() {
        let Some(glyph) = level.get(at).and_then(Option::as_ref) else { continue };
        let (column, row) = cell_of(glyph);
        let near = (-1..=1)
            .flat_map(|x| (-1..=1).map(move |y| (column + x, row + y)))
            .filter_map(|cell| cells.get(&cell))
            .flatten()
            .copied();
        let (mut original, mut clashes) = (None, Vec::new());
        for other_at in near {
            let Some(other) = level.get(other_at).and_then(Option::as_ref) else { continue };
            if is_copy(other, glyph, copy) {
                original = Some((glyph.left - other.left, glyph.base - other.base));
                break;
            }
            if is_over(other, glyph) {
                clashes.push(other_at);
            }
        }
        let again = original.is_some();
        copy = original.or(copy);
        if again {
            if let Some(Some(glyph)) = level.get_mut(at) {
                glyph.again = true;
            }
            continue;
        }
        cells.entry((column, row)).or_default().push(at);
        for at in clashes.iter().copied().chain((!clashes.is_empty()).then_some(at)) {
            if let Some(Some(glyph)) = level.get_mut(at) {
                glyph.clash = true;
            }
        }
    }
}

/// Returns whether the second glyph is the first one drawn again: at less than half its width, or at the distance of
/// the letters before it.
fn is_copy(first: &Level<'_>, second: &Level<'_>, copy: Option<(f64, f64)>) -> bool {
    const ASIDE: f64 = 0.35;
    let (x, y) = (second.left - first.left, second.base - first.base);
    let size = first.size.max(second.size);
    if first.text != second.text || first.size.min(second.size) < size * 0.8 || y.abs() > size * ASIDE {
        return false;
    }
    let overlaps = x.abs() <= (size * ASIDE).min((first.right - first.left) * 0.55);
    let follows = copy.is_some_and(|(copy_x, copy_y)| {
        (x - copy_x).abs() < size * 0.03
            && (y - copy_y).abs() < size * 0.03
            && x.abs() <= size * ASIDE
            && x.hypot(y) < (first.right - first.left) * 0.95
    });
    overlaps || follows
}

/// Returns whether two letters cover each other for the most part.
fn is_over(first: &Level<'_>, second: &Level<'_>) -> bool {
    let is_letter = |glyph: &Level<'_>| glyph.text.chars().all(char::is_alphanumeric);
    let shared = first.right.min(second.right) - first.left.max(second.left);
    let narrow = (first.right - first.left).min(second.right - second.left);
    let size = first.size.min(second.size);
    is_letter(first)
        && is_letter(second)
        && shared > narrow * 0.5
        && narrow > 0.0
        && (first.base - second.base).abs() < size * 0.35
}

/// Joins glyphs that follow each other in the order in which they are drawn.
fn join_glyphs(level: &[Option<Level<'_>>]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    // The glyph before, and the gap before it.
    let mut open: Option<(&Level<'_>, Option<f64>)> = None;
    for (at, glyph) in level.iter().enumerate() {
        let Some(glyph) = glyph else {
            open = None;
            continue;
        };
        if glyph.again {
            continue;
        }
        let size = glyph.size as f32;
        let (left, right) = (glyph.left as f32, glyph.right as f32);
        let (top, bottom) = (glyph.base as f32 - size * 0.75, glyph.base as f32 + size * 0.2);
        let sure = if glyph.clash { MAX_CONFIDENCE_DOUBTED } else { 1.0 };
        let gap_after = level.get(at + 1).and_then(Option::as_ref).map(|after| after.left - glyph.right);
        let follows = open.is_some_and(|(before, gap)| continues(before, [gap, gap_after], glyph));
        let gap = open.filter(|_| follows).map(|(before, _)| glyph.left - before.right);
        if let Some(last) = words.last_mut().filter(|_| follows) {
            last.text.push_str(glyph.text);
            last.right = right;
            last.confidence = last.confidence.min(sure);
        } else {
            words.push(Word { text: glyph.text.to_owned(), left, top, right, bottom, confidence: sure });
        }
        open = Some((glyph, gap));
    }
    words
}

/// Returns whether a glyph continues the word of the one before it. `gaps` are those before and after the two.
fn continues(before: &Level<'_>, gaps: [Option<f64>; 2], glyph: &Level<'_>) -> bool {
    const JOINED: f64 = 0.18;
    const OF_NUMBER: f64 = 0.06;
    const ALIKE: f64 = 0.8;
    let size = before.size.max(glyph.size);
    let gap = glyph.left - before.right;
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let is_close = if is_number(before.text) && is_number(glyph.text) {
        // Digits are as far apart as those next to them, or they are two numbers of columns that touch.
        gap < size * OF_NUMBER || gaps.iter().flatten().any(|other| (gap - other).abs() < size * 0.02)
    } else {
        true
    };
    // A digit of another size or on another line is a mark of a footnote.
    let is_mark = (is_number(before.text) || is_number(glyph.text))
        && (before.size.min(glyph.size) < size * ALIKE || (before.base - glyph.base).abs() > size * 0.12);
    is_close && !is_mark && gap.abs() < size * JOINED && (before.base - glyph.base).abs() < size * 0.3
}

/// Removes marks of footnotes: small raised digits right next to a word.
fn without_marks(words: Vec<Word>) -> Vec<Word> {
    const MARK: [char; 3] = ['(', ')', '*'];
    let is_mark = |word: &Word| {
        let digits = word.text.chars().filter(char::is_ascii_digit).count();
        (1..=2).contains(&digits) && word.text.chars().all(|c| c.is_ascii_digit() || MARK.contains(&c))
    };
    let is_next_to = |mark: &Word, word: &Word| {
        let (height, gap) = (word.height(), (word.left - mark.right).max(mark.left - word.right));
        let is_raised = mark.bottom < word.bottom - height * 0.1 && mark.bottom > word.top;
        // Cents are raised, too.
        let are_cents = mark.left > word.left && mark.text.len() == 2 && word.text.contains([',', '.']);
        mark.height() < height * 0.85 && is_raised && gap.abs() < height * 0.25 && !are_cents
    };
    let marks: Vec<bool> =
        words.iter().map(|mark| is_mark(mark) && words.iter().any(|word| is_next_to(mark, word))).collect();
    words.into_iter().zip(marks).filter(|(_, is_mark)| !is_mark).map(|(word, _)| word).collect()
}

/// Removes words that are drawn again at a larger distance: shadows.
fn without_copies(words: Vec<Word>) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::new();
    for word in words {
        let is_copy = kept.iter().rev().take(200).any(|other| {
            let size = other.height().max(word.height());
            let aside = |one: f32, other: f32| (one - other).abs() <= size * 0.4;
            let same = other.text == word.text && aside(other.left, word.left) && aside(other.top, word.top);
            // A narrow letter of a shadow.
            let part = word.text.chars().count() == 1
                && other.text.contains(&word.text)
                && aside(other.top, word.top)
                && word.left > other.left - size * 0.3
                && word.right < other.right + size * 0.3
                && other.text.chars().count() > 1;
            same || part
        });
        if !is_copy {
            kept.push(word);
        }
    }
    kept
}
