//! `faults`: the service killed, cut off and overrun, and what must hold all the same.

use crate::env::Env;
use crate::failure::Outcome;
use crate::suite::tally::{Tally, counted};

/// How much of it to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volume {
    /// A few rounds of each, for every submission.
    Slice,
    /// Many rounds.
    Full,
}

/// Runs the tests of `tests/faults`.
pub fn run(env: &Env, volume: Volume, tally: &mut Tally) -> Outcome {
    let rounds = match volume {
        Volume::Slice => "1",
        Volume::Full => "25",
    };
    env.cargo(["build", "--quiet", "--locked", "--package", "link-server", "--bin", "linchpin"]).run()?;
    counted(
        env.cargo(["test", "--locked", "--package", "link-server", "--test", "faults", "--", "--nocapture"])
            .env("LINCHPIN_FAULT_ROUNDS", rounds),
        tally,
    )
}
