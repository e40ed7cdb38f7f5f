//! Names of the domain name system that a tenant proves with a TXT record: domains of addresses, and own hosts of link sites.

use url::Host;

use crate::kernel::context::Context;
use crate::kernel::digest::hex;

/// Maximum length of a name, so that the name of its record is valid too.
const MAX_NAME: usize = 230;

/// The TXT record that proves a name for one purpose. A record for another purpose does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainProof {
    /// Label of the record, before the name.
    label: &'static str,
    /// Beginning of the record's text, before the token.
    prefix: &'static str,
}

impl DomainProof {
    /// Creates the description of a record. `label` has at most 18 characters.
    pub const fn new(label: &'static str, prefix: &'static str) -> Self {
        Self { label, prefix }
    }

    /// Returns a random token, 32 hexadecimal digits.
    pub fn token(context: &mut Context) -> String {
        hex(&context.secret()[..16])
    }

    /// Returns the name of the record.
    pub fn record_name(&self, name: &str) -> String {
        format!("{}.{name}", self.label)
    }

    /// Returns the text that the record must have.
    pub fn record_text(&self, token: &str) -> String {
        format!("{}{token}", self.prefix)
    }

    /// Returns whether one of the texts of the record is the expected one.
    pub fn is_in(&self, texts: &[String], token: &str) -> bool {
        let expected = self.record_text(token);
        texts.iter().any(|it| it.trim() == expected)
    }
}

/// Returns a name in lower-case ASCII. `None` if it is an address, has one label or a wildcard, or is not a host name.
pub fn check_domain(text: &str) -> Option<String> {
    let Ok(Host::Domain(domain)) = Host::parse(text.trim()) else { return None };
    let is_label = |it: &str| {
        (1..=63).contains(&it.len())
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
            && !it.starts_with('-')
            && !it.ends_with('-')
    };
    let fits = domain.len() <= MAX_NAME && domain.contains('.') && domain.split('.').all(is_label);
    fits.then_some(domain)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(" Shop.Example ", Some("shop.example"))]
    #[case("münchen.example", Some("xn--mnchen-3ya.example"))]
    #[case("shop", None)]
    #[case("192.0.2.7", None)]
    #[case("[2001:db8::1]", None)]
    #[case("shop.example.", None)]
    #[case("*.shop.example", None)]
    #[case("shop.example:443", None)]
    #[case("-shop.example", None)]
    #[case("a_b.example", None)]
    fn domain_is_a_host_name_of_two_labels(#[case] text: &str, #[case] expected: Option<&str>) {
        assert_eq!(check_domain(text).as_deref(), expected);
    }

    #[test]
    fn only_the_exact_text_proves_a_name() {
        let proof = DomainProof::new("_linchpin-site", "linchpin-site=");
        assert_eq!(proof.record_name("apply.shop.example"), "_linchpin-site.apply.shop.example");
        let is_in = |text: &str| proof.is_in(&["v=spf1 -all".to_owned(), text.to_owned()], "0a1b");
        assert!(is_in("linchpin-site=0a1b") && is_in(" linchpin-site=0a1b "));
        assert!(
            !is_in("linchpin-site=0a1b2") && !is_in("xlinchpin-site=0a1b") && !is_in("linchpin-sign-in=0a1b")
        );
    }
}
