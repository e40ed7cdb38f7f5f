//! Checks the environment variables of the service, because a misspelt one would be ignored without a word.

use std::ffi::OsStr;

/// The beginning of the names of all settings in the environment.
const PREFIX: &str = "LINCHPIN_";
/// The folder of the task runner's caches, which developers set.
const OF_THE_TASK_RUNNER: &str = "LINCHPIN_CACHE";
/// Names with at most this many wrong characters are misspelt settings. Others belong to someone else, as the variables
/// that Kubernetes sets for a service called `linchpin`.
const MAX_WRONG_CHARACTERS: usize = 2;

/// A variable whose name or value is wrong. The value is not repeated, because it may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// The name is nearly that of a setting.
    #[error("{name} is not a setting. Did you mean {similar}?")]
    Misspelt {
        /// The variable.
        name: String,
        /// The setting that is most similar.
        similar: String,
    },
    /// The value is in quotation marks.
    #[error(
        "{name} has a value in quotation marks, which are part of the value. Remove them: `docker --env-file` and \
         Kubernetes pass them on, a shell or systemd would not"
    )]
    Quoted {
        /// The variable.
        name: String,
    },
    /// The value begins or ends with white space.
    #[error(
        "{name} has a value that begins or ends with white space or a line break. Remove it, for example by saving the \
         file with Unix line ends"
    )]
    Spaced {
        /// The variable.
        name: String,
    },
    /// The value is not text.
    #[error("{name} has a value that is not UTF-8")]
    NotText {
        /// The variable.
        name: String,
    },
}

/// Returns everything that is wrong with the variables of this process, in the order of their names. `known` are the
/// names of all settings.
pub fn check_environment<N, V>(
    variables: impl IntoIterator<Item = (N, V)>,
    known: &[String],
) -> Vec<EnvironmentError>
where
    N: AsRef<OsStr>,
    V: AsRef<OsStr>,
{
    let mut found: Vec<_> = variables
        .into_iter()
        .filter_map(|(name, value)| {
            let name = name.as_ref().to_str().filter(|it| it.starts_with(PREFIX))?.to_owned();
            let error = check_variable(&name, value.as_ref(), known)?;
            Some((name, error))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found.into_iter().map(|(_, error)| error).collect()
}

fn check_variable(name: &str, value: &OsStr, known: &[String]) -> Option<EnvironmentError> {
    let name = name.to_owned();
    if !known.contains(&name) {
        let similar = known
            .iter()
            .map(|it| (strsim::osa_distance(it, &name), it))
            .min()
            .filter(|(distance, _)| *distance <= MAX_WRONG_CHARACTERS && name != OF_THE_TASK_RUNNER);
        return similar.map(|(_, it)| EnvironmentError::Misspelt { name, similar: it.clone() });
    }
    let Some(value) = value.to_str() else { return Some(EnvironmentError::NotText { name }) };
    if value.trim() != value {
        return Some(EnvironmentError::Spaced { name });
    }
    let is_quoted = |mark| value.len() >= 2 && value.starts_with(mark) && value.ends_with(mark);
    (is_quoted('"') || is_quoted('\'')).then_some(EnvironmentError::Quoted { name })
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    fn check(name: &str, value: &str) -> Vec<EnvironmentError> {
        check_environment([(name, value)], &["LINCHPIN_DATABASE_URL".into(), "LINCHPIN_LOG".into()])
    }

    #[rstest::rstest]
    #[case::set("LINCHPIN_LOG", "debug")]
    #[case::empty("LINCHPIN_LOG", "")]
    #[case::inner_quote("LINCHPIN_DATABASE_URL", "host=a password='it''s' dbname=b")]
    #[case::of_kubernetes("LINCHPIN_PORT_8787_TCP", "tcp://10.0.0.1:8787")]
    #[case::of_kubernetes_service("LINCHPIN_SERVICE_HOST", "10.0.0.1")]
    #[case::of_task_runner("LINCHPIN_CACHE", "\"")]
    #[case::of_someone_else("PATH", " ")]
    fn variable_is_accepted(#[case] name: &str, #[case] value: &str) {
        assert_eq!(check(name, value), []);
    }

    #[rstest::rstest]
    #[case::missing_letter("LINCHPIN_DATABSE_URL")]
    #[case::swapped_letters("LINCHPIN_DATABASE_ULR")]
    #[case::extra_letter("LINCHPIN_DATABASES_URL")]
    fn misspelt_variable_names_the_similar_setting(#[case] name: &str) {
        let similar = "LINCHPIN_DATABASE_URL".to_owned();
        assert_eq!(check(name, "x"), [EnvironmentError::Misspelt { name: name.to_owned(), similar }]);
    }

    #[rstest::rstest]
    #[case("\"debug\"", EnvironmentError::Quoted { name: "LINCHPIN_LOG".into() })]
    #[case("'debug'", EnvironmentError::Quoted { name: "LINCHPIN_LOG".into() })]
    #[case("debug\r", EnvironmentError::Spaced { name: "LINCHPIN_LOG".into() })]
    #[case(" debug", EnvironmentError::Spaced { name: "LINCHPIN_LOG".into() })]
    fn quoted_or_spaced_value_is_rejected(#[case] value: &str, #[case] expected: EnvironmentError) {
        assert_eq!(check("LINCHPIN_LOG", value), [expected]);
    }

    #[test]
    fn errors_never_repeat_the_value() {
        let value = OsStr::from_bytes(b"\xffcanary");
        let known = ["LINCHPIN_LOG".to_owned()];
        let found = check_environment([("LINCHPIN_LOG", value)], &known);
        assert_eq!(found, [EnvironmentError::NotText { name: "LINCHPIN_LOG".into() }]);
        assert!(!check("LINCHPIN_LOG", "\"canary\"")[0].to_string().contains("canary"));
    }
}
