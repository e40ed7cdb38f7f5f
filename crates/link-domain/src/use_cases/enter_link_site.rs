//! A person opens a link site.

use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::form_submission::LinkSiteFieldType;

use crate::change::{Change, Row};
use crate::invitations::address_proof::AddressProof;
use crate::invitations::form_submission::{AnswerTexts, FormOfVisit, FormSubmission};
use crate::invitations::link_site::{LinkSite, SiteClosedError};
use crate::invitations::visit::{Visit, VisitOrigin};
use crate::kernel::context::Context;
use crate::tenancy::user::User;

/// Name of the prefilled reference.
const REFERENCE: &str = "reference";
/// Maximum number of characters of a prefilled value.
const MAX_PREFILLED: usize = 200;

/// Begins a visit of a public link site as a new user. `query` are the values of the address; only those that the site
/// allows are kept. Returns the visit's secret, and everything that must be written.
///
/// # Errors
///
/// [`SiteClosedError`] if the site cannot be opened.
pub fn enter_link_site(
    site: LinkSite,
    query: &BTreeMap<String, String>,
    context: &mut Context,
) -> Result<(Sensitive, Change), SiteClosedError> {
    site.check_open(context.now().tenant())?;
    let (user, mut change) = User::create(site.owner.clone(), None, BTreeMap::new(), context);
    let origin = VisitOrigin::LinkSite(site.id().clone());
    let (visit, secret) = Visit::begin(site.owner.clone(), user.id, origin, site.site.form_version, context);
    let proof = if site.needs_proof() { AddressProof::NotAsked } else { AddressProof::NotNeeded };
    let visit = Visit { proof, ..visit };
    change = change.then(Change::row(Row::Visit(visit.clone())));
    if let Some(form) = &site.site.form {
        let of = FormOfVisit { form, site: site.id().clone(), visit: &visit, started: None };
        let value = |name: &String| {
            let value = query.get(name).filter(|_| site.site.prefill.contains(name))?;
            let value = value.chars().filter(|it| !it.is_control()).take(MAX_PREFILLED).collect::<String>();
            (!value.is_empty()).then_some(value)
        };
        let hidden = form.fields.iter().filter(|it| it.field_type == LinkSiteFieldType::Hidden);
        let prefilled: AnswerTexts =
            hidden.filter_map(|it| Some((it.name.clone(), vec![value(&it.name)?]))).collect();
        let reference = value(&REFERENCE.to_owned());
        if reference.is_some() || !prefilled.is_empty() {
            change = change.then(FormSubmission::start(of, reference, &prefilled, context).1);
        }
    }
    Ok((secret, change.then(site.record_visit())))
}
