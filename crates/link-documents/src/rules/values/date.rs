//! Dates in digits, or with the month's name in Spanish, English or Filipino.

use link_types::Date;

use crate::rules::plain::{alike, plain};

/// Whether the day or the month comes first in a numeric date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// `31/12/2026`, as in Mexico, and not `12/31/2026`, as in the Philippines.
    pub is_day_first: bool,
    /// Whether the document shows it.
    pub is_sure: bool,
}

impl Order {
    /// Returns the order that dates in these texts show, or `None` if they show none, or both.
    pub fn detect<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let (mut day_first, mut month_first) = (false, false);
        for text in texts.filter(|text| !is_stamp(text)) {
            for three in parts(text).windows(3) {
                if let [Part::Number(one, 1..=2), Part::Number(two, 1..=2), Part::Number(1900..=2100, 4)] =
                    three
                {
                    day_first |= *one > 12 && *two <= 12;
                    month_first |= *two > 12 && *one <= 12;
                }
            }
        }
        (day_first != month_first).then_some(Self { is_day_first: day_first, is_sure: true })
    }

    /// Returns the confidence in the dates of a text: low if nothing shows whether the day or the month comes first.
    pub fn confidence(self, text: &str) -> f32 {
        let read = |is_day_first| dates(text, Self { is_day_first, is_sure: true });
        if self.is_sure || read(true) == read(false) { 1.0 } else { UNSURE }
    }
}

/// Returns whether a program stamped the line when it printed the page. Its dates have the order of that program.
fn is_stamp(text: &str) -> bool {
    const PRINTED: [&str; 4] = ["impres", "printed", "generado", "generated"];
    let is_time = |word: &str| {
        let mut parts = word.split(':');
        let is_number = |part: Option<&str>| {
            part.is_some_and(|it| (1..=2).contains(&it.len()) && it.chars().all(|c| c.is_ascii_digit()))
        };
        is_number(parts.next()) && is_number(parts.next())
    };
    text.split_whitespace().any(is_time) || PRINTED.iter().any(|word| plain(text).contains(word))
}

/// The confidence in a date with two meanings.
const UNSURE: f32 = 0.5;

const MONTHS: [[&str; 3]; 12] = [
    ["enero", "january", "enero"],
    ["febrero", "february", "pebrero"],
    ["marzo", "march", "marso"],
    ["abril", "april", "abril"],
    ["mayo", "may", "mayo"],
    ["junio", "june", "hunyo"],
    ["julio", "july", "hulyo"],
    ["agosto", "august", "agosto"],
    ["septiembre", "september", "setyembre"],
    ["octubre", "october", "oktubre"],
    ["noviembre", "november", "nobyembre"],
    ["diciembre", "december", "disyembre"],
];

/// A part of a date.
enum Part {
    Number(i32, usize),
    Month(u8),
}

/// Returns the dates in a text, in order.
pub(crate) fn dates(text: &str, order: Order) -> Vec<Date> {
    let parts = parts(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at + 2 < parts.len() {
        match parts.get(at..at + 3).and_then(|three| date(three, order)) {
            Some(date) => {
                found.push(date);
                at += 3;
            }
            None => at += 1,
        }
    }
    found
}

fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let runs = text.split(|c: char| !c.is_alphanumeric()).flat_map(letters_and_digits);
    for run in runs {
        if run.bytes().all(|byte| byte.is_ascii_digit()) {
            if let Ok(number) = run.parse() {
                parts.push(Part::Number(number, run.len()));
            }
        } else if let Some(month) = month(&run) {
            parts.push(Part::Month(month));
        } else if let Some(number) = read_blurred(&run) {
            parts.push(Part::Number(number, run.len()));
        }
    }
    parts
}

/// Splits adjacent letters and digits into two runs, unless a letter is a misread digit.
fn letters_and_digits(run: &str) -> Vec<String> {
    if read_blurred(run).is_some() {
        return vec![run.to_owned()];
    }
    let mut runs: Vec<String> = Vec::new();
    for c in run.chars() {
        match runs.last_mut() {
            Some(last) if last.chars().all(|l| l.is_ascii_digit() == c.is_ascii_digit()) => last.push(c),
            _ => runs.push(c.to_string()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

fn month(word: &str) -> Option<u8> {
    let word = plain(word);
    if word.len() < 3 {
        return None;
    }
    let at = MONTHS.iter().position(|names| {
        names.iter().any(|name| {
            let short = name.get(..3).unwrap_or(name);
            word == *name
                || word == short
                || word == "sept" && short == "sep"
                || word.len() > 4 && alike(&word, name)
        })
    })?;
    u8::try_from(at + 1).ok()
}

fn read_blurred(run: &str) -> Option<i32> {
    let digits = run.chars().filter(char::is_ascii_digit).count();
    if digits == 0 || digits * 2 < run.len() || run.len() > 4 {
        return None;
    }
    let fixed: String = run
        .chars()
        .map(|c| match c {
            'O' | 'o' | 'Q' | 'D' => '0',
            'l' | 'I' | 'i' => '1',
            'S' | 's' => '5',
            'B' => '8',
            'Z' | 'z' => '2',
            other => other,
        })
        .collect();
    fixed.parse().ok()
}

fn date(three: &[Part], order: Order) -> Option<Date> {
    let make = |year: i32, month: i32, day: i32| {
        Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
            .ok()
            .filter(|_| (1900..=2100).contains(&year))
    };
    match three {
        [Part::Number(day, 1..=2), Part::Month(month), Part::Number(year, 4)]
        | [Part::Month(month), Part::Number(day, 1..=2), Part::Number(year, 4)] => {
            make(*year, i32::from(*month), *day)
        }
        [Part::Number(year, 4), Part::Number(month, 1..=2), Part::Number(day, 1..=2)] => {
            make(*year, *month, *day)
        }
        [Part::Number(one, 1..=2), Part::Number(two, 1..=2), Part::Number(year, 4)] => {
            let (day_first, month_first) = (make(*year, *two, *one), make(*year, *one, *two));
            if order.is_day_first { day_first.or(month_first) } else { month_first.or(day_first) }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_FIRST: Order = Order { is_day_first: true, is_sure: true };
    const MONTH_FIRST: Order = Order { is_day_first: false, is_sure: true };

    fn read(text: &str, order: Order) -> Vec<String> {
        dates(text, order).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn dates_are_parsed_in_all_printed_forms() {
        for text in ["05/03/2026", "5 de marzo de 2026", "05-mar-2026", "2026-03-05", "05mar2026"] {
            assert_eq!(read(text, DAY_FIRST), ["2026-03-05"], "{text}");
        }
        for text in ["03/05/2026", "March 5, 2026", "05 Mar 2026", "O3/05/2026", "March 5,2026"] {
            assert_eq!(read(text, MONTH_FIRST), ["2026-03-05"], "{text}");
        }
    }

    #[test]
    fn period_has_two_dates() {
        let both = ["2026-10-01", "2026-10-15"];
        assert_eq!(read("01/10/2026 al 15/10/2026", DAY_FIRST), both);
        assert_eq!(read("2026-10-01 - 2026-10-15", DAY_FIRST), both);
        assert_eq!(read("October 1, 2026 to October 15, 2026", MONTH_FIRST), both);
    }

    #[test]
    fn dates_of_a_document_show_their_order() {
        let shown = |texts: &[&str]| Order::detect(texts.iter().copied()).map(|order| order.is_day_first);
        assert_eq!(shown(&["Fecha: 03/05/2026", "al 15/10/2026"]), Some(true));
        assert_eq!(shown(&["Date: 03/05/2026", "10/15/2026"]), Some(false));
        assert_eq!(shown(&["03/05/2026", "2026-10-15", "15 May 2026"]), None, "both orders are possible");
        assert_eq!(shown(&["15/05/2026", "05/15/2026"]), None, "both orders are used");
        let unsure = Order { is_day_first: true, is_sure: false };
        assert!(unsure.confidence("03/05/2026") < 0.6, "it has two meanings");
        for text in ["15/05/2026", "05/05/2026", "2026-03-05", "3 de mayo de 2026"] {
            assert!(unsure.confidence(text) > 0.9, "{text} has one meaning");
        }
    }

    #[test]
    fn invalid_dates_are_not_parsed() {
        assert_eq!(read("99/99/2026 and 12 of 2026, 31/02/2026", DAY_FIRST), [""; 0]);
    }
}
