//! A statement: one text for both databases, known by name.
//!
//! SQLite runs the text as it stands. For PostgreSQL `?1` becomes `$1`, and the three lock fragments,
//! which are comments to SQLite (it has one writer and needs no row locks), become row locks.

use std::borrow::Cow;

/// `FOR UPDATE` on PostgreSQL.
pub(crate) const LOCK: &str = "/*lock*/";
/// `FOR KEY SHARE` on PostgreSQL: whoever shares it keeps out [`LOCK`] and deletions, and nobody else.
pub(crate) const SHARE: &str = "/*share*/";
/// `FOR UPDATE SKIP LOCKED` on PostgreSQL.
pub(crate) const SKIP_LOCKED: &str = "/*skip locked*/";

/// One SQL statement.
#[derive(Debug, Clone)]
pub(crate) struct Sql {
    /// For logs and the test that prepares them all.
    pub(crate) name: &'static str,
    /// The common text.
    pub(crate) text: Cow<'static, str>,
}

impl Sql {
    /// A statement written out in the source; made by [`statements!`] only, so that it is registered.
    pub(crate) const fn fixed(name: &'static str, text: &'static str) -> Self {
        Sql { name, text: Cow::Borrowed(text) }
    }

    /// A statement put together from fixed parts (a list with its filters).
    pub(crate) fn composed(name: &'static str, text: String) -> Self {
        Sql { name, text: Cow::Owned(text) }
    }
}

/// The text as PostgreSQL wants it.
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

/// Declares statements and lists them in `ALL`, from where the registry takes them.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)+) => {
        $($(#[$doc])* pub(crate) static $name: $crate::sql::Sql =
            $crate::sql::Sql::fixed(concat!(module_path!(), "::", stringify!($name)), $text);)+
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
    fn parameters_and_lock_fragments_are_rendered_and_quoted_text_is_not() {
        assert_eq!(
            render_postgres("SELECT '?' FROM t WHERE a = ?1 AND b = ?12 /*skip locked*/"),
            "SELECT '?' FROM t WHERE a = $1 AND b = $12 FOR UPDATE SKIP LOCKED"
        );
        assert_eq!(render_postgres("SELECT a FROM t /*lock*/"), "SELECT a FROM t FOR UPDATE");
        assert_eq!(render_postgres("SELECT a FROM t /*share*/"), "SELECT a FROM t FOR KEY SHARE");
    }
}
