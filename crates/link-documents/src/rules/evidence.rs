//! Evidence that a value is correct, besides the place where it is printed: amounts that add up, numbers that contain the
//! name and the day of birth. A value without such evidence has a lower confidence (ADR 205).

use link_types::Date;
use link_types::archive::ExtractionFaultCode;

use super::others::has_other_amounts;
use super::plain::{is_particle, plain};
use super::subject::Subject;
use super::values::{Named, Order, dates};
use crate::page::{Page, text_of};

/// The maximum confidence in a value that nothing else on the document confirms.
const MAX_CONFIDENCE_ALONE: f32 = 0.94;
/// The maximum confidence in amounts if others fit together as well.
const MAX_CONFIDENCE_SEVERAL: f32 = 0.9;
/// The confidence in the currency if the document names it.
const NAMED: f32 = 0.95;
/// The maximum confidence in a currency if the document names another one, or its country is not clear.
const MAX_CONFIDENCE_DOUBTED: f32 = 0.45;

/// The days from the end of a pay period within which it is paid.
const PAID_WITHIN: i64 = 31;

/// First given names that a registry code ignores if there is another one.
const COMMON: [&str; 6] = ["maria", "jose", "ma", "j", "m", "joseph"];

/// The facts about the values of a document from outside them.
pub(super) struct Evidence<'a> {
    /// The names of amounts that add up.
    pub sums: &'a [&'static str],
    /// The names of values on parts that may be about another person.
    pub unsure: &'a [&'static str],
    /// Whether the country is clear.
    pub is_clear: bool,
    /// The order of day and month.
    pub order: Order,
}

/// Lowers the confidence in values without evidence.
pub(super) fn weigh(values: &mut [Named], pages: &[Page], evidence: &Evidence) {
    let Evidence { sums, unsure, is_clear, order } = *evidence;
    doubt_other_page(values);
    // Values of another period, person or days fit together, too.
    let is_alone = |subject: Subject| !subject.is_another_named(pages);
    let mut confirmed: Vec<&str> = Vec::new();
    // Values that confirm each other belong together, so one of them on a part that belongs to the document is enough.
    let mut confirm = |names: &[&'static str]| {
        if names.iter().any(|name| !unsure.contains(name)) {
            confirmed.extend_from_slice(names);
        }
    };
    if is_alone(Subject::Person) && !is_below_amounts(values) {
        confirm(&of_person(values));
    }
    let days = of_period(values);
    if is_alone(Subject::Days) && !has_other_period(values, pages, order) {
        confirm(&days);
    }
    let is_payslip = sums.contains(&"netAmount");
    if is_payslip && is_alone(Subject::Period) && has_other_amounts(values, pages) {
        for (_, reading, _) in values.iter_mut().filter(|(name, ..)| sums.contains(name)) {
            reading.confidence = reading.confidence.min(MAX_CONFIDENCE_SEVERAL);
            reading.fault = reading.fault.or(Some(ExtractionFaultCode::SeveralValues));
        }
    } else if !is_payslip || is_alone(Subject::Period) {
        confirm(sums);
    }
    for (name, reading, _) in values.iter_mut() {
        if *name == "currency" {
            reading.confidence =
                if is_clear { currency(&reading.text, pages) } else { MAX_CONFIDENCE_DOUBTED };
        } else if !confirmed.contains(name) {
            reading.confidence = reading.confidence.min(MAX_CONFIDENCE_ALONE);
        }
    }
}

/// Doubts the values of a page whose registry code does not fit the name on another page: that page is about another person.
fn doubt_other_page(values: &mut [Named]) {
    let value = |name: &str| values.iter().find(|(other, ..)| *other == name);
    let (Some((_, name, named)), Some((_, code, page))) = (value("fullName"), value("nationalId")) else {
        return;
    };
    let page = *page;
    let shared =
        |initials: &String| initials.chars().zip(code.text.chars()).filter(|(one, two)| one == two).count();
    // A letter may be misread, and codes avoid some words.
    if page == *named || initials(&name.text).iter().any(|it| shared(it) > 1) {
        return;
    }
    for (_, reading, _) in values.iter_mut().filter(|(.., at)| *at == page) {
        reading.confidence *= MAX_CONFIDENCE_DOUBTED;
        reading.fault = Some(ExtractionFaultCode::SeveralValues);
    }
}

/// Returns the fields of a person that confirm each other.
fn of_person(values: &[Named]) -> Vec<&'static str> {
    let value =
        |name: &str| values.iter().find(|(other, ..)| *other == name).map(|(_, it, _)| it.text.as_str());
    let (name, rfc) = (value("fullName"), value("taxId").filter(|rfc| rfc.chars().count() == 13));
    let code = value("nationalId").or(rfc);
    let (Some(name), Some(code)) = (name, code) else { return Vec::new() };
    let start = |code: &str, count: usize| code.chars().take(count).collect::<String>();
    if !initials(name).contains(&start(code, 4)) {
        return Vec::new();
    }
    let mut fields = vec!["fullName"];
    let born: String = code.chars().skip(4).take(6).collect();
    if value("nationalId").is_some() {
        fields.push("nationalId");
    }
    if rfc.is_some_and(|rfc| start(rfc, 10) == start(code, 10)) {
        fields.push("taxId");
    }
    // A Mexican number contains the year of birth.
    let social: String =
        value("socialSecurityNumber").unwrap_or("").chars().filter(char::is_ascii_digit).collect();
    if social.len() == 11 && social.get(4..6) == born.get(..2) {
        fields.push("socialSecurityNumber");
    }
    let dob: String = value("dob").unwrap_or("").chars().filter(char::is_ascii_digit).skip(2).collect();
    if dob == born {
        fields.push("dob");
    }
    fields
}

/// Returns whether the name is printed below the paid amount, where other people are: one who approves, a beneficiary.
fn is_below_amounts(values: &[Named]) -> bool {
    let place = |name: &str| {
        values.iter().find(|(other, ..)| *other == name).and_then(|(_, it, page)| Some((it.place?, *page)))
    };
    let (name, paid) = (place("fullName"), place("netAmount"));
    name.zip(paid).is_some_and(|((name, of_name), (paid, of_paid))| of_name == of_paid && name.is_below(paid))
}

/// Returns the beginnings that a code of a person with this name may have.
fn initials(name: &str) -> Vec<String> {
    let words: Vec<String> = name.split_whitespace().map(letters).filter(|word| !is_particle(word)).collect();
    let mut codes = Vec::new();
    for split in 1..words.len() {
        let (one, other) = words.split_at(split);
        for (given, surnames) in [(one, other), (other, one)] {
            codes.extend(code(given, surnames));
            // In practice, some codes are of María and José all the same.
            if given.len() > 1 && given.first().is_some_and(|it| COMMON.contains(&plain(it).as_str())) {
                codes.extend(code(given.get(1..).unwrap_or_default(), surnames));
            }
        }
    }
    codes
}

/// Returns the letters of a word as codes have them: in upper case, without accents, and X for Ñ.
fn letters(word: &str) -> String {
    let upper = word.to_uppercase();
    upper
        .chars()
        .map(|c| if c == 'Ñ' { "X".to_owned() } else { plain(&c.to_string()).to_uppercase() })
        .collect()
}

/// Returns the first four letters of the code for these given names and surnames.
fn code(given: &[String], surnames: &[String]) -> Option<String> {
    let given = given.first()?.chars().next()?;
    let (first, second) = (surnames.first()?, surnames.get(1));
    let mut rest = first.chars();
    let start = rest.next()?;
    let vowel = rest.find(|c| "AEIOU".contains(*c)).unwrap_or('X');
    let second = second.and_then(|it| it.chars().next()).unwrap_or('X');
    (surnames.len() <= 2).then(|| format!("{start}{vowel}{second}{given}"))
}

/// Returns the dates of a pay period that fit together: a usual length, and paid soon after it.
fn of_period(values: &[Named]) -> Vec<&'static str> {
    let date = |name: &str| -> Option<Date> {
        values.iter().find(|(other, ..)| *other == name).and_then(|(_, it, _)| it.text.parse().ok())
    };
    let (Some(from), Some(to), Some(paid)) = (date("startDate"), date("endDate"), date("payDate")) else {
        return Vec::new();
    };
    let is_soon = (0..=PAID_WITHIN).contains(&paid.days_since(to));
    if is_usual(from, to) && is_soon { vec!["startDate", "endDate", "payDate"] } else { Vec::new() }
}

/// Returns whether a line has the first and the last day of a usual period that is not the one of the document.
fn has_other_period(values: &[Named], pages: &[Page], order: Order) -> bool {
    let date = |name: &str| -> Option<Date> {
        values.iter().find(|(other, ..)| *other == name).and_then(|(_, it, _)| it.text.parse().ok())
    };
    let own = date("startDate").zip(date("endDate"));
    let is_other = |pair: &[Date]| match pair {
        [from, to] => is_usual(*from, *to) && own != Some((*from, *to)),
        _ => false,
    };
    let mut lines = pages.iter().flat_map(|page| &page.lines);
    lines.any(|line| dates(&text_of(&line.words), order).windows(2).any(is_other))
}

/// Returns whether a period has a usual length.
fn is_usual(from: Date, to: Date) -> bool {
    matches!(to.days_since(from) + 1, 7 | 13..=16 | 28..=31)
}

/// Returns the confidence in a currency.
fn currency(code: &str, pages: &[Page]) -> f32 {
    let named = |names: &[&str]| {
        let mut words = pages.iter().flat_map(|page| &page.lines).flat_map(|line| &line.words);
        words.any(|word| {
            names.contains(&word.text.trim_matches(|c: char| "().,:".contains(c)).to_uppercase().as_str())
        })
    };
    let (pesos, philippine): (&[&str], &[&str]) = (&["MXN", "M.N"], &["PHP", "₱", "PESO", "PISO"]);
    let (own, other) = if code == "MXN" { (pesos, philippine) } else { (philippine, pesos) };
    if named(other) || named(&["USD", "US$", "DOLLARS", "DÓLARES", "DOLARES", "EUR", "EUROS", "€"]) {
        MAX_CONFIDENCE_DOUBTED
    } else if named(own) {
        NAMED
    } else {
        MAX_CONFIDENCE_ALONE
    }
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn codes_of_people_begin_with_letters_of_their_names() {
        for (name, code) in [
            ("Valeria Nopal Lozano", "NOLV"),
            ("María Fernanda Ibáñez Ejemplar", "IAEF"),
            ("María Fernanda Ibáñez Ejemplar", "IAEM"),
            ("IBÁÑEZ EJEMPLAR MARÍA FERNANDA", "IAEF"),
            ("José Luis Peñasco Tepozán", "PETL"),
            ("Rosa Elena de la Cruz Ñáñez", "CUXR"),
        ] {
            assert!(initials(name).contains(&code.to_owned()), "{name}: {:?}", initials(name));
        }
        assert!(!initials("Valeria Nopal Lozano").contains(&"GOLV".to_owned()), "of another person");
    }
}
