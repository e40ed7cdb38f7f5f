//! The parts of a document's content.

use link_types::Date;
use link_types::archive::ArchiveType;

/// The country of a document, which determines its language, date and number formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Country {
    /// Mexico, in Spanish.
    Mx,
    /// The Philippines, in English and Filipino.
    Ph,
}

impl Country {
    /// Returns the country code in lower case.
    pub fn code(self) -> &'static str {
        match self {
            Self::Mx => "mx",
            Self::Ph => "ph",
        }
    }
}

/// One labeled value in a document.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The possible labels, the plain one first.
    pub labels: Vec<&'static str>,
    /// The label in the other language, for bilingual layouts.
    pub other: &'static str,
    /// The value as printed.
    pub shown: String,
}

/// A transaction on a bank statement.
#[derive(Clone, Debug)]
pub struct Movement {
    /// The date.
    pub date: Date,
    /// The date as printed.
    pub shown_date: String,
    /// The description.
    pub description: String,
    /// The amount in hundredths; negative for a debit.
    pub hundredths: i64,
    /// The balance after the transaction, in hundredths.
    pub balance: i64,
}

/// The content of a document, and the fields that a reader should find.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The document type.
    pub kind: ArchiveType,
    /// The country.
    pub country: Country,
    /// The issuer, printed at the top.
    pub issuer: String,
    /// The title.
    pub title: String,
    /// The labeled values, in groups.
    pub groups: Vec<Vec<Fact>>,
    /// The base salary of a payslip: an item of the table of amounts, or one of the labeled values.
    pub base: Option<Fact>,
    /// Earnings that are not expected fields, such as overtime.
    pub earnings: Vec<(String, String)>,
    /// Deductions that are not expected fields, such as taxes.
    pub deductions: Vec<(String, String)>,
    /// The totals, printed last.
    pub totals: Vec<Fact>,
    /// The transactions of a bank statement.
    pub movements: Vec<Movement>,
    /// A closing sentence.
    pub note: String,
    /// The fields that a reader should find, in wire format.
    pub expected: Vec<(&'static str, String)>,
}
