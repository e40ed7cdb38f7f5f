//! Parses the TLS parameters of a database address as libpq does. The driver knows only some of them.

use std::path::PathBuf;

use crate::StoreError;

/// An address without the parameters that the driver does not know, and the values of those parameters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The address to pass to the driver.
    pub(super) driver: String,
    /// How the server's certificate is verified.
    pub(super) check: Check,
    /// Whether the address says anything about TLS.
    pub(super) says_how: bool,
    /// The names of the other parameters.
    pub(super) named: Vec<String>,
}

/// How the server's certificate is verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    /// No check.
    Nothing,
    /// The certificate is signed by a trusted authority.
    Authority(Roots),
    /// The certificate is signed by a trusted authority and is valid for the host.
    AuthorityAndName(Roots),
}

/// The trusted authorities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Roots {
    /// The system's trust store.
    System,
    /// Only the certificates in this file.
    File(PathBuf),
}

impl Address {
    /// Splits an address. Other errors in it are left to the driver.
    ///
    /// # Errors
    ///
    /// [`StoreError::Address`] if the address asks for an unknown TLS mode, or for one that verifies less than it seems
    /// to.
    pub(super) fn parse(text: &str) -> Result<Address, StoreError> {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        let mut tls = TlsParameters::default();
        let driver = if is_url { tls.take_of_url(text) } else { tls.take_of_pairs(text) };
        let refused = |fault: &str| Err(StoreError::Address(fault.to_owned()));
        let roots = match tls.root_certificate.as_deref() {
            None => None,
            Some("system") => Some(Roots::System),
            Some(path) => Some(Roots::File(path.into())),
        };
        let (mode, check) = match (tls.mode.as_deref(), roots) {
            (Some("disable" | "prefer"), Some(_)) => {
                return refused("sslrootcert needs sslmode=verify-full, verify-ca or require");
            }
            (Some("require" | "verify-ca"), Some(Roots::System)) => {
                return refused(
                    "sslrootcert=system needs sslmode=verify-full: anyone can get a certificate from these authorities",
                );
            }
            (mode @ (None | Some("disable" | "prefer" | "require")), None) => (mode, Check::Nothing),
            // Like libpq: if the address names an authority, the certificate is verified.
            (Some("require" | "verify-ca"), Some(roots)) => (Some("require"), Check::Authority(roots)),
            (Some("verify-ca"), None) => return refused("sslmode=verify-ca needs sslrootcert"),
            (None, Some(roots)) => (Some("require"), Check::AuthorityAndName(roots)),
            (Some("verify-full"), roots) => {
                (Some("require"), Check::AuthorityAndName(roots.unwrap_or(Roots::System)))
            }
            (Some(_), _) => {
                return refused("sslmode must be disable, prefer, require, verify-ca or verify-full");
            }
        };
        let says_how = mode.is_some();
        let driver = match mode {
            None => driver,
            Some(mode) if is_url => {
                let separator = if driver.contains('?') { '&' } else { '?' };
                format!("{driver}{separator}sslmode={mode}")
            }
            Some(mode) => format!("{driver} sslmode={mode}"),
        };
        Ok(Address { driver, check, says_how, named: tls.others })
    }
}

/// The TLS parameters of an address.
#[derive(Default)]
struct TlsParameters {
    mode: Option<String>,
    root_certificate: Option<String>,
    others: Vec<String>,
}

impl TlsParameters {
    /// Stores the value of an `sslmode` or `sslrootcert` parameter. Returns `false` for any other parameter.
    fn takes(&mut self, key: &str, value: &str) -> bool {
        let parameter = match key {
            "sslmode" => &mut self.mode,
            "sslrootcert" => &mut self.root_certificate,
            _ => {
                self.others.push(key.to_owned());
                return false;
            }
        };
        *parameter = Some(value.to_owned());
        true
    }

    /// Removes those parameters from a URL.
    fn take_of_url(&mut self, url: &str) -> String {
        // The driver's rule: a password ends at the first `@` and may contain a question mark.
        let host = url.find('@').map_or(0, |at| at + 1);
        let Some(mark) = url[host..].find('?').map(|mark| host + mark) else { return url.to_owned() };
        let (address, parameters) = (&url[..mark], &url[mark + 1..]);
        let left: Vec<&str> = parameters.split('&').filter(|part| !self.takes_encoded(part)).collect();
        if left.is_empty() { address.to_owned() } else { format!("{address}?{}", left.join("&")) }
    }

    fn takes_encoded(&mut self, part: &str) -> bool {
        // In a database URL a plus is a plus, not a space as in forms.
        let part = part.replace('+', "%2B");
        form_urlencoded::parse(part.as_bytes()).next().is_some_and(|(key, value)| self.takes(&key, &value))
    }

    /// Removes those parameters from `key=value` pairs.
    fn take_of_pairs(&mut self, text: &str) -> String {
        let (mut left, mut rest) = (Vec::new(), text.trim());
        while let Some((key, after)) = rest.split_once('=') {
            let (value, next) = unquote(after.trim_start());
            if !self.takes(key.trim(), &value) {
                left.push(rest[..rest.len() - next.len()].trim());
            }
            rest = next.trim_start();
        }
        if !rest.is_empty() {
            left.push(rest);
        }
        left.join(" ")
    }
}

/// Returns the value at the start of the text, without quotes and backslashes, and the text after it.
fn unquote(text: &str) -> (String, &str) {
    let (text, is_quoted) = text.strip_prefix('\'').map_or((text, false), |text| (text, true));
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            '\'' if is_quoted => return (value, &text[at + 1..]),
            blank if !is_quoted && blank.is_whitespace() => return (value, &text[at..]),
            character => value.push(character),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_address(text: &str) -> (String, Check) {
        let Address { driver, check, .. } = Address::parse(text).unwrap();
        let _: postgres::Config = driver.parse().unwrap();
        (driver, check)
    }

    fn file(path: &str) -> Roots {
        Roots::File(path.into())
    }

    #[test]
    fn address_without_tls_parameters_is_unchanged() {
        for text in [
            "postgres://u:p%40@h:5433/d",
            "postgresql://h/d?connect_timeout=3&application_name=l",
            "postgres://u:p?sslmode=x@h/d",
            "host=/run/postgresql user=u dbname=d",
            r"host=h password='it\'s sslmode=x' dbname = d",
        ] {
            assert_eq!(parse_address(text), (text.to_owned(), Check::Nothing));
        }
    }

    #[test]
    fn tls_modes_of_the_driver_are_passed_through() {
        for mode in ["disable", "prefer", "require"] {
            assert_eq!(
                parse_address(&format!("postgres://h/d?sslmode={mode}&connect_timeout=3")),
                (format!("postgres://h/d?connect_timeout=3&sslmode={mode}"), Check::Nothing)
            );
            assert_eq!(
                parse_address(&format!("host=h sslmode = {mode} dbname=d")),
                (format!("host=h dbname=d sslmode={mode}"), Check::Nothing)
            );
        }
    }

    #[test]
    fn verification_is_parsed_from_urls_and_pairs() {
        let (driver, check) =
            parse_address("postgres://u:p@h/d?sslmode=verify-full&sslrootcert=%2Fetc%2Fa+b.pem");
        assert_eq!(driver, "postgres://u:p@h/d?sslmode=require");
        assert_eq!(check, Check::AuthorityAndName(file("/etc/a+b.pem")));
        let (driver, check) =
            parse_address(r"host=h sslrootcert='/etc/a \'b\'.pem' sslmode=verify-ca user=u");
        assert_eq!(driver, "host=h user=u sslmode=require");
        assert_eq!(check, Check::Authority(file("/etc/a 'b'.pem")));
        for text in ["host=h sslmode=verify-full", "host=h sslmode=verify-full sslrootcert=system"] {
            assert_eq!(parse_address(text).1, Check::AuthorityAndName(Roots::System));
        }
        assert_eq!(parse_address("host=h sslmode=require sslrootcert=/a").1, Check::Authority(file("/a")));
        assert_eq!(parse_address("host=h sslrootcert=/a").1, Check::AuthorityAndName(file("/a")));
    }

    #[test]
    fn ambiguous_verification_is_rejected() {
        for (text, fault) in [
            ("host=h sslmode=verify", "sslmode must be disable, prefer"),
            ("postgres://h/d?sslmode=allow", "sslmode must be disable, prefer"),
            ("host=h sslmode=prefer sslrootcert=/a", "sslrootcert needs sslmode="),
            ("host=h sslmode=verify-ca", "needs sslrootcert"),
            ("host=h sslmode=verify-ca sslrootcert=system", "needs sslmode=verify-full"),
        ] {
            let refused = Address::parse(text).unwrap_err().to_string();
            assert!(refused.contains(fault), "{text}: {refused}");
        }
    }
}
