//! The program of an earlier revision, for `faults nodes upgrade`.

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;

/// The migrations of the schema, in a checkout.
const MIGRATIONS: &str = "crates/link-store/src/migrations";

/// A version of the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    /// The name of its file.
    file: String,
    /// The newest version that a program must know to serve a database with this one.
    serves_from: usize,
    /// The statements.
    text: String,
}

/// Builds the program of a revision, or of the newest release. The next run of the same revision needs no build.
///
/// # Errors
/// If the revision or release does not exist, cannot serve one database with this checkout, or does not build.
pub fn build(env: &Env, revision: Option<&str>) -> Outcome<PathBuf> {
    let git = |args: &[&str]| env.program("git").args(args).output();
    let revision = match revision {
        Some(revision) => revision.to_owned(),
        None => git(&["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"])
            .map_err(|_| {
                Failure::new("Found no tag of a release, such as v0.1.0")
                    .advice("name a revision: `cargo xtask faults nodes upgrade REVISION`")
            })?
            .trim()
            .to_owned(),
    };
    let commit = git(&["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")])
        .map_err(|error| Failure::new(format!("Found no revision {revision}")).why(error))?;
    let commit = commit.trim();
    let earlier = versions(|file| {
        git(&["show", &format!("{commit}:{MIGRATIONS}/{file}")]).map_err(|error| {
            let what = format!("Found no {file} among the migrations of {revision}");
            Failure::new(what).why(error).advice("choose a later revision")
        })
    })?;
    let current = versions(|file| files::read(&env.at(MIGRATIONS).join(file)))?;
    check(&earlier, &current).map_err(|why| {
        Failure::new(format!("Nodes of {revision} and of this checkout cannot serve one database"))
            .why(why)
            .advice("choose a later revision")
    })?;

    let folder = env.cache.join("faults-nodes-earlier").join(env.checkout());
    let source = folder.join("source");
    let place = source.to_string_lossy();
    if source.join("Cargo.toml").is_file() {
        git(&["-C", &place, "checkout", "--quiet", "--force", "--detach", commit])?;
    } else {
        files::make_dir(&folder)?;
        // The folder of an earlier run may have been removed.
        git(&["worktree", "prune"])?;
        git(&["worktree", "add", "--quiet", "--force", "--detach", &place, commit])?;
    }
    println!("faults: building {revision} in {} ...", folder.display());
    let target = folder.join("target");
    env.cargo_whole(["build", "--quiet", "--bin", "linchpin"])
        .dir(&source)
        .env("CARGO_TARGET_DIR", &target)
        .run()?;
    Ok(target.join("debug/linchpin"))
}

/// Reads the versions of a schema with `read`, which returns the text of a file of the migrations.
fn versions(read: impl Fn(&str) -> Outcome<String>) -> Outcome<Vec<Version>> {
    let list = read("mod.rs")?;
    let entries = list.split("include_str!(\"").skip(1);
    entries
        .map(|entry| {
            let (file, rest) = entry.split_once('"').unwrap_or((entry, ""));
            let number = rest.split_once("serves_from:").map_or("", |(_, number)| number.trim_start());
            let digits = number.split(|it: char| !it.is_ascii_digit()).next().unwrap_or_default();
            let serves_from = digits.parse().map_err(|_| {
                Failure::new(format!("{file} has no number `serves_from` in the list of migrations"))
                    .advice("choose a later revision")
            })?;
            Ok(Version { text: read(file)?, file: file.to_owned(), serves_from })
        })
        .collect()
}

/// Checks that nodes of two builds can serve one database, with the schema of the current one. Returns the reason if not.
fn check(earlier: &[Version], current: &[Version]) -> Result<(), String> {
    let known = earlier.len();
    if known == 0 {
        return Err("the revision states no versions of its schema that it serves".to_owned());
    }
    if known > current.len() {
        return Err(format!("the revision knows version {known}, and this checkout only {}", current.len()));
    }
    if let Some((one, _)) =
        earlier.iter().zip(current).find(|(one, other)| one.text.trim() != other.text.trim())
    {
        return Err(format!("{} was changed since the revision, without a new version", one.file));
    }
    match current.last() {
        Some(newest) if newest.serves_from > known => Err(format!(
            "version {} serves programs that know version {}, and the revision knows version {known}",
            current.len(),
            newest.serves_from
        )),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "const VERSIONS: &[Version] = &[\n    Version { text: include_str!(\"0001_initial.sql\"), serves_from: 1 },\n    \
                        Version { text: include_str!(\"0002_more.sql\"), serves_from: 1 },\n];\n";

    fn schema(serves_from: &[usize]) -> Vec<Version> {
        let numbered = serves_from.iter().enumerate();
        numbered
            .map(|(number, serves_from)| Version {
                file: format!("{number}.sql"),
                serves_from: *serves_from,
                text: format!("CREATE {number}"),
            })
            .collect()
    }

    #[test]
    fn versions_of_the_list_are_read_with_their_texts() {
        let read = versions(|file| Ok(if file == "mod.rs" { LIST.to_owned() } else { file.to_uppercase() }));
        let read: Vec<_> = read.unwrap().into_iter().map(|it| (it.file, it.serves_from, it.text)).collect();
        assert_eq!(
            read,
            [
                ("0001_initial.sql".to_owned(), 1, "0001_INITIAL.SQL".to_owned()),
                ("0002_more.sql".to_owned(), 1, "0002_MORE.SQL".to_owned())
            ]
        );
    }

    #[test]
    fn entry_without_a_number_fails_with_its_name() {
        for list in [
            LIST.replace("serves_from: 1 },\n];", "serves_from: FIRST },\n];"),
            LIST.replace(", serves_from: 1", ""),
        ] {
            let read = versions(|_| Ok(list.clone()));
            assert!(format!("{:?}", read.unwrap_err()).contains(".sql has no number"), "{list}");
        }
    }

    #[test]
    fn list_of_this_checkout_can_be_read() {
        let list = include_str!("../../../crates/link-store/src/migrations/mod.rs");
        let read =
            versions(|file| Ok(if file == "mod.rs" { list.to_owned() } else { String::new() })).unwrap();
        assert!(!read.is_empty() && read.iter().all(|it| it.file.ends_with(".sql")), "{read:?}");
    }

    #[test]
    fn builds_serve_one_database_within_the_stated_range() {
        for (earlier, current, said) in [
            (&[1][..], &[1][..], None),
            (&[1], &[1, 1], None),
            (&[1, 1], &[1, 1, 2], None),
            (&[1], &[1, 1, 2], Some("version 3 serves programs that know version 2")),
            (&[1, 1], &[1], Some("this checkout only 1")),
            (&[], &[1], Some("states no versions")),
        ] {
            let checked = check(&schema(earlier), &schema(current));
            match said {
                None => assert_eq!(checked, Ok(()), "{earlier:?} {current:?}"),
                Some(said) => assert!(checked.clone().unwrap_err().contains(said), "{checked:?}"),
            }
        }
        let mut changed = schema(&[1]);
        changed[0].text.push_str(" differently");
        assert!(check(&schema(&[1]), &changed).unwrap_err().contains("0.sql was changed"));
    }
}
