//! Origins whose pages tried to embed a link template that does not allow them: the browser's refusal is
//! invisible to everyone else, so the service remembers what the frame's request said of its page.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use link_types::id::LinkTemplateId;

/// Origins kept for each template, and templates in all: strangers choose both.
const KEPT_ORIGINS: usize = 20;
const KEPT_TEMPLATES: usize = 1_000;

/// The refused origins of this process's life, by template.
#[derive(Debug, Default)]
pub struct RefusedOrigins(Mutex<BTreeMap<LinkTemplateId, BTreeSet<String>>>);

impl RefusedOrigins {
    /// Remembers a refusal, and logs it the first time.
    pub fn remember(&self, template: &LinkTemplateId, origin: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= KEPT_TEMPLATES && !all.contains_key(template) {
            return;
        }
        let origins = all.entry(template.clone()).or_default();
        if origins.len() < KEPT_ORIGINS && origins.insert(origin.to_owned()) {
            tracing::warn!(%template, origin, "a page whose origin the link template does not allow tried to embed the widget");
        }
    }

    /// What was refused for a template.
    pub fn of(&self, template: &LinkTemplateId) -> Vec<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(template).into_iter().flatten().cloned().collect()
    }
}

/// The origin part of a `Referer` (the bridge's iframe sends no more than that).
pub fn origin_of(referer: &str) -> Option<String> {
    let (scheme, rest) = referer.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|it| !it.is_empty() && it.len() <= 255)?;
    let plain = host.bytes().all(|it| it.is_ascii_alphanumeric() || b".-:[]".contains(&it));
    (matches!(scheme, "http" | "https") && plain).then(|| format!("{scheme}://{}", host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_cut_out_of_a_referer() {
        assert_eq!(origin_of("https://App.example:8443/x?y"), Some("https://app.example:8443".to_owned()));
        assert_eq!(origin_of("about:blank"), None);
        assert_eq!(origin_of("https://a<b/"), None);
    }

    #[test]
    fn no_stranger_can_fill_the_memory() {
        let refused = RefusedOrigins::default();
        let template = LinkTemplateId::from_bytes([1; 16]);
        (0..100).for_each(|n| refused.remember(&template, &format!("https://{n}.example")));
        assert_eq!(refused.of(&template).len(), KEPT_ORIGINS);
    }
}
