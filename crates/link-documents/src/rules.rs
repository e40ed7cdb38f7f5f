//! Reading of a document's data: its kind, its fields, and a bank's transactions. Pure functions over positioned words.

mod agreement;
mod belonging;
mod columns;
mod documents;
mod evidence;
mod extract;
mod fields;
mod finder;
mod findings;
mod gender;
mod heading;
mod kind;
mod labels;
mod movements;
mod others;
mod plain;
mod subject;
mod sums;
mod tidy;
mod values;

pub(crate) use agreement::{Agreement, compare};
pub use extract::read;
pub(crate) use findings::LabelArea;
pub use findings::{Findings, RecognitionError};
