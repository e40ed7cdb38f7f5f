//! Installs the programs of PostgreSQL, with which the store's tests start a separate cluster, and PgBouncer.

use std::path::{Path, PathBuf};

use super::apt;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;

const PROGRAMS: [&str; 3] = ["initdb", "pg_ctl", "postgres"];
const BY_HAND: &str = "install PostgreSQL 15 or newer so that initdb, pg_ctl and postgres are on PATH\n\
    (macOS: brew install postgresql@16; Fedora: dnf install postgresql-server)";

const POOLER: &str = "pgbouncer";
const POOLER_BY_HAND: &str = "install PgBouncer so that pgbouncer is on PATH (macOS: brew install pgbouncer; Fedora: dnf install pgbouncer)";

/// Installs the programs if they are missing, and adds them to the path.
pub fn ensure(env: &mut Env) -> Outcome {
    ensure_postgres(env)?;
    if !apt::find_server(env, POOLER) {
        apt::install(env, "PgBouncer", &[POOLER], "10 s", POOLER_BY_HAND)?;
    }
    if apt::find_server(env, POOLER) {
        return Ok(());
    }
    Err(Failure::new("PgBouncer is still missing").advice(POOLER_BY_HAND))
}

fn ensure_postgres(env: &mut Env) -> Outcome {
    if find(env) {
        return Ok(());
    }
    apt::install(env, "PostgreSQL", &["postgresql"], "30 s", BY_HAND)?;
    if find(env) { Ok(()) } else { Err(Failure::new("PostgreSQL is still missing").advice(BY_HAND)) }
}

fn find(env: &mut Env) -> bool {
    let path = env.path();
    if PROGRAMS.iter().all(|program| is_on_path(program, &path)) {
        return true;
    }
    let Some(bin) = newest(Path::new("/usr/lib/postgresql")) else { return false };
    env.bins.push(bin);
    true
}

/// Finds the programs of the newest version. Debian has them in one folder per version, which is not on the path.
fn newest(versions: &Path) -> Option<PathBuf> {
    let mut found: Vec<(u32, PathBuf)> = std::fs::read_dir(versions)
        .ok()?
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, bin)| PROGRAMS.iter().all(|program| bin.join(program).is_file()))
        .collect();
    found.sort();
    found.pop().map(|(_, bin)| bin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::write;

    #[test]
    fn newest_complete_version_is_chosen() {
        let dir = tempfile::tempdir().unwrap();
        for (version, programs) in [("9", &PROGRAMS[..]), ("15", &PROGRAMS[..]), ("16", &PROGRAMS[..1])] {
            for program in programs {
                write(&dir.path().join(version).join("bin").join(program), "").unwrap();
            }
        }
        assert_eq!(newest(dir.path()), Some(dir.path().join("15/bin")));
        assert_eq!(newest(&dir.path().join("none")), None);
    }
}
