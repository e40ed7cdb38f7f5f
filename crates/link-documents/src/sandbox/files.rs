//! Landlock: the child may read only Tesseract, its libraries and its data.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, LandlockStatus, PathBeneath,
    PathFd, RestrictionStatus, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};

use super::entered::Entered;
use super::layer::Layer;
use crate::tesseract::Tesseract;

/// The newest ABI that is requested. An older kernel applies the rules that it knows.
const RULES: ABI = ABI::V6;

/// The folders of dynamic libraries on supported systems.
const LIBRARIES: [&str; 6] =
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"];
/// The dynamic loaders. The kernel starts one of them for Tesseract.
const LOADERS: [&str; 5] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-linux-riscv64-lp64d.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];
/// Systems that put everything into one folder, including libraries and loader.
const STORES: [&str; 2] = ["/nix/store", "/gnu/store"];

/// The paths that a child's Tesseract needs.
pub(crate) struct Paths {
    /// May be read.
    pub libraries: Vec<PathBuf>,
    /// May be read and listed.
    pub data: Vec<PathBuf>,
    /// May be read and executed.
    pub programs: Vec<PathBuf>,
}

impl Paths {
    pub fn for_tesseract(tesseract: Option<&Tesseract>) -> Self {
        let mut paths = Self { libraries: Vec::new(), data: Vec::new(), programs: Vec::new() };
        let Some(tesseract) = tesseract else { return paths };
        let program = Path::new(&tesseract.program);
        let program = program.canonicalize().unwrap_or_else(|_| program.to_owned());
        paths.libraries.extend(LIBRARIES.map(PathBuf::from));
        paths.data.extend(["/usr/share/tesseract-ocr", "/usr/share/tessdata"].map(PathBuf::from));
        paths.programs.extend(LOADERS.map(PathBuf::from));
        if let Some(store) = STORES.iter().find(|store| program.starts_with(store)) {
            paths.programs.push(PathBuf::from(store));
        } else if let Some(prefix) = program.parent().and_then(Path::parent) {
            paths.libraries.push(prefix.join("lib"));
            paths.data.extend(["share/tessdata", "share/tesseract-ocr"].map(|it| prefix.join(it)));
        }
        paths.programs.push(program);
        paths
    }
}

pub(super) fn is_supported() -> bool {
    let asked = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create);
    asked.is_ok()
}

pub(super) fn enter(entered: &mut Entered, tesseract: Option<&Tesseract>) {
    let restricted = restrict(&Paths::for_tesseract(tesseract)).map_err(|error| error.to_string());
    let in_force = restricted.and_then(|status| match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => Err("the kernel has no Landlock".to_owned()),
        (_, LandlockStatus::Available { effective_abi, .. }) => Ok(effective_abi),
        (_, LandlockStatus::NotEnabled | LandlockStatus::NotImplemented) => {
            Err("the kernel has no Landlock".to_owned())
        }
    });
    if let Ok(abi) = in_force
        && abi >= ABI::V4
    {
        // Landlock blocks only TCP. The seccomp filter blocks every other socket.
        entered.note(Layer::Network, Ok::<_, String>("Landlock (TCP)".to_owned()));
    }
    entered.note(Layer::Files, in_force.map(|abi| format!("Landlock (ABI {})", abi as i32)));
}

fn restrict(paths: &Paths) -> Result<RestrictionStatus, RulesetError> {
    let read = AccessFs::ReadFile;
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(RULES))?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?
        .add_rules(path_beneath_rules(&paths.libraries, read))?
        .add_rules(path_beneath_rules(&paths.data, read | AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(&paths.programs, read | AccessFs::Execute))?;
    null(rules, read | AccessFs::WriteFile)?.restrict_self()
}

/// Allows `/dev/null`, for Tesseract's messages.
fn null(
    rules: landlock::RulesetCreated,
    access: BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, RulesetError> {
    match PathFd::new("/dev/null") {
        Ok(null) => rules.add_rule(PathBeneath::new(null, access)),
        Err(_) => Ok(rules),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn child_without_tesseract_may_read_no_path() {
        let paths = Paths::for_tesseract(None);
        assert!(paths.libraries.is_empty() && paths.data.is_empty() && paths.programs.is_empty());
    }

    #[test]
    fn paths_never_include_folders_of_other_programs() {
        let tesseract = Tesseract { program: "/opt/ocr/bin/tesseract".into(), languages: "eng".into() };
        let paths = Paths::for_tesseract(Some(&tesseract));
        assert!(paths.programs.contains(&"/opt/ocr/bin/tesseract".into()));
        assert!(paths.libraries.contains(&"/opt/ocr/lib".into()));
        assert!(paths.data.contains(&"/opt/ocr/share/tessdata".into()));
        let all = paths.libraries.iter().chain(&paths.data).chain(&paths.programs);
        for path in all {
            for wide in
                ["/", "/usr", "/usr/bin", "/bin", "/etc", "/opt/ocr", "/opt/ocr/bin", "/home", "/var", "/tmp"]
            {
                assert_ne!(path, Path::new(wide));
            }
        }
    }
}
