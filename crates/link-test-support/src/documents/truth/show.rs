//! Prints dates and amounts.

use link_types::Date;

use super::content::Country;
use crate::documents::draw::Draw;

const MONTHS_ES: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];
const MONTHS_EN: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The date and amount formats of one document.
#[derive(Clone, Copy)]
pub struct Style {
    country: Country,
    date: u64,
    money: u64,
}

impl Style {
    pub fn draw(country: Country, draw: &mut Draw) -> Self {
        Self { country, date: draw.next() % 4, money: draw.next() % 3 }
    }

    pub fn date(self, date: Date) -> String {
        let text = date.to_string();
        let (year, month, day) = (&text[..4], text[5..7].parse::<usize>().unwrap(), date.day());
        match (self.country, self.date) {
            (Country::Mx, 0) => format!("{day:02}/{month:02}/{year}"),
            (Country::Mx, 1) => format!("{day} de {} de {year}", MONTHS_ES[month - 1]),
            (Country::Mx, 2) => format!("{day:02}-{}-{year}", &MONTHS_ES[month - 1][..3]),
            (Country::Ph, 0) => format!("{month:02}/{day:02}/{year}"),
            (Country::Ph, 1) => format!("{} {day}, {year}", MONTHS_EN[month - 1]),
            (Country::Ph, 2) => format!("{day:02} {} {year}", &MONTHS_EN[month - 1][..3]),
            (Country::Mx | Country::Ph, _) => text,
        }
    }

    pub fn period(self, from: Date, to: Date) -> String {
        let between = match (self.country, self.money) {
            (Country::Mx, 0) => "al",
            (Country::Ph, 0) => "to",
            (Country::Mx | Country::Ph, _) => "-",
        };
        format!("{} {between} {}", self.date(from), self.date(to))
    }

    pub fn money(self, hundredths: i64) -> String {
        let plain = group_digits(hundredths);
        match (self.country, self.money) {
            (Country::Mx, 0) => format!("${plain}"),
            (Country::Mx, 1) => format!("$ {plain} MXN"),
            (Country::Ph, 0) => format!("PHP {plain}"),
            (Country::Ph, 1) => format!("Php {plain}"),
            (Country::Mx | Country::Ph, _) => plain,
        }
    }
}

/// Formats hundredths as in `12,345.67`.
pub fn group_digits(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let units = (hundredths.unsigned_abs() / 100).to_string();
    let mut text = String::new();
    for (at, digit) in units.chars().enumerate() {
        if at > 0 && (units.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{sign}{text}.{:02}", hundredths.unsigned_abs() % 100)
}

/// Formats hundredths as in `12345.67`, the wire format.
pub fn wire(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100)
}
