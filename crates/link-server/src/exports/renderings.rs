//! Turns at writing exports: it takes a processor and the whole account's data in memory.

use std::time::Duration;

use link_types::export::ExportFormat;
use link_types::id::AccountId;

use crate::http::problem::{Answer, Problem};
use crate::http::turns::{Turn, Turns};

/// Exports that are written at once.
const AT_ONCE: usize = 2;
/// How long one waits for its turn.
const WAIT: Duration = Duration::from_secs(15);

/// Who may write an export: of one account and format one at a time, so that whoever waited finds it written.
#[derive(Debug)]
pub struct Renderings(Turns<(AccountId, ExportFormat)>);

impl Default for Renderings {
    fn default() -> Self {
        Self(Turns::new(AT_ONCE, 1, WAIT))
    }
}

impl Renderings {
    /// The right to write it, until it is dropped.
    ///
    /// # Errors
    /// 503 with `Retry-After` when there was none in time.
    pub async fn take(&self, account: &AccountId, format: ExportFormat) -> Answer<Turn> {
        let busy = || Problem::busy("as many exports as may are being written");
        self.0.take((account.clone(), format)).await.ok_or_else(busy)
    }
}
