//! `linchpin extract`: the child that looks into documents. The service starts it; it is of no use to a person.

use std::process::ExitCode;

/// Does one job that comes by standard input.
pub(super) fn run() -> ExitCode {
    link_connectors::documents::child::run()
}
