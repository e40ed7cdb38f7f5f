//! The condition of a field: rules about the answers to other fields.

use link_types::form_submission::{ConditionJoin, ConditionOperator, LinkSiteFieldType};
use yew::prelude::*;

use super::controls::{Choice, draw_labelled, on, read_text, select, tick};
use crate::core::sites::draft::{ConditionDraft, FieldDraft, RuleDraft};
use crate::core::sites::editor::Editor;
use crate::core::sites::spot::{element_id, field_path};
use crate::core::texts::sites::SiteText;
use crate::core::{Event, SiteInput};
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// Draws the condition.
pub(super) fn panel(shown: &Shown<'_>, editor: &Editor, field: &FieldDraft) -> Html {
    let uid = field.uid;
    let at = |part: &str| field_path(uid, part);
    html! {
        <>
            { tick(shown, &at("condition"), shown.text(SiteText::Conditional), field.condition.is_some(),
                move |it| SiteInput::ConditionChosen(uid, it)) }
            if let Some(condition) = &field.condition {
                <fieldset class="rules">
                    <legend class="hidden">{ shown.text(SiteText::Condition) }</legend>
                    { join(shown, editor, uid, condition) }
                    { for condition.rules.iter().enumerate().map(|(number, it)| rule(shown, editor, field, (number, it))) }
                    <button type="button" class="second" id={element_id(&at("condition.add"))}
                        onclick={on::<MouseEvent>(shown, SiteInput::RuleAdded(uid))}>{ shown.text(SiteText::AddRule) }</button>
                </fieldset>
            }
        </>
    }
}

fn join(shown: &Shown<'_>, editor: &Editor, uid: u32, condition: &ConditionDraft) -> Html {
    let name = |join: ConditionJoin| match join {
        ConditionJoin::All => SiteText::All,
        ConditionJoin::Any => SiteText::Any,
    };
    let choices = ConditionJoin::ALL
        .iter()
        .map(|it| (it.to_string(), shown.text(name(*it)).to_owned(), *it == condition.join));
    let chosen = move |value: String| {
        let is_any = value == ConditionJoin::Any.as_str();
        SiteInput::JoinChosen(uid, if is_any { ConditionJoin::Any } else { ConditionJoin::All })
    };
    let path = field_path(uid, "condition.join");
    select(shown, editor, &path, (shown.text(SiteText::Condition), None), choices.collect(), chosen)
}

fn rule(shown: &Shown<'_>, editor: &Editor, field: &FieldDraft, (number, rule): (usize, &RuleDraft)) -> Html {
    let uid = field.uid;
    let at = |part: &str| field_path(uid, &format!("condition.rules[{number}].{part}"));
    let named = (number + 1).to_string();
    let label =
        |text: SiteText| format!("{}: {}", shown.language.fill(SiteText::Rule, &named), shown.text(text));
    let others = editor.edited.form.draft.fields.iter().filter(|it| it.uid != uid);
    let mut fields: Vec<Choice> =
        others.map(|it| (it.uid.to_string(), it.title().to_owned(), it.uid == rule.field)).collect();
    if fields.iter().all(|(_, _, is_chosen)| !is_chosen) {
        fields.insert(0, (String::new(), shown.text(SiteText::ChooseField).to_owned(), true));
    }
    let chosen =
        move |value: String| SiteInput::RuleFieldChosen(uid, number, value.parse().unwrap_or_default());
    let operators = ConditionOperator::ALL
        .iter()
        .map(|it| (it.to_string(), shown.text(operator_name(*it)).to_owned(), *it == rule.operator));
    let compared = move |value: String| {
        let operator = ConditionOperator::ALL.iter().find(|it| it.as_str() == value);
        SiteInput::OperatorChosen(uid, number, operator.copied().unwrap_or(ConditionOperator::Equals))
    };
    html! {
        <div class="rule" key={number}>
            { select(shown, editor, &at("field"), (&label(SiteText::RuleField), None), fields, chosen) }
            { select(shown, editor, &at("operator"), (&label(SiteText::Operator), None), operators.collect(), compared) }
            if rule.operator != ConditionOperator::Answered {
                { values(shown, editor, field, (number, rule), &label) }
            }
            <button type="button" class="quiet bad" aria-label={shown.language.fill(SiteText::RemoveRule, &named)}
                onclick={on::<MouseEvent>(shown, SiteInput::RuleRemoved(uid, number))}>
                { shown.text(SiteText::RemoveField) }</button>
        </div>
    }
}

/// Draws the values of a rule: a list if the other field has few possible answers, otherwise a text.
fn values(
    shown: &Shown<'_>,
    editor: &Editor,
    field: &FieldDraft,
    (number, rule): (usize, &RuleDraft),
    label: &impl Fn(SiteText) -> String,
) -> Html {
    let uid = field.uid;
    let path = field_path(uid, &format!("condition.rules[{number}].values"));
    let other = editor.edited.form.draft.field(rule.field);
    let answers: Vec<(String, String)> = match other {
        Some(other) if other.has_choices() => {
            other.choice_texts().map(|it| (it.to_owned(), it.to_owned())).collect()
        }
        Some(other) if other.kind == LinkSiteFieldType::Checkbox => {
            [("true", SiteText::Ticked), ("false", SiteText::NotTicked)]
                .map(|(value, text)| (value.to_owned(), shown.text(text).to_owned()))
                .into()
        }
        _ => Vec::new(),
    };
    let first = rule.values.first().cloned().unwrap_or_default();
    let is_list = rule.operator == ConditionOperator::OneOf;
    if is_list {
        let value = rule.values.join("\n");
        let oninput = shown.emit.reform(move |event: InputEvent| {
            let values = read_text(&event).split('\n').map(str::to_owned).collect();
            Event::Site(SiteInput::ValuesChosen(uid, number, values))
        });
        return draw_labelled(
            shown,
            editor,
            &path,
            (&label(SiteText::Values), None),
            |id, invalid, described| {
                html! {
                    <textarea id={id.to_owned()} class="words" rows="3" {value} {oninput} aria-invalid={invalid}
                        aria-describedby={described} />
                }
            },
        );
    }
    if answers.is_empty() {
        let kind = match other.map(|it| it.kind) {
            Some(LinkSiteFieldType::Date) => "date",
            _ => "text",
        };
        let oninput = shown.emit.reform(move |event: InputEvent| {
            Event::Site(SiteInput::ValuesChosen(uid, number, vec![read_text(&event)]))
        });
        return draw_labelled(
            shown,
            editor,
            &path,
            (&label(SiteText::Value), None),
            |id, invalid, described| {
                html! {
                    <input id={id.to_owned()} type={kind} value={first} {oninput} autocomplete="off" aria-invalid={invalid}
                        aria-describedby={described} />
                }
            },
        );
    }
    let onchange = shown.emit.reform(move |event: yew::Event| {
        Event::Site(SiteInput::ValuesChosen(uid, number, vec![value_of(&event)]))
    });
    let is_known = answers.iter().any(|(value, _)| *value == first);
    draw_labelled(shown, editor, &path, (&label(SiteText::Value), None), |id, invalid, described| {
        html! {
            <select id={id.to_owned()} {onchange} aria-invalid={invalid} aria-describedby={described}>
                if !is_known { <option value={first.clone()} selected=true>
                    { if first.is_empty() { shown.text(SiteText::ChooseValue).to_owned() } else { first.clone() } }</option> }
                { for answers.into_iter().map(|(value, name)| {
                    let selected = value == first;
                    html! { <option {value} {selected}>{ name }</option> }
                }) }
            </select>
        }
    })
}

const fn operator_name(operator: ConditionOperator) -> SiteText {
    match operator {
        ConditionOperator::Equals => SiteText::Equals,
        ConditionOperator::Not => SiteText::Not,
        ConditionOperator::OneOf => SiteText::OneOf,
        ConditionOperator::Less => SiteText::Less,
        ConditionOperator::Greater => SiteText::Greater,
        ConditionOperator::Answered => SiteText::Answered,
    }
}
