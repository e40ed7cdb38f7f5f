//! A text on a page, with its language if that is not the page's.

use link_domain::notifications::mail::paragraphs;
use link_domain::notifications::service_text::{Locale, direction};
use maud::{Markup, html};

/// A text on a page.
pub(super) struct Passage {
    text: String,
    /// The language of the text. `None` if it is that of the page.
    locale: Option<String>,
}

impl Passage {
    /// Wraps a text of ours, which is in the language of the page.
    pub(super) const fn ours(text: String) -> Self {
        Self { text, locale: None }
    }

    /// Wraps a text of the tenant.
    pub(super) fn of_tenant(text: String, locale: &str, page: Locale) -> Self {
        let is_other = !locale.eq_ignore_ascii_case(page.tag());
        Self { text, locale: is_other.then(|| locale.to_owned()) }
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the attribute `lang` of its element.
    pub(super) fn lang(&self) -> Option<&str> {
        self.locale.as_deref()
    }

    /// Returns the attribute `dir` of its element.
    pub(super) fn dir(&self) -> Option<&'static str> {
        self.locale.as_deref().map(direction)
    }

    /// Renders the text as a heading.
    pub(super) fn heading(&self) -> Markup {
        html! { h1 lang=[self.lang()] dir=[self.dir()] { (self.text) } }
    }

    /// Renders the text as plain paragraphs.
    pub(super) fn paragraphs(&self) -> Markup {
        html! {
            @for paragraph in paragraphs(&self.text) { p lang=[self.lang()] dir=[self.dir()] { (paragraph) } }
        }
    }

    /// Renders the text inside another element.
    pub(super) fn inline(&self) -> Markup {
        html! {
            @match self.lang() {
                Some(_) => span lang=[self.lang()] dir=[self.dir()] { (self.text) },
                None => (self.text),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use link_domain::kernel::languages::Languages;

    use super::*;

    #[test]
    fn text_names_its_language_only_if_it_is_not_that_of_the_page() {
        let page = Locale::choose(&Languages::of("ar"), None);
        let heading = |locale| Passage::of_tenant("Hi & bye".into(), locale, page).heading().into_string();
        assert_eq!(heading("AR"), "<h1>Hi &amp; bye</h1>");
        assert_eq!(heading("es-MX"), "<h1 lang=\"es-MX\" dir=\"ltr\">Hi &amp; bye</h1>");
        assert_eq!(heading("he"), "<h1 lang=\"he\" dir=\"rtl\">Hi &amp; bye</h1>");
    }
}
