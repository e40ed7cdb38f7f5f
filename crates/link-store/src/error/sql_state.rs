//! Consequences of an error of PostgreSQL for the request and for the connection, by its SQLSTATE.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// The consequence of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consequence {
    /// The same request fails again.
    None,
    /// The same unit of work may succeed if it runs again now.
    RunAgain,
    /// The same request may succeed in a few seconds: the server cancelled a statement or lacks a resource.
    ComeBack,
    /// As `ComeBack`, and the connection cannot be used again: it broke, the server is stopping or starting, or it is not
    /// the primary.
    ServerLost,
}

/// Returns the consequence of an error.
pub(crate) fn consequence_of(error: &Error) -> Consequence {
    match error.code() {
        Some(code) => consequence_of_code(code),
        None if error.is_closed() || error.source().is_some_and(|it| it.is::<std::io::Error>()) => {
            Consequence::ServerLost
        }
        None => Consequence::None,
    }
}

/// Returns the consequence of a SQLSTATE.
pub(crate) fn consequence_of_code(code: &SqlState) -> Consequence {
    match code.code() {
        // Serialization failure, deadlock.
        "40001" | "40P01" => Consequence::RunAgain,
        // Read-only transaction: a standby, or a primary that was demoted. Idle in a transaction for too long, transaction
        // timeout: the server has ended the session.
        "25006" | "25P03" | "25P04" => Consequence::ServerLost,
        // Cancelled by the server or an administrator, and a lock that is not available.
        "57014" | "55P03" => Consequence::ComeBack,
        // The disk is full: `StoreError::is_unwritable`.
        "53100" => Consequence::None,
        code if code.starts_with("53") => Consequence::ComeBack,
        // Connection exceptions; the server is shutting down, crashed, starting, or ended an idle session.
        code if code.starts_with("08") || code.starts_with("57P") => Consequence::ServerLost,
        _ => Consequence::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_states_have_their_documented_consequences() {
        for (code, expected) in [
            ("25006", Consequence::ServerLost),
            ("57P01", Consequence::ServerLost),
            ("57P02", Consequence::ServerLost),
            ("57P03", Consequence::ServerLost),
            ("57P05", Consequence::ServerLost),
            ("08006", Consequence::ServerLost),
            ("25P03", Consequence::ServerLost),
            ("57014", Consequence::ComeBack),
            ("53300", Consequence::ComeBack),
            ("53200", Consequence::ComeBack),
            ("55P03", Consequence::ComeBack),
            ("40001", Consequence::RunAgain),
            ("40P01", Consequence::RunAgain),
            ("53100", Consequence::None),
            ("23505", Consequence::None),
            ("42601", Consequence::None),
        ] {
            assert_eq!(consequence_of_code(&SqlState::from_code(code)), expected, "{code}");
        }
    }
}
