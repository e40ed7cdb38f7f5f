use std::collections::BTreeSet;

use link_types::form_submission::LinkSiteForm;
use proptest::prelude::*;
use rstest::rstest;

use super::super::definition::tests::{field, form};
use super::super::reading::{AnswerTexts, FormReading};
use super::super::{FormDefinitionErrorKind, faults};
use super::*;

fn rule(field: &str, operator: ConditionOperator, values: &[&str]) -> ConditionRule {
    ConditionRule {
        field: field.into(),
        operator,
        values: values.iter().map(|it| (*it).to_owned()).collect(),
    }
}

fn show_if(mut field: LinkSiteField, join: ConditionJoin, rules: Vec<ConditionRule>) -> LinkSiteField {
    field.required = false;
    field.condition = Some(FieldCondition { join, rules });
    field
}

/// A form with a field of each type that has an answer, and a last field with the rule.
fn form_with(rule: ConditionRule) -> LinkSiteForm {
    let mut fields = vec![
        field("use", LinkSiteFieldType::Choice, &["Car", "Home"]),
        field("extras", LinkSiteFieldType::Several, &["Roof", "Door"]),
        field("amount", LinkSiteFieldType::Number, &[]),
        field("from", LinkSiteFieldType::Date, &[]),
        field("truth", LinkSiteFieldType::Checkbox, &[]),
        field("note", LinkSiteFieldType::Statement, &[]),
    ];
    fields.iter_mut().for_each(|it| it.required = false);
    fields.push(show_if(field("last", LinkSiteFieldType::Text, &[]), ConditionJoin::All, vec![rule]));
    form(fields, &[])
}

fn texts(answers: &[(&str, &str)]) -> AnswerTexts {
    let mut texts = AnswerTexts::new();
    for (name, text) in answers {
        texts.entry((*name).to_owned()).or_default().push((*text).to_owned());
    }
    texts
}

use ConditionOperator::{Answered, Equals, Greater, Less, Not, OneOf};

#[rstest]
#[case::equal(rule("use", Equals, &["Car"]), &[("use", "Car")], true)]
#[case::other_choice(rule("use", Equals, &["Car"]), &[("use", "Home")], false)]
#[case::equal_without_answer(rule("use", Equals, &["Car"]), &[], false)]
#[case::not_without_answer(rule("use", Not, &["Car"]), &[], true)]
#[case::not(rule("use", Not, &["Car"]), &[("use", "Car")], false)]
#[case::one_of(rule("use", OneOf, &["Boat", "Home"]), &[("use", "Home")], true)]
#[case::one_of_several(rule("extras", Equals, &["Door"]), &[("extras", "Roof"), ("extras", "Door")], true)]
#[case::less(rule("amount", Less, &["10"]), &[("amount", "9.5")], true)]
#[case::less_by_value(rule("amount", Less, &["10"]), &[("amount", "9")], true)]
#[case::not_less(rule("amount", Less, &["10"]), &[("amount", "10.0")], false)]
#[case::greater(rule("amount", Greater, &["-1"]), &[("amount", "0")], true)]
#[case::equal_number(rule("amount", Equals, &["5"]), &[("amount", "5.0")], true)]
#[case::later_date(rule("from", Greater, &["2026-01-31"]), &[("from", "2026-02-01")], true)]
#[case::ticked(rule("truth", Answered, &[]), &[("truth", "on")], true)]
#[case::unticked(rule("truth", Answered, &[]), &[], false)]
#[case::unticked_equals_false(rule("truth", Equals, &["false"]), &[], true)]
#[case::answered(rule("extras", Answered, &[]), &[("extras", "Roof")], true)]
#[case::left_empty(rule("amount", Answered, &[]), &[("amount", " ")], false)]
fn field_is_shown_if_its_condition_holds(
    #[case] rule: ConditionRule,
    #[case] answers: &[(&str, &str)],
    #[case] expected: bool,
) {
    let reading = FormReading::new(&form_with(rule), &texts(answers));
    assert_eq!(!reading.hidden.contains("last"), expected);
}

#[rstest]
#[case::all(ConditionJoin::All, &["Car"], false)]
#[case::any(ConditionJoin::Any, &["Car"], true)]
fn rules_are_joined(#[case] join: ConditionJoin, #[case] chosen: &[&str], #[case] expected: bool) {
    let rules = chosen.iter().map(|it| rule("use", Equals, &[it])).chain([rule("amount", Answered, &[])]);
    let mut form = form_with(rule("use", Answered, &[]));
    form.fields[6].condition = Some(FieldCondition { join, rules: rules.collect() });
    assert_eq!(!FormReading::new(&form, &texts(&[("use", "Car")])).hidden.contains("last"), expected);
}

#[rstest]
#[case::unknown(rule("gone", Answered, &[]), "field", RuleErrorKind::UnknownField)]
#[case::itself(rule("last", Answered, &[]), "field", RuleErrorKind::NotEarlier)]
#[case::statement(rule("note", Answered, &[]), "field", RuleErrorKind::NoAnswer)]
#[case::text_is_not_ordered(rule("use", Less, &["Car"]), "operator", RuleErrorKind::Operator)]
#[case::value_of_answered(rule("use", Answered, &["Car"]), "values", RuleErrorKind::Count)]
#[case::no_value(rule("use", Equals, &[]), "values", RuleErrorKind::Count)]
#[case::two_values(rule("use", Equals, &["Car", "Home"]), "values", RuleErrorKind::Count)]
#[case::no_choice(rule("use", OneOf, &["Boat"]), "values", RuleErrorKind::Value)]
#[case::no_number(rule("amount", Less, &["1,5"]), "values", RuleErrorKind::Value)]
#[case::zeros(rule("amount", Less, &["5.0"]), "values", RuleErrorKind::Value)]
#[case::no_date(rule("from", Less, &["2026-02-30"]), "values", RuleErrorKind::Value)]
#[case::no_tick(rule("truth", Equals, &["on"]), "values", RuleErrorKind::Value)]
fn rule_error_names_its_part(
    #[case] rule: ConditionRule,
    #[case] part: &str,
    #[case] expected: RuleErrorKind,
) {
    let found: Vec<_> = faults(&form_with(rule)).into_iter().map(|it| (it.path, it.kind)).collect();
    let path = format!("fields[6].condition.rules[0].{part}");
    assert_eq!(found, [(path, FormDefinitionErrorKind::Rule(expected))]);
}

#[test]
fn fields_that_name_each_other_are_rejected() {
    let answered = |name: &str| vec![rule(name, Answered, &[])];
    let one = show_if(field("one", LinkSiteFieldType::Text, &[]), ConditionJoin::All, answered("two"));
    let two = show_if(field("two", LinkSiteFieldType::Text, &[]), ConditionJoin::All, answered("one"));
    let paths: Vec<_> = faults(&form(vec![one, two], &[])).into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["fields[0].condition.rules[0].field"]);
}

#[rstest]
#[case("1250.50", Some("1250.5"))]
#[case("007", Some("7"))]
#[case("-0", Some("0"))]
#[case("-0.5", Some("-0.5"))]
#[case("1,250", None)]
#[case("1e3", None)]
#[case(".5", None)]
#[case("1.1234567", None)]
#[case("1234567890123456", None)]
fn number_is_stored_in_one_form(#[case] text: &str, #[case] expected: Option<&str>) {
    assert_eq!(normalize_number(text).as_deref(), expected);
}

proptest! {
    /// A hidden field has no answer, is reported as no fault, and hides the fields that need its answer.
    #[test]
    fn hidden_fields_have_no_answers(
        kinds in prop::collection::vec((0_usize..5, 0_usize..6, any::<prop::sample::Index>()), 1..40),
        answers in prop::collection::vec(prop::option::of("[a-c0-9.-]{0,4}"), 40),
    ) {
        let mut fields = Vec::new();
        for (index, (kind, operator, earlier)) in kinds.iter().enumerate() {
            let kind = [
                LinkSiteFieldType::Text, LinkSiteFieldType::Number, LinkSiteFieldType::Checkbox,
                LinkSiteFieldType::Date, LinkSiteFieldType::Email,
            ][*kind];
            let mut made = field(&format!("f{index}"), kind, &[]);
            if index > 0 {
                let rule = rule(&format!("f{}", earlier.index(index)), ConditionOperator::ALL[*operator], &["1"]);
                made.condition = Some(FieldCondition { join: ConditionJoin::All, rules: vec![rule] });
            }
            fields.push(made);
        }
        let form = form(fields, &[]);
        let given = answers.into_iter().enumerate().filter_map(|(index, it)| Some((format!("f{index}"), vec![it?])));
        let reading = FormReading::new(&form, &given.collect());
        let names: BTreeSet<&String> = reading.data.keys().collect();
        for field in &form.fields {
            let is_hidden = reading.hidden.contains(&field.name);
            prop_assert_eq!(is_hidden, !names.contains(&field.name));
            let holds = field.condition.as_ref().is_none_or(|it| holds(it, &reading.data));
            prop_assert_eq!(holds, !is_hidden);
        }
        prop_assert!(reading.faults.iter().all(|it| !reading.hidden.contains(&it.field)));
        // The stored answers are read to the same fields again.
        let again = FormReading::new(&form, &reading.texts());
        prop_assert_eq!(again.hidden, reading.hidden);
    }
}
