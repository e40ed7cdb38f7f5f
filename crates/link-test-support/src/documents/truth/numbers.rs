//! Numbers of people and companies with valid formats and check digits. They belong to no real person: dates and
//! initials are fictional, and homonym marks are from ranges that are not issued first.

use super::person::Person;
use crate::documents::draw::Draw;

const ALPHABET: &str = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ";

fn plain(text: &str) -> String {
    text.to_uppercase()
        .chars()
        .map(|c| match c {
            'Á' => 'A',
            'É' => 'E',
            'Í' => 'I',
            'Ó' => 'O',
            'Ú' => 'U',
            'Ñ' => 'X',
            other => other,
        })
        .collect()
}

fn initials(person: &Person) -> String {
    let (last, first) = (plain(&person.last), plain(person.first));
    let mut surnames = last.split(' ');
    let (one, two) = (surnames.next().unwrap(), surnames.next().unwrap());
    let vowel = one.chars().skip(1).find(|c| "AEIOU".contains(*c)).unwrap_or('X');
    format!("{}{vowel}{}{}", &one[..1], &two[..1], &first[..1])
}

fn day(person: &Person) -> String {
    let text = person.dob.to_string();
    format!("{}{}{}", &text[2..4], &text[5..7], &text[8..10])
}

/// Returns a Mexican population registry code (CURP).
pub fn curp(person: &Person, draw: &mut Draw) -> String {
    let sex = if person.female { 'M' } else { 'H' };
    let state = draw.pick(&["JC", "DF", "NL", "PL", "VZ", "GT"]);
    let letters: String =
        (0..3).map(|_| *draw.pick(&['B', 'C', 'D', 'F', 'G', 'L', 'M', 'N', 'R', 'S', 'T'])).collect();
    let mark = if person.dob.to_string().starts_with("20") { 'A' } else { '0' };
    let body = format!("{}{}{sex}{state}{letters}{mark}", initials(person), day(person));
    let sum: usize = body
        .chars()
        .enumerate()
        .map(|(at, c)| ALPHABET.chars().position(|known| known == c).unwrap() * (18 - at))
        .sum();
    format!("{body}{}", (10 - sum % 10) % 10)
}

/// Returns a person's Mexican tax number (RFC).
pub fn rfc(person: &Person, draw: &mut Draw) -> String {
    let mark: String = (0..3).map(|_| *draw.pick(&['A', 'B', 'C', 'D', '1', '2', '3', '7', '9'])).collect();
    format!("{}{}{mark}", initials(person), day(person))
}

/// Returns a company's Mexican tax number (RFC).
pub fn company_rfc(name: &str, draw: &mut Draw) -> String {
    let letters: String = plain(name).split(' ').filter_map(|word| word.chars().next()).take(3).collect();
    let year = draw.number(85, 99);
    let mark: String = (0..3).map(|_| *draw.pick(&['A', 'B', 'C', 'D', '1', '2', '3', '7', '9'])).collect();
    format!("{letters}{year}{:02}{:02}{mark}", draw.number(1, 12), draw.number(1, 28))
}

/// Returns a Mexican social security number (NSS) with its check digit.
pub fn nss(draw: &mut Draw) -> String {
    let body = draw.digits(10);
    let sum: u32 = body
        .bytes()
        .enumerate()
        .map(|(at, digit)| {
            let value = u32::from(digit - b'0') * if at % 2 == 0 { 1 } else { 2 };
            value / 10 + value % 10
        })
        .sum();
    format!("{body}{}", (10 - sum % 10) % 10)
}

/// Returns a Philippine tax number (TIN).
pub fn tin(draw: &mut Draw) -> String {
    format!("{}-{}-{}-000", draw.digits(3), draw.digits(3), draw.digits(3))
}

/// Returns a Philippine social security number (SSS).
pub fn sss(draw: &mut Draw) -> String {
    format!("{}-{}-{}", draw.digits(2), draw.digits(7), draw.digits(1))
}
