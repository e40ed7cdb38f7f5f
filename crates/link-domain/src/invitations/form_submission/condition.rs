//! Conditions: which fields of a form a person sees.
//!
//! A rule names an earlier field, so conditions have no cycles, and one pass over the fields decides all of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use link_types::form_submission::{
    ConditionJoin, ConditionOperator, ConditionRule, FieldCondition, FormAnswer, LinkSiteField,
    LinkSiteFieldType,
};
use link_types::format::FieldFormat;

/// Maximum number of digits before the point of a number, and after it.
const MAX_DIGITS: (usize, usize) = (15, 6);

/// Reason why a rule of a condition is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleErrorKind {
    /// The form does not have the field.
    #[error("must be the name of a field of the form")]
    UnknownField,
    /// The field is later in the form, or the field itself. Such rules could form a cycle.
    #[error("must be the name of an earlier field")]
    NotEarlier,
    /// The field has no answer.
    #[error("must not be a STATEMENT, which has no answer")]
    NoAnswer,
    /// The operator does not fit the type of the field.
    #[error("LESS and GREATER need a NUMBER or a DATE, and a FILE needs ANSWERED")]
    Operator,
    /// The operator needs another number of values.
    #[error("must have no value for ANSWERED, 1 to 50 for ONE_OF, otherwise one")]
    Count,
    /// A value cannot be an answer to the field.
    #[error("must be possible answers to the field")]
    Value,
}

/// Returns every error in the condition of a field, with the part of the condition, like `rules[0].field`.
pub(super) fn faults(
    condition: &FieldCondition,
    fields: &[LinkSiteField],
    index: usize,
) -> Vec<(String, RuleErrorKind)> {
    let rules = condition.rules.iter().enumerate();
    rules
        .filter_map(|(number, rule)| {
            let (part, kind) = fault(rule, fields, index)?;
            Some((format!("rules[{number}].{part}"), kind))
        })
        .collect()
}

fn fault(
    rule: &ConditionRule,
    fields: &[LinkSiteField],
    index: usize,
) -> Option<(&'static str, RuleErrorKind)> {
    let Some(position) = fields.iter().position(|it| it.name == rule.field) else {
        return Some(("field", RuleErrorKind::UnknownField));
    };
    if position >= index {
        return Some(("field", RuleErrorKind::NotEarlier));
    }
    let field = &fields[position];
    let is_ordered = matches!(field.field_type, LinkSiteFieldType::Number | LinkSiteFieldType::Date);
    if field.field_type == LinkSiteFieldType::File && rule.operator != ConditionOperator::Answered {
        return Some(("operator", RuleErrorKind::Operator));
    }
    let count = match rule.operator {
        ConditionOperator::Answered => 0..=0,
        ConditionOperator::OneOf => 1..=50,
        ConditionOperator::Less | ConditionOperator::Greater if !is_ordered => {
            return Some(("operator", RuleErrorKind::Operator));
        }
        ConditionOperator::Equals
        | ConditionOperator::Not
        | ConditionOperator::Less
        | ConditionOperator::Greater => 1..=1,
    };
    if field.field_type == LinkSiteFieldType::Statement {
        return Some(("field", RuleErrorKind::NoAnswer));
    }
    if !count.contains(&rule.values.len()) {
        return Some(("values", RuleErrorKind::Count));
    }
    let can_be = |value: &String| match field.field_type {
        LinkSiteFieldType::Number => normalize_number(value).as_ref() == Some(value),
        LinkSiteFieldType::Date => FieldFormat::Date {}.check(value).is_ok(),
        LinkSiteFieldType::Choice | LinkSiteFieldType::Several => field.choices.contains(value),
        LinkSiteFieldType::Checkbox => value == "true" || value == "false",
        LinkSiteFieldType::Text
        | LinkSiteFieldType::LongText
        | LinkSiteFieldType::Email
        | LinkSiteFieldType::Phone
        | LinkSiteFieldType::Address
        | LinkSiteFieldType::File
        | LinkSiteFieldType::Statement
        | LinkSiteFieldType::Hidden => (1..=200).contains(&value.chars().count()),
    };
    (!rule.values.iter().all(can_be)).then_some(("values", RuleErrorKind::Value))
}

/// Returns whether a condition holds. `answers` are the answers to the earlier fields that are shown.
pub(super) fn holds(condition: &FieldCondition, answers: &BTreeMap<String, FormAnswer>) -> bool {
    let mut rules = condition.rules.iter().map(|rule| rule_holds(rule, answers.get(&rule.field)));
    match condition.join {
        ConditionJoin::All => rules.all(|it| it),
        ConditionJoin::Any => rules.any(|it| it),
    }
}

fn rule_holds(rule: &ConditionRule, answer: Option<&FormAnswer>) -> bool {
    let is_any = || rule.values.iter().any(|value| answer.is_some_and(|it| is(it, value)));
    let compares = |order: Ordering| match (answer, rule.values.first()) {
        (Some(FormAnswer::Text(text)), Some(value)) => compare(text, value) == Some(order),
        _ => false,
    };
    match rule.operator {
        ConditionOperator::Equals | ConditionOperator::OneOf => is_any(),
        ConditionOperator::Not => !is_any(),
        ConditionOperator::Less => compares(Ordering::Less),
        ConditionOperator::Greater => compares(Ordering::Greater),
        ConditionOperator::Answered => match answer {
            None | Some(FormAnswer::Unanswered) => false,
            Some(FormAnswer::Ticked(is_ticked)) => *is_ticked,
            Some(FormAnswer::Text(text)) => !text.is_empty(),
            Some(FormAnswer::Chosen(chosen)) => !chosen.is_empty(),
        },
    }
}

fn is(answer: &FormAnswer, value: &str) -> bool {
    match answer {
        FormAnswer::Text(text) => text == value,
        FormAnswer::Ticked(is_ticked) => value == if *is_ticked { "true" } else { "false" },
        FormAnswer::Chosen(chosen) => chosen.iter().any(|it| it == value),
        FormAnswer::Unanswered => false,
    }
}

/// Compares numbers by their value, and dates as text: `YYYY-MM-DD` is in the order of time.
fn compare(answer: &str, value: &str) -> Option<Ordering> {
    let is_date = |text: &str| FieldFormat::Date {}.check(text).is_ok();
    match (number(answer), number(value)) {
        (Some(answer), Some(value)) => Some(answer.cmp(&value)),
        _ => (is_date(answer) && is_date(value)).then(|| answer.cmp(value)),
    }
}

/// Parses a number in millionths: a sign, at most 15 digits, and at most 6 after a point.
fn number(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit())
    };
    if !is_digits(whole, MAX_DIGITS.0) || !is_digits(part, MAX_DIGITS.1) {
        return None;
    }
    format!("{whole}{part:0<6}").parse::<i128>().ok().map(|it| sign * it)
}

/// Returns a number as it is stored, without zeros at its ends: `1250.50` is `1250.5`. `None` if it is not a number.
pub(super) fn normalize_number(text: &str) -> Option<String> {
    let millionths = number(text)?;
    let (sign, size) = (if millionths < 0 { "-" } else { "" }, millionths.unsigned_abs());
    let text = format!("{sign}{}.{:06}", size / 1_000_000, size % 1_000_000);
    Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

#[cfg(test)]
mod tests;
