//! Checks that the disk has space for what a run builds, so that a run does not fail in the middle.

use crate::disk;
use crate::env::Env;
use crate::failure::{Failure, Outcome};

const GIB: u64 = 1 << 30;
/// All build output of a run.
const COLD: u64 = 20 * GIB;
/// Output of a run on top of an earlier one: cargo does not delete the output of old sources.
const WARM: u64 = 4 * GIB;

/// Checks the space of the file system with the target folder, for all stages or for `only` some. Does nothing if `df` or
/// `du` fails.
///
/// # Errors
/// If the free space is less than the run needs.
pub fn check(env: &Env, only: Option<&str>) -> Outcome {
    let target = env.target();
    let (Some(built), Some(free)) = (disk::used(env, &target), disk::free(env, &target)) else {
        return Ok(());
    };
    // Some stages build little, and the stage's name does not say how much.
    let all_output = if only.is_some() { WARM } else { COLD };
    match shortage(free, built, all_output) {
        None => Ok(()),
        Some(why) => Err(Failure::new(format!("The disk with {} has too little space", target.display()))
            .why(why)
            .advice(
                "delete other files, or delete this folder if it contains the output of old sources;\n\
                 LINCHPIN_CACHE names another folder for tools and build output",
            )),
    }
}

/// Returns the bytes that a run needs if its complete output is `all_output` bytes and `built` of them exist.
fn needed(built: u64, all_output: u64) -> u64 {
    all_output.saturating_sub(built).max(WARM)
}

/// Returns why the space is too little, or `None` if it is enough.
fn shortage(free: u64, built: u64, all_output: u64) -> Option<String> {
    let gib = |bytes: u64| bytes as f64 / GIB as f64;
    let needed = needed(built, all_output);
    (free < needed).then(|| {
        format!(
            "{:.1} GiB are free, but the run needs {:.1} GiB in addition to the folder's {:.1} GiB",
            gib(free),
            gib(needed),
            gib(built)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_run_needs_space_for_all_output() {
        assert_eq!(shortage(COLD, 0, COLD), None);
        assert_eq!(
            shortage(COLD - GIB / 2, 0, 20 * GIB).as_deref(),
            Some("19.5 GiB are free, but the run needs 20.0 GiB in addition to the folder's 0.0 GiB")
        );
    }

    #[test]
    fn later_run_needs_space_for_the_rest_but_never_nothing() {
        assert_eq!(needed(COLD - 5 * GIB, COLD), 5 * GIB);
        assert_eq!(needed(COLD - GIB, COLD), WARM);
        assert_eq!(needed(90 * GIB, COLD), WARM);
        assert!(shortage(WARM - 1, 90 * GIB, COLD).is_some());
    }

    #[test]
    fn single_stage_needs_the_space_of_a_later_run() {
        assert_eq!(needed(0, WARM), WARM);
    }
}
