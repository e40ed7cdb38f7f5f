//! What stands in a document.

use link_types::Date;
use link_types::archive::ArchiveType;

use super::draw::Draw;
use super::words;

mod kinds;
mod numbers;
mod show;

pub use show::grouped;

/// Where a document is from; it decides language, forms of dates and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Country {
    /// Mexico, in Spanish.
    Mx,
    /// The Philippines, in English and Filipino.
    Ph,
}

impl Country {
    /// Its code in lower case.
    pub fn code(self) -> &'static str {
        match self {
            Self::Mx => "mx",
            Self::Ph => "ph",
        }
    }
}

/// One thing that a document says.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The labels it may stand under, the plain one first.
    pub labels: Vec<&'static str>,
    /// The label in the other language, for bilingual layouts.
    pub other: &'static str,
    /// As it is printed.
    pub shown: String,
}

/// A movement on a bank statement.
#[derive(Clone, Debug)]
pub struct Movement {
    /// The day, as read.
    pub date: Date,
    /// The day, as printed.
    pub shown_date: String,
    /// What for.
    pub description: String,
    /// Hundredths; negative when it left the account.
    pub hundredths: i64,
    /// The balance after it, in hundredths.
    pub balance: i64,
}

/// What stands in a document, and what a reader should find.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The kind.
    pub kind: ArchiveType,
    /// Where it is from.
    pub country: Country,
    /// Who issued it: printed at the top.
    pub issuer: String,
    /// The title.
    pub title: String,
    /// What it says, in groups.
    pub groups: Vec<Vec<Fact>>,
    /// Lines of amounts that are no field of their own: what a payslip adds up.
    pub items: Vec<(String, String)>,
    /// What it says last: totals.
    pub totals: Vec<Fact>,
    /// A bank statement's movements.
    pub movements: Vec<Movement>,
    /// A closing sentence.
    pub note: String,
    /// The fields a reader should find, in the forms of the wire.
    pub expected: Vec<(&'static str, String)>,
}

/// Invents a document.
pub fn invent(kind: ArchiveType, country: Country, draw: &mut Draw) -> Truth {
    kinds::invent(kind, country, draw)
}

/// A person.
struct Person {
    first: &'static str,
    last: String,
    middle: &'static str,
    dob: Date,
    female: bool,
}

impl Person {
    fn invent(country: Country, draw: &mut Draw) -> Self {
        let given = words::given(country);
        let at = usize::try_from(draw.next() % given.len() as u64).unwrap();
        let family = words::family(country);
        let (one, two) = (*draw.pick(family), *draw.pick(family));
        let last = match country {
            Country::Mx => format!("{one} {two}"),
            Country::Ph => one.to_owned(),
        };
        let year = i32::try_from(draw.number(1960, 2004)).unwrap();
        let dob = Date::new(
            year,
            u8::try_from(draw.number(1, 12)).unwrap(),
            u8::try_from(draw.number(1, 28)).unwrap(),
        );
        Self { first: given[at], last, middle: two, dob: dob.unwrap(), female: at % 2 == 0 }
    }

    fn full_name(&self, country: Country) -> String {
        match country {
            Country::Mx => format!("{} {}", self.first, self.last),
            Country::Ph => format!("{} {} {}", self.first, self.middle, self.last),
        }
    }
}
