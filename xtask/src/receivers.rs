//! `receivers`: runs the webhook receivers of docs/how-to/verify-webhooks.md with the vectors of tests/contract.

use crate::env::Env;
use crate::failure::Outcome;
use crate::suite::tally::{Tally, run_counted};

/// Runs the receiver of each language.
pub fn run(env: &Env, tally: &mut Tally) -> Outcome {
    let folder = env.cache.join("receivers").join(env.checkout());
    run_counted(env.program("node").arg("tests/receivers/run.mjs").arg(&folder), tally)
}
