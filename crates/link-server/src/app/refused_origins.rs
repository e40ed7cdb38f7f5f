//! Origins whose pages tried to embed a link template that does not allow them. Only the browser sees that it blocked
//! the frame, so the service records the `Referer` of the frame's request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use link_types::id::LinkTemplateId;

/// The maximum number of origins for each template. Anyone can cause entries, so both numbers are limited.
const MAX_ORIGINS: usize = 20;
/// The maximum number of templates.
const MAX_TEMPLATES: usize = 1_000;

/// The refused origins since the process started, by template.
#[derive(Debug, Default)]
pub struct RefusedOrigins(Mutex<BTreeMap<LinkTemplateId, BTreeSet<String>>>);

impl RefusedOrigins {
    /// Records a refused origin, and logs it the first time.
    pub fn remember(&self, template: &LinkTemplateId, origin: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_TEMPLATES && !all.contains_key(template) {
            return;
        }
        let origins = all.entry(template.clone()).or_default();
        if origins.len() < MAX_ORIGINS && origins.insert(origin.to_owned()) {
            tracing::warn!(
                %template,
                origin,
                "A page tried to embed the widget, but the link template does not allow its origin"
            );
        }
    }

    /// Returns the refused origins of a template.
    pub fn for_template(&self, template: &LinkTemplateId) -> Vec<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(template).into_iter().flatten().cloned().collect()
    }
}

/// Returns the origin of a `Referer`. The bridge's iframe sends only the origin.
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
    fn origin_is_extracted_from_referer() {
        assert_eq!(origin_of("https://App.example:8443/x?y"), Some("https://app.example:8443".to_owned()));
        assert_eq!(origin_of("about:blank"), None);
        assert_eq!(origin_of("https://a<b/"), None);
    }

    #[test]
    fn number_of_origins_is_limited() {
        let refused = RefusedOrigins::default();
        let template = LinkTemplateId::from_bytes([1; 16]);
        (0..100).for_each(|n| refused.remember(&template, &format!("https://{n}.example")));
        assert_eq!(refused.for_template(&template).len(), MAX_ORIGINS);
    }
}
