//! Differences between the site that another member saved and the draft.

use std::collections::BTreeMap;

use super::draft::{FieldDraft, SiteDraft, Wording};

/// A part of a site that another member changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path of the part, as REST names it. Fields are named by their name.
    pub path: String,
    /// Their text. Empty if they removed it.
    pub theirs: String,
    /// The draft's text.
    pub mine: String,
}

/// Returns the parts that differ between `base` and `theirs`, with what `mine` has.
pub fn differences(base: &SiteDraft, theirs: &SiteDraft, mine: &SiteDraft) -> Vec<Difference> {
    let [base, theirs, mine] = [base, theirs, mine].map(parts);
    let paths = base.keys().chain(theirs.keys().filter(|it| !base.contains_key(*it)));
    let text = |of: &BTreeMap<String, String>, path: &str| of.get(path).cloned().unwrap_or_default();
    paths
        .filter(|path| text(&base, path) != text(&theirs, path))
        .map(|path| Difference { path: path.clone(), theirs: text(&theirs, path), mine: text(&mine, path) })
        .collect()
}

fn parts(draft: &SiteDraft) -> BTreeMap<String, String> {
    let mut parts = Parts(BTreeMap::new());
    parts.add("name", &draft.name);
    parts.add("slug", &draft.slug);
    parts.add("access", draft.access.as_str());
    parts.add("linkTemplateId", &draft.template);
    let steps: Vec<&str> = draft.steps.list().iter().map(|it| it.as_str()).collect();
    parts.add("steps", &steps.join(", "));
    parts.add_wording("startPage.title", &draft.start_title);
    parts.add_wording("startPage.text", &draft.start_text);
    parts.add_wording("endPage.title", &draft.end_title);
    parts.add_wording("endPage.text", &draft.end_text);
    parts.add("endPage.redirectUrl", &draft.redirect);
    parts.add("limits.closesAt", &draft.closes_at);
    parts.add("limits.submissions", &draft.submissions);
    parts.add("locale", &draft.locale);
    if !draft.steps.has_form() {
        return parts.0;
    }
    parts.add_wording("form.name", &draft.form_name);
    parts.add("form.reference", &draft.reference);
    parts.add("form.locale", &draft.form_locale);
    let mut prefill: Vec<&str> = draft.prefills_reference.then_some("reference").into_iter().collect();
    prefill.extend(draft.fields.iter().filter(|it| it.is_prefilled).map(|it| it.name.as_str()));
    parts.add("prefill", &prefill.join(", "));
    let order: Vec<&str> = draft.fields.iter().map(|it| it.name.as_str()).collect();
    parts.add("form.fields", &order.join(", "));
    for field in &draft.fields {
        parts.add_field(draft, field);
    }
    parts.0
}

struct Parts(BTreeMap<String, String>);

impl Parts {
    fn add(&mut self, path: &str, text: &str) {
        if !text.is_empty() {
            self.0.insert(path.to_owned(), text.to_owned());
        }
    }

    fn add_wording(&mut self, path: &str, wording: &Wording) {
        self.add(path, &wording.text);
        for (language, translation) in &wording.translations {
            self.add(&format!("{path} ({language})"), translation);
        }
    }

    fn add_field(&mut self, draft: &SiteDraft, field: &FieldDraft) {
        let at = |part: &str| format!("form.fields.{}.{part}", field.name);
        self.add(&at("type"), field.kind.as_str());
        self.add_wording(&at("label"), &field.label);
        self.add_wording(&at("help"), &field.help);
        self.add(&at("required"), if field.required { "true" } else { "false" });
        for (number, choice) in field.choices.iter().enumerate() {
            self.add_wording(&at(&format!("choices[{number}]")), choice);
        }
        let format = &field.format;
        let written = format!("{:?} {}–{}", format.kind, format.min, format.max);
        self.add(&at("format"), &written);
        if let Some(condition) = &field.condition {
            let rule = |it: &super::draft::RuleDraft| {
                let other = draft.field(it.field).map(|it| it.name.as_str()).unwrap_or_default();
                format!("{other} {} {}", it.operator, it.values.join(", "))
            };
            let rules: Vec<String> = condition.rules.iter().map(rule).collect();
            self.add(&at("condition"), &format!("{}: {}", condition.join, rules.join("; ")));
        }
    }
}
