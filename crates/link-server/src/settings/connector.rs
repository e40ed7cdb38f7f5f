//! Connector settings: a table in the settings file, or `key=value` pairs in a flag or environment variable.

use std::path::PathBuf;
use std::str::FromStr;

use link_connectors::http_source::{ConnectorSettings, Serves};
use link_types::{Mode, Sensitive};
use serde::Deserialize;
use url::{Host, Url};

use super::SettingsError;

/// The minimum length of a secret, in characters.
const MIN_SECRET_LENGTH: usize = 32;

/// A connector as configured. Parsing accepts any text, and `settle` checks it: if parsing failed, clap would print the
/// flag's value, including its secret.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ConnectorInput {
    name: String,
    environment: String,
    url: String,
    providers: Vec<String>,
    records: Vec<String>,
    signals: Vec<String>,
    secret: Option<Sensitive>,
    secret_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
    /// Whether the text contains an unknown key.
    #[serde(skip)]
    is_malformed: bool,
}

/// A checked connector.
#[derive(Clone, Debug)]
pub struct Connector {
    /// The environment that the connector serves.
    pub mode: Mode,
    /// The settings of its source.
    pub settings: ConnectorSettings,
}

impl FromStr for ConnectorInput {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut input = Self::default();
        for part in text.trim().split(',') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            match key.trim() {
                "name" => input.name = value.to_owned(),
                "environment" => input.environment = value.to_owned(),
                "url" => input.url = value.to_owned(),
                "providers" => input.providers = value.split('+').map(str::to_owned).collect(),
                "records" => input.records = value.split('+').map(str::to_owned).collect(),
                "signals" => input.signals = value.split('+').map(str::to_owned).collect(),
                "secret" => input.secret = Some(Sensitive::new(value)),
                "secret-file" => input.secret_file = Some(value.into()),
                "ca-file" => input.ca_file = Some(value.into()),
                _ => input.is_malformed = true,
            }
        }
        Ok(input)
    }
}

impl ConnectorInput {
    /// Checks the connector, and reads its secret.
    ///
    /// # Errors
    /// [`SettingsError::Connector`], which says what is missing or invalid and does not contain the secret.
    pub(super) fn settle(self) -> Result<Connector, SettingsError> {
        let name = self.name.clone();
        let refused = |fault: &str| SettingsError::Connector { name: name.clone(), fault: fault.to_owned() };
        if self.is_malformed {
            let keys = "name, environment, url, providers, records, signals, secret, secret-file, ca-file";
            return Err(refused(&format!(
                "must be key=value pairs separated by commas. The keys are {keys}"
            )));
        }
        let is_named = (1..=64).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'));
        if !is_named {
            return Err(refused("name must be 1 to 64 letters, digits, hyphens and underscores"));
        }
        let mode = match self.environment.as_str() {
            "sandbox" => Mode::Sandbox,
            "production" => Mode::Production,
            _ => return Err(refused("environment must be sandbox or production")),
        };
        let serves = Serves {
            providers: words(&self.providers)
                .ok_or_else(|| refused("providers must be slugs like mx_social_security"))?,
            records: words(&self.records).ok_or_else(|| refused("records must be SOCIAL_SECURITY"))?,
            signals: words(&self.signals)
                .ok_or_else(|| refused("signals must be kinds of signal like INCOME_ESTIMATOR"))?,
        };
        let queries = serves.records.len() + serves.signals.len();
        if serves.providers.is_empty() && queries == 0 {
            return Err(refused("providers, records or signals must name what the connector serves"));
        }
        if mode == Mode::Sandbox && queries > 0 {
            return Err(refused("records and signals need environment production: the sandbox has its own"));
        }
        Ok(Connector {
            mode,
            settings: ConnectorSettings {
                url: address(&self.url).map_err(refused)?,
                serves,
                secret: secret(self.secret, self.secret_file).map_err(|fault| refused(&fault))?,
                ca_file: self.ca_file,
                name: self.name,
            },
        })
    }
}

/// Parses a list of words. Returns `None` if one is unknown or appears twice.
fn words<T: FromStr + PartialEq>(given: &[String]) -> Option<Vec<T>> {
    let words = given.iter().map(|it| it.trim().parse().ok()).collect::<Option<Vec<T>>>()?;
    let is_repeated = |(at, word): (usize, &T)| words[..at].contains(word);
    (!words.iter().enumerate().any(is_repeated)).then_some(words)
}

/// Checks the connector's URL. It must use TLS except on this machine, because it receives people's passwords.
fn address(text: &str) -> Result<String, &'static str> {
    const FORM: &str = "url must be an https URL without a path, or an http URL of this machine";
    let url = Url::parse(text).map_err(|_| FORM)?;
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return Err(FORM),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err("url must not contain a user name or password: the secret authenticates the service");
    }
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let scheme_fits = url.scheme() == "https" || (url.scheme() == "http" && is_local);
    if is_bare && scheme_fits { Ok(url.as_str().trim_end_matches('/').to_owned()) } else { Err(FORM) }
}

fn secret(given: Option<Sensitive>, file: Option<PathBuf>) -> Result<Sensitive, String> {
    let secret = match (given, file) {
        (Some(secret), None) => secret,
        (None, Some(path)) => {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("the secret file {} cannot be read: {error}", path.display()))?;
            Sensitive::new(text.trim_end_matches(['\r', '\n']))
        }
        (None, None) => return Err("secret-file or secret is required".to_owned()),
        (Some(_), Some(_)) => return Err("secret-file and secret cannot both be set".to_owned()),
    };
    let is_long = secret.expose().chars().count() >= MIN_SECRET_LENGTH;
    if is_long {
        Ok(secret)
    } else {
        Err(format!("the secret must have at least {MIN_SECRET_LENGTH} characters"))
    }
}

#[cfg(test)]
mod tests {
    use link_types::record::RecordType;
    use link_types::signal::SignalKind;
    use rstest::rstest;

    use super::*;

    const SECRET: &str = "canary-0123456789-0123456789-0123";

    fn settle(text: &str) -> Result<Connector, SettingsError> {
        text.parse::<ConnectorInput>().unwrap().settle()
    }

    #[test]
    fn connector_from_flag_equals_connector_from_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, format!("{SECRET}\n")).unwrap();
        let flag = format!(
            "name=portal,environment=production,url=https://connector.example,providers=a+b,\
             records=SOCIAL_SECURITY,signals=INCOME_ESTIMATOR+BLACKLIST,secret-file={}",
            path.display()
        );
        let table: ConnectorInput = toml::from_str(&format!(
            "name = 'portal'\nenvironment = 'production'\nurl = 'https://connector.example/'\n\
             providers = ['a', 'b']\nrecords = ['SOCIAL_SECURITY']\nsignals = ['INCOME_ESTIMATOR', 'BLACKLIST']\nsecret = '{SECRET}'"
        ))
        .unwrap();
        for connector in [settle(&flag).unwrap(), table.settle().unwrap()] {
            assert_eq!(connector.mode, Mode::Production);
            assert_eq!(connector.settings.url, "https://connector.example");
            assert_eq!(connector.settings.secret.expose(), SECRET);
            let serves = Serves {
                providers: vec!["a".parse().unwrap(), "b".parse().unwrap()],
                records: vec![RecordType::SocialSecurity],
                signals: vec![SignalKind::IncomeEstimator, SignalKind::Blacklist],
            };
            assert_eq!(connector.settings.serves, serves);
            assert!(!format!("{connector:?}").contains("canary"));
        }
    }

    #[test]
    fn connector_example_of_guide_is_valid() {
        let guide = include_str!("../../../../docs/how-to/connectors.md");
        let (_, rest) = guide.split_once("```toml settings\n").unwrap();
        let (table, _) = rest.split_once("```").unwrap();
        let read: crate::settings::SettingsInput = toml::from_str(table).unwrap();
        assert_eq!(read.connector.unwrap()[0].name, "portal");
    }

    #[rstest]
    #[case("environment=sandbox", "name must")]
    #[case("name=p,environment=test", "environment must")]
    #[case("name=p,environment=sandbox,url=http://connector.example,providers=a", "url must")]
    #[case("name=p,environment=sandbox,url=https://connector.example/path,providers=a", "url must")]
    #[case("name=p,environment=sandbox,url=https://:canary@connector.example,providers=a", "or password")]
    #[case("name=p,environment=sandbox,url=https://canary@connector.example,providers=a", "user name")]
    #[case("name=p,environment=sandbox,url=http://127.0.0.1:9,providers=A B", "providers must")]
    #[case("name=p,environment=sandbox,url=http://127.0.0.1:9,providers=a+a", "providers must")]
    #[case("name=p,environment=production,url=http://127.0.0.1:9,records=TAX", "records must")]
    #[case("name=p,environment=production,url=http://127.0.0.1:9,signals=MOOD", "signals must")]
    #[case("name=p,environment=sandbox,url=http://127.0.0.1:9", "what the connector serves")]
    #[case(
        "name=p,environment=sandbox,url=http://127.0.0.1:9,signals=BLACKLIST",
        "need environment production"
    )]
    #[case("name=p,environment=sandbox,url=http://[::1]:9,providers=a", "secret-file or secret")]
    #[case("name=p,environment=sandbox,url=http://localhost:9,providers=a,secret=canary", "at least 32")]
    #[case("name=p,environment=sandbox,url=http://localhost:9,providers=a,secret-file=/nowhere", "/nowhere")]
    #[case("name=p,secrt=canary", "key=value")]
    fn connector_error_names_cause_without_secret(#[case] text: &str, #[case] expected: &str) {
        let refused = settle(text).unwrap_err().to_string();
        assert!(refused.starts_with("connector "), "{refused}");
        assert!(refused.contains(expected), "{refused}");
        assert!(!refused.contains("canary"), "{refused}");
    }
}
