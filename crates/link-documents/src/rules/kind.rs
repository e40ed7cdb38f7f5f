//! Recognizes the kind of a document by characteristic phrases.

use link_types::archive::ArchiveType;

use super::plain::{alike, plain};
use super::values::Order;
use crate::page::{Line, Page, Word, text_of};

/// A phrase and its weight.
type Sign = (&'static str, u32);

/// The minimum total weight for a document to be recognized.
const MIN_WEIGHT: u32 = 8;

/// The weight from which a phrase is a title.
const TITLE: u32 = 10;

const PAYSLIP: &[Sign] = &[
    ("recibo de nomina", 10),
    ("payslip", 10),
    ("pay slip", 10),
    ("comprobante de pago", 8),
    ("total percepciones", 3),
    ("total deducciones", 4),
    ("neto a pagar", 4),
    ("net pay", 4),
    ("gross pay", 4),
    ("total deductions", 4),
    ("pay period", 3),
    ("take home pay", 4),
    ("pay date", 3),
    ("fecha de pago", 2),
];
const TAX_DOCUMENT: &[Sign] = &[
    ("constancia de percepciones y retenciones", 12),
    ("constancia de retenciones", 10),
    ("declaracion anual", 10),
    ("certificate of compensation", 10),
    ("ejercicio fiscal", 4),
    ("tax year", 4),
    ("isr retenido", 4),
    ("impuesto retenido", 4),
    ("tax withheld", 3),
    ("ingresos gravados", 4),
    ("base gravable", 4),
    ("taxable income", 4),
    ("taxable compensation", 4),
    ("retenedor", 2),
];
const COMPANY_ID: &[Sign] = &[
    ("credencial de empleado", 12),
    ("gafete", 8),
    ("employee identification card", 12),
    ("employee id card", 12),
    ("company id", 10),
    ("credencial es intransferible", 3),
    ("card is not transferable", 3),
];
const IDENTIFICATION: &[Sign] = &[
    ("credencial de identificacion", 12),
    ("national identification card", 12),
    ("credencial para votar", 12),
    ("pasaporte", 10),
    ("passport", 10),
    ("licencia de conducir", 10),
    ("drivers license", 10),
    ("cedula de identidad", 10),
    ("fecha de nacimiento", 2),
    ("date of birth", 2),
    ("apellidos", 2),
    ("apelyido", 3),
    ("mga pangalan", 3),
    ("sexo", 1),
    ("identification card", 4),
];
const CLEARANCE: &[Sign] = &[
    ("no antecedentes penales", 12),
    ("carta de no antecedentes", 12),
    ("police clearance", 12),
    ("clearance", 6),
    ("sin antecedentes", 4),
    ("no record on file", 4),
    ("folio", 1),
    ("purpose", 2),
];
const CERTIFICATE: &[Sign] = &[
    ("constancia laboral", 12),
    ("constancia de trabajo", 12),
    ("certificate of employment", 12),
    ("employment certificate", 12),
    ("carta laboral", 10),
    ("fecha de ingreso", 3),
    ("date hired", 4),
    ("a quien corresponda", 2),
    ("to whom it may concern", 2),
    ("sueldo mensual", 2),
    ("monthly salary", 2),
];
const BANK_STATEMENT: &[Sign] = &[
    ("estado de cuenta", 12),
    ("statement of account", 12),
    ("bank statement", 12),
    ("account statement", 12),
    ("saldo inicial", 4),
    ("saldo final", 4),
    ("saldo anterior", 4),
    ("beginning balance", 4),
    ("ending balance", 4),
    ("opening balance", 4),
    ("closing balance", 4),
    ("cargos", 2),
    ("abonos", 2),
    ("clabe", 3),
];

const KINDS: [(ArchiveType, &[Sign]); 7] = [
    (ArchiveType::Payslip, PAYSLIP),
    (ArchiveType::TaxDocument, TAX_DOCUMENT),
    (ArchiveType::CompanyId, COMPANY_ID),
    (ArchiveType::Identification, IDENTIFICATION),
    (ArchiveType::Clearance, CLEARANCE),
    (ArchiveType::Certificate, CERTIFICATE),
    (ArchiveType::BankStatement, BANK_STATEMENT),
];

/// Returns the kind of document, if its words identify it.
pub(super) fn kind(pages: &[Page]) -> Option<ArchiveType> {
    let lines: Vec<String> = pages.iter().flat_map(|page| &page.lines).map(join_words).collect();
    let weigh = |signs: &[Sign]| -> u32 {
        signs.iter().filter(|(phrase, _)| holds(&lines, phrase)).map(|(_, weight)| weight).sum()
    };
    let weighed = KINDS.map(|(kind, signs)| (weigh(signs), kind));
    weighed
        .into_iter()
        .max_by_key(|(weight, _)| *weight)
        .filter(|(weight, _)| *weight >= MIN_WEIGHT)
        .map(|(_, kind)| kind)
}

/// Returns whether a line is the title of any kind of document. Such lines are not searched for labels.
pub(super) fn is_title(line: &Line) -> bool {
    let line = [join_words(line)];
    KINDS
        .iter()
        .flat_map(|(_, signs)| *signs)
        .any(|(phrase, weight)| *weight >= TITLE && holds(&line, phrase))
}

/// Returns the kind of document that a line is the title of. A sentence that contains the words is not a title.
pub(super) fn title(line: &Line) -> Option<ArchiveType> {
    let text = [join_words(line)];
    let letters = text.iter().map(String::len).sum::<usize>();
    let is_title =
        |(phrase, weight): &Sign| *weight >= TITLE && phrase.len() * 2 >= letters && holds(&text, phrase);
    KINDS.iter().find(|(_, signs)| signs.iter().any(is_title)).map(|(kind, _)| *kind)
}

/// Returns the words in plain form, separated by single spaces.
fn join_words(line: &Line) -> String {
    let words = line.words.iter().map(|word| plain(&word.text)).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Returns whether a line contains the phrase, allowing misread letters.
fn holds(lines: &[String], phrase: &str) -> bool {
    let count = phrase.split(' ').count();
    let wanted = plain(phrase);
    lines.iter().any(|line| {
        if line.contains(phrase) {
            return true;
        }
        let words: Vec<&str> = line.split(' ').collect();
        words.windows(count).any(|words| alike(&words.concat(), &wanted))
    })
}

/// Returns the words of a line without translations of labels, like `/ Nombre:`.
fn without_translations(line: &Line) -> impl Iterator<Item = &Word> {
    let last = line.words.iter().rposition(|word| word.text.ends_with(':')).unwrap_or(0);
    let mut is_translation = false;
    line.words
        .iter()
        .enumerate()
        .filter(move |(at, word)| {
            is_translation |= word.text.starts_with('/') && *at < last;
            let is_left_out = is_translation;
            is_translation &= !word.text.ends_with(':');
            !is_left_out
        })
        .map(|(_, word)| word)
}

/// A document's country, which determines the date format and the currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Country {
    Mexico,
    Philippines,
}

/// The lead of the words of one country from which it is clear.
const CLEAR: i32 = 6;

impl Country {
    /// Determines the country by the language of most words, and by words for currencies, institutions and forms of companies.
    /// Also returns whether it is clear.
    pub fn detect(pages: &[Page]) -> (Self, bool) {
        const SPANISH: [&str; 18] = [
            "de",
            "del",
            "la",
            "el",
            "y",
            "nombre",
            "fecha",
            "mxn",
            "rfc",
            "curp",
            "nomina",
            "saldo",
            "cuenta",
            "empleado",
            "domicilio",
            "total",
            "puesto",
            "vigencia",
        ];
        const ENGLISH: [&str; 18] = [
            "of", "the", "and", "name", "date", "php", "tin", "sss", "pay", "balance", "account", "employee",
            "address", "number", "no", "position", "valid", "ng",
        ];
        let mut lead = 0_i32;
        for word in pages.iter().flat_map(|page| &page.lines).flat_map(without_translations) {
            let word = plain(&word.text);
            lead += i32::from(SPANISH.contains(&word.as_str())) - i32::from(ENGLISH.contains(&word.as_str()));
            lead += match word.as_str() {
                "mxn" | "rfc" | "curp" | "nss" | "clabe" | "mexico" | "cv" => 5,
                "php" | "tin" | "sss" | "philhealth" | "barangay" | "philippines" | "pilipinas" | "inc"
                | "corporation" => -5,
                _ => 0,
            };
        }
        (if lead >= 0 { Self::Mexico } else { Self::Philippines }, lead.abs() >= CLEAR)
    }

    /// Returns the order of day and month in numeric dates: the one that the pages show, or the usual one of the country.
    pub fn order(self, is_clear: bool, pages: &[Page]) -> Order {
        let texts: Vec<String> =
            pages.iter().flat_map(|page| &page.lines).map(|line| text_of(&line.words)).collect();
        let usual = Order { is_day_first: self == Self::Mexico, is_sure: is_clear };
        Order::detect(texts.iter().map(String::as_str)).unwrap_or(usual)
    }

    /// Returns the ISO 4217 code of the currency.
    pub const fn currency(self) -> &'static str {
        match self {
            Self::Mexico => "MXN",
            Self::Philippines => "PHP",
        }
    }

    /// Returns the ISO 3166-1 alpha-2 code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Mexico => "MX",
            Self::Philippines => "PH",
        }
    }
}
