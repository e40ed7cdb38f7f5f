//! Reading the texts that a browser sends as answers to a form.

use std::collections::{BTreeMap, BTreeSet};

use link_types::form_submission::{FormAnswer, LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::format::{FieldFormat, FormatError};

use super::{AnswerError, AnswerErrorKind, FormFile, condition};

/// Maximum number of characters in an answer of one line.
pub(super) const MAX_ANSWER: u16 = 2_000;
/// Maximum number of characters in an answer of several lines.
const MAX_LONG_ANSWER: u16 = 5_000;

/// Texts by the name of their field, as a browser sends them: a ticked checkbox has a text, a SEVERAL has one for each
/// choice, an empty field has an empty text or is absent.
pub type AnswerTexts = BTreeMap<String, Vec<String>>;

/// The answers to a form, and which of its fields the person sees with them.
#[derive(Clone, PartialEq, Eq)]
pub struct FormReading {
    /// Answers to the fields that are shown, by name. An invalid answer is as the person wrote it.
    pub data: BTreeMap<String, FormAnswer>,
    /// Names of the fields that a condition hides.
    pub hidden: BTreeSet<String>,
    /// Every invalid answer.
    pub faults: Vec<AnswerError>,
    /// Files of the FILE fields. [`FormReading::new`] does not read them.
    pub files: Vec<FormFile>,
}

impl std::fmt::Debug for FormReading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FormReading({} answers)", self.data.len())
    }
}

impl FormReading {
    /// Reads the answers to a form. Texts of fields that the form does not have, or that are hidden, are ignored.
    pub fn new(form: &LinkSiteForm, texts: &AnswerTexts) -> Self {
        let mut reading =
            Self { data: BTreeMap::new(), hidden: BTreeSet::new(), faults: Vec::new(), files: Vec::new() };
        for field in &form.fields {
            if field.condition.as_ref().is_some_and(|it| !condition::holds(it, &reading.data)) {
                reading.hidden.insert(field.name.clone());
                continue;
            }
            if field.field_type == LinkSiteFieldType::Statement {
                continue;
            }
            let texts = texts.get(&field.name).map(Vec::as_slice).unwrap_or_default();
            let answer = read(field, texts).unwrap_or_else(|kind| {
                reading.faults.push(AnswerError { field: field.name.clone(), kind });
                as_written(field, texts)
            });
            reading.data.insert(field.name.clone(), answer);
        }
        reading
    }

    /// Returns the answers as texts, from which the same answers are read again.
    pub fn texts(&self) -> AnswerTexts {
        texts_of(&self.data)
    }
}

/// Returns stored answers as texts.
pub(super) fn texts_of(data: &BTreeMap<String, FormAnswer>) -> AnswerTexts {
    let texts = |answer: &FormAnswer| match answer {
        FormAnswer::Text(text) => vec![text.clone()],
        FormAnswer::Chosen(chosen) => chosen.clone(),
        FormAnswer::Ticked(true) => vec!["on".to_owned()],
        FormAnswer::Ticked(false) | FormAnswer::Unanswered => Vec::new(),
    };
    data.iter().map(|(name, answer)| (name.clone(), texts(answer))).collect()
}

fn read(field: &LinkSiteField, texts: &[String]) -> Result<FormAnswer, AnswerErrorKind> {
    let text = texts.first().map(|it| it.replace('\0', "")).unwrap_or_default();
    let text = text.trim();
    let empty = |answer: FormAnswer| if field.required { Err(FormatError::Empty.into()) } else { Ok(answer) };
    let format = match field.field_type {
        LinkSiteFieldType::Checkbox if text.is_empty() => return empty(FormAnswer::Ticked(false)),
        LinkSiteFieldType::Checkbox => return Ok(FormAnswer::Ticked(true)),
        LinkSiteFieldType::Several => {
            let sent: BTreeSet<&str> = texts.iter().map(|it| it.trim()).filter(|it| !it.is_empty()).collect();
            let chosen = field.choices.iter().filter(|it| sent.contains(it.as_str()));
            let chosen: Vec<String> = chosen.cloned().collect();
            return match sent.len() {
                0 => empty(FormAnswer::Unanswered),
                sent if sent == chosen.len() => Ok(FormAnswer::Chosen(chosen)),
                _ => Err(FormatError::NotAChoice.into()),
            };
        }
        // The texts are the names of the files.
        LinkSiteFieldType::File if texts.is_empty() => return empty(FormAnswer::Unanswered),
        LinkSiteFieldType::File => return Ok(FormAnswer::Chosen(texts.to_vec())),
        _ if text.is_empty() => return empty(FormAnswer::Unanswered),
        LinkSiteFieldType::Number => {
            // Folds the digits of other scripts, as for a date.
            let text = FieldFormat::Date {}.normalize(text);
            return condition::normalize_number(&text)
                .map(FormAnswer::Text)
                .ok_or(AnswerErrorKind::NotNumber);
        }
        LinkSiteFieldType::LongText | LinkSiteFieldType::Address => {
            FieldFormat::Text { min: 1, max: MAX_LONG_ANSWER }
        }
        LinkSiteFieldType::Text => {
            field.format.clone().unwrap_or(FieldFormat::Text { min: 1, max: MAX_ANSWER })
        }
        LinkSiteFieldType::Hidden | LinkSiteFieldType::Statement => {
            FieldFormat::Text { min: 1, max: MAX_ANSWER }
        }
        LinkSiteFieldType::Email => FieldFormat::Email {},
        LinkSiteFieldType::Phone => FieldFormat::Phone {},
        LinkSiteFieldType::Date => FieldFormat::Date {},
        LinkSiteFieldType::Choice => FieldFormat::OneOf { values: field.choices.clone() },
    };
    Ok(FormAnswer::Text(format.read(text)?))
}

/// Returns an invalid answer, so that the person can correct it. It is cut to the longest answer.
fn as_written(field: &LinkSiteField, texts: &[String]) -> FormAnswer {
    let cut = |text: &String| text.replace('\0', "").chars().take(MAX_LONG_ANSWER.into()).collect::<String>();
    match field.field_type {
        LinkSiteFieldType::Checkbox => FormAnswer::Ticked(false),
        LinkSiteFieldType::Several => {
            FormAnswer::Chosen(field.choices.iter().filter(|it| texts.contains(it)).cloned().collect())
        }
        LinkSiteFieldType::Text
        | LinkSiteFieldType::LongText
        | LinkSiteFieldType::Number
        | LinkSiteFieldType::Date
        | LinkSiteFieldType::Choice
        | LinkSiteFieldType::Email
        | LinkSiteFieldType::Phone
        | LinkSiteFieldType::Address
        | LinkSiteFieldType::File
        | LinkSiteFieldType::Statement
        | LinkSiteFieldType::Hidden => match texts.first().map(cut).filter(|it| !it.is_empty()) {
            Some(text) => FormAnswer::Text(text),
            None => FormAnswer::Unanswered,
        },
    }
}
