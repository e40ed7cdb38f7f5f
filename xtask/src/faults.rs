//! `faults`: tests the service while it is killed, disconnected and overloaded.

pub mod nodes;
mod upgrade;

use crate::env::Env;
use crate::failure::Outcome;
use crate::release;
use crate::suite::tally::{Tally, run_counted};

/// The extent of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volume {
    /// 1 round of each test, for every submission.
    Slice,
    /// 25 rounds of each test.
    Full,
}

/// The number of accounts that [`syncs`] syncs.
const ACCOUNTS: &str = "100000";

/// Runs the test of a wave of syncs on two nodes with the released program and 100,000 accounts.
pub fn syncs(env: &Env, tally: &mut Tally) -> Outcome {
    let program = release::run(env)?;
    run_counted(
        env.cargo_whole(["test"])
            .args(["--test", "faults", "--", "--nocapture", "two_nodes_sync_each_account_once"])
            .env("LINCHPIN_FAULT_PROGRAM", program)
            .env("LINCHPIN_FAULT_ACCOUNTS", ACCOUNTS),
        tally,
    )
}

/// Runs the tests of `tests/faults`.
pub fn run(env: &Env, volume: Volume, tally: &mut Tally) -> Outcome {
    let rounds = match volume {
        Volume::Slice => "1",
        Volume::Full => "25",
    };
    let tests = || {
        env.cargo_whole(["test"])
            .args(["--test", "faults", "--", "--nocapture"])
            .env("LINCHPIN_FAULT_ROUNDS", rounds)
    };
    let result = run_counted(tests(), tally);
    // Without a result, the runner ended before all tests had run.
    let has_result = tally.passed > 0 && tally.failures.len() as u64 == tally.failed;
    if result.is_ok() || !env.repeats_failed_tests || !has_result {
        return result;
    }
    println!("faults: the failed tests run again");
    let mut second = Tally::default();
    run_counted(tests().arg("--exact").args(&tally.failures), &mut second)?;
    if second.passed < tally.failed {
        return result;
    }
    tally.forgive_all();
    Ok(())
}
