//! The binary `linchpin`.

use std::process::ExitCode;

fn main() -> ExitCode {
    link_server::cli::run()
}
