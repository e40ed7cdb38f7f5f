//! `faults`: tests the service while it is killed, disconnected and overloaded.

use crate::env::Env;
use crate::failure::Outcome;
use crate::suite::tally::{Tally, counted};

/// The extent of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volume {
    /// 1 round of each test, for every submission.
    Slice,
    /// 25 rounds of each test.
    Full,
}

/// Runs the tests of `tests/faults`.
pub fn run(env: &Env, volume: Volume, tally: &mut Tally) -> Outcome {
    let rounds = match volume {
        Volume::Slice => "1",
        Volume::Full => "25",
    };
    counted(
        env.cargo_whole(["test"])
            .args(["--test", "faults", "--", "--nocapture"])
            .env("LINCHPIN_FAULT_ROUNDS", rounds),
        tally,
    )
}
