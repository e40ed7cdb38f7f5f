//! A named statement: one text for both databases.
//!
//! SQLite runs the text unchanged. For PostgreSQL, `?1` becomes `$1`, and the three lock fragments become row locks. To
//! SQLite they are comments: it has one writer and needs no row locks.

use std::borrow::Cow;

/// `FOR UPDATE` on PostgreSQL.
pub(crate) const LOCK: &str = "/*lock*/";
/// `FOR KEY SHARE` on PostgreSQL. It blocks [`LOCK`] and deletions only.
pub(crate) const SHARE: &str = "/*share*/";
/// `FOR UPDATE SKIP LOCKED` on PostgreSQL.
pub(crate) const SKIP_LOCKED: &str = "/*skip locked*/";

/// One SQL statement.
#[derive(Debug, Clone)]
pub(crate) struct Sql {
    /// For logs, and for the test that prepares every statement.
    pub(crate) name: &'static str,
    /// The text for both databases.
    pub(crate) text: Cow<'static, str>,
}

impl Sql {
    /// Creates a statement from a fixed text. Use [`statements!`] instead, which also registers it.
    pub(crate) const fn from_static(name: &'static str, text: &'static str) -> Self {
        Sql { name, text: Cow::Borrowed(text) }
    }

    /// Creates a statement from fixed parts, e.g. a list with its filters.
    pub(crate) fn compose(name: &'static str, text: String) -> Self {
        Sql { name, text: Cow::Owned(text) }
    }
}

/// Renders the text for PostgreSQL.
pub(crate) fn render_postgres(text: &str) -> String {
    let mut rendered = String::with_capacity(text.len() + 16);
    let mut quoted = false;
    for character in text.chars() {
        match character {
            '\'' => {
                quoted = !quoted;
                rendered.push('\'');
            }
            '?' if !quoted => rendered.push('$'),
            other => rendered.push(other),
        }
    }
    rendered
        .replace(SKIP_LOCKED, "FOR UPDATE SKIP LOCKED")
        .replace(LOCK, "FOR UPDATE")
        .replace(SHARE, "FOR KEY SHARE")
}

/// Declares statements and lists them in `ALL` for the registry test.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)+) => {
        $($(#[$doc])* pub(crate) static $name: $crate::sql::Sql =
            $crate::sql::Sql::from_static(concat!(module_path!(), "::", stringify!($name)), $text);)+
        /// Every fixed statement of this file.
        #[cfg(test)]
        pub(crate) static ALL: &[&$crate::sql::Sql] = &[$(&$name),+];
    };
}
pub(crate) use statements;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_locks_are_rendered_outside_quotes() {
        assert_eq!(
            render_postgres("SELECT '?' FROM t WHERE a = ?1 AND b = ?12 /*skip locked*/"),
            "SELECT '?' FROM t WHERE a = $1 AND b = $12 FOR UPDATE SKIP LOCKED"
        );
        assert_eq!(render_postgres("SELECT a FROM t /*lock*/"), "SELECT a FROM t FOR UPDATE");
        assert_eq!(render_postgres("SELECT a FROM t /*share*/"), "SELECT a FROM t FOR KEY SHARE");
    }
}
