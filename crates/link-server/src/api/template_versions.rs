//! Saved versions of templates, which the developer portal compares and restores.

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::Now;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::revision::ChangedError;
use link_domain::tenancy::template_version::{self, TemplateBody};
use link_store::Tx;

use crate::http::problem::{ApiResult, Problem};

impl From<ChangedError> for Problem {
    fn from(changed: ChangedError) -> Self {
        Self::conflict(changed.to_string())
    }
}

/// Returns the versions that saving a template adds. The unit has locked the template, if it exists.
pub(super) fn versions_of_save(
    tx: &mut Tx<'_>,
    owner: &Owner,
    before: Option<TemplateBody>,
    saved: TemplateBody,
    now: Now,
) -> ApiResult<Change> {
    let last = tx.template_versions().last(saved.id())?;
    let versions = template_version::versions_of_save(owner, before, saved, last, now.tenant().into());
    let rows = versions.into_iter().map(|it| Row::TemplateVersion(Box::new(it))).collect();
    Ok(Change { rows, ..Change::default() })
}
