//! What an address says of TLS, in the words of `psql` and its kin: the driver knows only some of them.

use std::path::PathBuf;

use crate::StoreError;

/// An address without what the driver does not know, and what that was.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// What is left for the driver.
    pub(super) driver: String,
    /// How much of the server's certificate is looked at.
    pub(super) check: Check,
    /// Whether the address says anything of TLS.
    pub(super) says_how: bool,
}

/// How much of the server's certificate is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    /// Nothing.
    Nothing,
    /// Who signed it.
    Authority(Roots),
    /// Who signed it, and that it is the host's.
    AuthorityAndName(Roots),
}

/// Who may have signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Roots {
    /// Whom the system trusts.
    System,
    /// Those in this file, and nobody else.
    File(PathBuf),
}

impl Address {
    /// Takes an address apart. What else may be wrong with it is the driver's to say.
    ///
    /// # Errors
    ///
    /// [`StoreError::Address`] when it asks for an unknown way of TLS, or for one that checks less than it seems to.
    pub(super) fn parse(text: &str) -> Result<Address, StoreError> {
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        let mut wanted = Wanted::default();
        let driver = if is_url { wanted.take_of_url(text) } else { wanted.take_of_pairs(text) };
        let refused = |fault: &str| Err(StoreError::Address(fault.to_owned()));
        let roots = match wanted.root_certificate.as_deref() {
            None => None,
            Some("system") => Some(Roots::System),
            Some(path) => Some(Roots::File(path.into())),
        };
        let (mode, check) = match (wanted.mode.as_deref(), roots) {
            (Some("disable" | "prefer"), Some(_)) => {
                return refused("sslrootcert needs sslmode=verify-full, verify-ca or require");
            }
            (Some("require" | "verify-ca"), Some(Roots::System)) => {
                return refused(
                    "sslrootcert=system needs sslmode=verify-full: anybody has a certificate of those",
                );
            }
            (mode @ (None | Some("disable" | "prefer" | "require")), None) => (mode, Check::Nothing),
            // As libpq: whoever names an authority wants it looked at.
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
        Ok(Address { driver, check, says_how })
    }
}

/// What an address asks for.
#[derive(Default)]
struct Wanted {
    mode: Option<String>,
    root_certificate: Option<String>,
}

impl Wanted {
    /// Whether this is one of ours, which is kept.
    fn takes(&mut self, key: &str, value: &str) -> bool {
        let place = match key {
            "sslmode" => &mut self.mode,
            "sslrootcert" => &mut self.root_certificate,
            _ => return false,
        };
        *place = Some(value.to_owned());
        true
    }

    /// The address without our parameters.
    fn take_of_url(&mut self, url: &str) -> String {
        // As the driver reads it: a password ends at the first `@`, and may hold a question mark.
        let host = url.find('@').map_or(0, |at| at + 1);
        let Some(mark) = url[host..].find('?').map(|mark| host + mark) else { return url.to_owned() };
        let (address, parameters) = (&url[..mark], &url[mark + 1..]);
        let left: Vec<&str> = parameters.split('&').filter(|part| !self.takes_encoded(part)).collect();
        if left.is_empty() { address.to_owned() } else { format!("{address}?{}", left.join("&")) }
    }

    fn takes_encoded(&mut self, part: &str) -> bool {
        // A plus is a plus here, and not a blank as in forms.
        let part = part.replace('+', "%2B");
        form_urlencoded::parse(part.as_bytes()).next().is_some_and(|(key, value)| self.takes(&key, &value))
    }

    /// The `key=value` pairs without ours.
    fn take_of_pairs(&mut self, text: &str) -> String {
        let (mut left, mut rest) = (Vec::new(), text.trim());
        while let Some((key, after)) = rest.split_once('=') {
            let (value, next) = unquoted(after.trim_start());
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

/// A value at the text's beginning, without its quotes and backslashes, and what follows it.
fn unquoted(text: &str) -> (String, &str) {
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

    fn parsed(text: &str) -> (String, Check) {
        let Address { driver, check, .. } = Address::parse(text).unwrap();
        let _: postgres::Config = driver.parse().unwrap();
        (driver, check)
    }

    fn file(path: &str) -> Roots {
        Roots::File(path.into())
    }

    #[test]
    fn an_address_that_says_nothing_of_tls_stays_as_it_is() {
        for text in [
            "postgres://u:p%40@h:5433/d",
            "postgresql://h/d?connect_timeout=3&application_name=l",
            "postgres://u:p?sslmode=x@h/d",
            "host=/run/postgresql user=u dbname=d",
            r"host=h password='it\'s sslmode=x' dbname = d",
        ] {
            assert_eq!(parsed(text), (text.to_owned(), Check::Nothing));
        }
    }

    #[test]
    fn what_the_driver_knows_is_left_to_it() {
        for mode in ["disable", "prefer", "require"] {
            assert_eq!(
                parsed(&format!("postgres://h/d?sslmode={mode}&connect_timeout=3")),
                (format!("postgres://h/d?connect_timeout=3&sslmode={mode}"), Check::Nothing)
            );
            assert_eq!(
                parsed(&format!("host=h sslmode = {mode} dbname=d")),
                (format!("host=h dbname=d sslmode={mode}"), Check::Nothing)
            );
        }
    }

    #[test]
    fn verification_is_taken_out_in_either_spelling() {
        let (driver, check) = parsed("postgres://u:p@h/d?sslmode=verify-full&sslrootcert=%2Fetc%2Fa+b.pem");
        assert_eq!(driver, "postgres://u:p@h/d?sslmode=require");
        assert_eq!(check, Check::AuthorityAndName(file("/etc/a+b.pem")));
        let (driver, check) = parsed(r"host=h sslrootcert='/etc/a \'b\'.pem' sslmode=verify-ca user=u");
        assert_eq!(driver, "host=h user=u sslmode=require");
        assert_eq!(check, Check::Authority(file("/etc/a 'b'.pem")));
        for text in ["host=h sslmode=verify-full", "host=h sslmode=verify-full sslrootcert=system"] {
            assert_eq!(parsed(text).1, Check::AuthorityAndName(Roots::System));
        }
        assert_eq!(parsed("host=h sslmode=require sslrootcert=/a").1, Check::Authority(file("/a")));
        assert_eq!(parsed("host=h sslrootcert=/a").1, Check::AuthorityAndName(file("/a")));
    }

    #[test]
    fn what_would_check_less_than_it_seems_to_is_refused() {
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
