//! The parts of a site that members compare.

use std::collections::BTreeMap;

use link_types::link_site::LinkSite;

use super::draft::{FieldDraft, SiteDraft, Wording};
use crate::core::edited::Draft;

impl Draft for SiteDraft {
    type Saved = LinkSite;

    fn from_saved(saved: &LinkSite) -> Self {
        Self::from_site(saved)
    }

    fn revision_of(saved: &LinkSite) -> &str {
        &saved.revision
    }

    fn parts(&self) -> BTreeMap<String, String> {
        list_parts(self)
    }
}

fn list_parts(draft: &SiteDraft) -> BTreeMap<String, String> {
    let mut parts = Parts(BTreeMap::new());
    parts.add("name", &draft.name);
    parts.add("slug", &draft.slug);
    parts.add("host", &draft.host);
    parts.add("access", draft.access.as_str());
    parts.add("linkTemplateId", &draft.template);
    let steps: Vec<&str> = draft.steps.list().iter().map(|it| it.as_str()).collect();
    parts.add("steps", &steps.join(", "));
    parts.add_wording("startPage.title", &draft.start_title);
    parts.add_wording("startPage.text", &draft.start_text);
    parts.add_wording("endPage.title", &draft.end_title);
    parts.add_wording("endPage.text", &draft.end_text);
    parts.add("endPage.redirectUrl", &draft.redirect);
    parts.add("embedOrigins", &draft.embed_origins);
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
