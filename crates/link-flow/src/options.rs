//! Reads the options of `new LinkModal({...})`. Reports all faults at once.

use std::fmt;

use link_types::host::{ThemeChoice, WidgetOptions};
use link_types::id::{AccountId, ProviderId};

/// A JavaScript value, as far as options need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `undefined` or `null`: the same as a missing option.
    Absent,
    /// A boolean.
    Bool(bool),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<OptionValue>),
    /// Any other value.
    Other,
}

/// A fault in an option, for developers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// The option's name.
    pub name: &'static str,
    /// The expected value.
    pub expected: &'static str,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.name, self.expected)
    }
}

/// Most providers that can be listed first.
const MAX_TOP_PROVIDERS: usize = 10;

/// Reads the options.
///
/// # Errors
///
/// Every option that is missing or wrong.
pub fn read(given: Vec<(String, OptionValue)>) -> Result<WidgetOptions, Vec<OptionError>> {
    let mut options = WidgetOptions::default();
    let mut reader = Reader { faults: Vec::new() };
    for (name, value) in given {
        match name.as_str() {
            "templateId" => {
                let expected = "the id of a link template";
                let read = reader.text("templateId", value, expected, |text| !text.is_empty());
                options.template_id = read.unwrap_or_default();
            }
            "providers" => {
                options.providers = reader.providers("providers", value, usize::MAX, "a list of provider ids")
            }
            "topProviders" => {
                let expected = "a list of at most 10 provider ids";
                options.top_providers = reader.providers("topProviders", value, MAX_TOP_PROVIDERS, expected);
            }
            "enableSearchBar" => options.enable_search_bar = reader.bool("enableSearchBar", value),
            "enableTypeBar" => options.enable_type_bar = reader.bool("enableTypeBar", value),
            "enableUpload" => options.enable_upload = reader.bool("enableUpload", value),
            "enableConsentPage" => options.enable_consent_page = reader.bool("enableConsentPage", value),
            "companyName" => {
                let fits = |text: &str| (1..=100).contains(&text.trim().chars().count());
                options.company_name =
                    reader.text("companyName", value, "a name of 1 to 100 characters", fits);
            }
            "locale" => {
                options.locale = reader.text("locale", value, "a language tag, like en or es-MX", is_language)
            }
            "theme" => {
                let read = reader.text("theme", value, "light, dark or system", |text| theme(text).is_some());
                options.theme = read.and_then(|text| theme(&text));
            }
            "providerId" => {
                options.provider_id = reader.text("providerId", value, "a provider id", is_provider)
            }
            "accountId" => {
                let fits = |text: &str| text.parse::<AccountId>().is_ok();
                options.account_id = reader.text("accountId", value, "an account id", fits);
            }
            // The bridge warns of unknown names.
            _ => {}
        }
    }
    let mut faults = reader.faults;
    if options.template_id.is_empty() && faults.iter().all(|fault| fault.name != "templateId") {
        faults.insert(0, OptionError { name: "templateId", expected: "given: the id of your link template" });
    }
    if faults.is_empty() { Ok(options) } else { Err(faults) }
}

struct Reader {
    faults: Vec<OptionError>,
}

impl Reader {
    fn text(
        &mut self,
        name: &'static str,
        value: OptionValue,
        expected: &'static str,
        fits: impl Fn(&str) -> bool,
    ) -> Option<String> {
        match value {
            OptionValue::Absent => None,
            OptionValue::Text(text) if fits(&text) => Some(text),
            OptionValue::Text(_) | OptionValue::Bool(_) | OptionValue::List(_) | OptionValue::Other => {
                self.faults.push(OptionError { name, expected });
                None
            }
        }
    }

    fn bool(&mut self, name: &'static str, value: OptionValue) -> Option<bool> {
        match value {
            OptionValue::Absent => None,
            OptionValue::Bool(value) => Some(value),
            OptionValue::Text(_) | OptionValue::List(_) | OptionValue::Other => {
                self.faults.push(OptionError { name, expected: "true or false" });
                None
            }
        }
    }

    fn providers(
        &mut self,
        name: &'static str,
        value: OptionValue,
        most: usize,
        expected: &'static str,
    ) -> Option<Vec<String>> {
        let OptionValue::List(values) = value else {
            if value != OptionValue::Absent {
                self.faults.push(OptionError { name, expected });
            }
            return None;
        };
        let count = values.len();
        let ids: Vec<String> = values.into_iter().filter_map(provider).collect();
        if ids.len() == count && count <= most {
            return Some(ids);
        }
        self.faults.push(OptionError { name, expected });
        None
    }
}

fn provider(value: OptionValue) -> Option<String> {
    match value {
        OptionValue::Text(text) if is_provider(&text) => Some(text),
        OptionValue::Text(_)
        | OptionValue::Absent
        | OptionValue::Bool(_)
        | OptionValue::List(_)
        | OptionValue::Other => None,
    }
}

fn is_provider(text: &str) -> bool {
    text.parse::<ProviderId>().is_ok()
}

fn is_language(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().is_some_and(|part| (2..=3).contains(&part.len()) && is_alphabetic(part));
    language && text.len() <= 35 && parts.all(|part| (1..=8).contains(&part.len()) && is_alphanumeric(part))
}

fn is_alphabetic(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_alphanumeric(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn theme(text: &str) -> Option<ThemeChoice> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = "lt-0192f0c1a2b37c4d8e5f60718293a4b5";

    fn given_options(options: &[(&str, OptionValue)]) -> Vec<(String, OptionValue)> {
        options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn text(text: &str) -> OptionValue {
        OptionValue::Text(text.to_owned())
    }

    #[test]
    fn all_options_are_read() {
        let ids = |ids: &[&str]| OptionValue::List(ids.iter().map(|id| text(id)).collect());
        let options = read(given_options(&[
            ("templateId", text(TEMPLATE)),
            ("providers", ids(&["mx_social_security", "ph_pension"])),
            ("topProviders", ids(&["ph_pension"])),
            ("enableSearchBar", OptionValue::Bool(false)),
            ("enableTypeBar", OptionValue::Bool(false)),
            ("enableUpload", OptionValue::Bool(true)),
            ("enableConsentPage", OptionValue::Bool(false)),
            ("companyName", text("Acme")),
            ("locale", text("es-MX")),
            ("theme", text("dark")),
        ]))
        .unwrap();
        let expected = WidgetOptions {
            template_id: TEMPLATE.to_owned(),
            providers: Some(vec!["mx_social_security".to_owned(), "ph_pension".to_owned()]),
            top_providers: Some(vec!["ph_pension".to_owned()]),
            enable_search_bar: Some(false),
            enable_type_bar: Some(false),
            enable_upload: Some(true),
            enable_consent_page: Some(false),
            company_name: Some("Acme".to_owned()),
            locale: Some("es-MX".to_owned()),
            theme: Some(ThemeChoice::Dark),
            provider_id: None,
            account_id: None,
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let eleven = OptionValue::List((0..11).map(|n| text(&format!("p{n}"))).collect());
        let faults = read(given_options(&[
            ("providers", text("mx_social_security")),
            ("topProviders", eleven),
            ("enableSearchBar", text("yes")),
            ("companyName", text("  ")),
            ("locale", text("english, please")),
            ("theme", text("sepia")),
            ("accountId", OptionValue::Other),
        ]))
        .unwrap_err();
        let names: Vec<_> = faults.iter().map(|fault| fault.name).collect();
        let expected = [
            "templateId",
            "providers",
            "topProviders",
            "enableSearchBar",
            "companyName",
            "locale",
            "theme",
            "accountId",
        ];
        assert_eq!(names, expected);
        assert_eq!(faults[3].to_string(), "enableSearchBar must be true or false");
    }

    #[test]
    fn null_option_is_absent() {
        let given = given_options(&[("templateId", text(TEMPLATE)), ("theme", OptionValue::Absent)]);
        assert_eq!(read(given).unwrap().theme, None);
    }
}
