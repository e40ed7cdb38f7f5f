//! All data points of an account.

use link_domain::clock::TenantTime;
use link_domain::ports::{Batch, ContributionRate};
use link_types::Timestamp;
use link_types::data::{DataPointBody, DataPointKind};
use link_types::provider::Provider;

use super::person::Person;
use super::scene::Scene;
use super::{documents, identity, jobs, loans, money};
use crate::sandbox::draw::Draw;

/// The login whose later readings find changes at once.
const CHANGES: &str = "changes";
/// How far ahead the later readings of [`CHANGES`] are.
const AHEAD_DAYS: i64 = 40;

/// Returns all data points that the provider supports, the oldest of each kind first. They depend on the login and the
/// date only: as time passes, there is new pay, a raise each year, and a new job after some years.
pub(crate) fn batch(provider: &Provider, login: &str, at: TenantTime, is_first: bool) -> Batch {
    let mut draw = Draw::new(&[provider.id.as_str(), login]);
    let is_changed = login == CHANGES && !is_first;
    let today = Timestamp::from(at).date().plus_days(if is_changed { AHEAD_DAYS } else { 0 });
    let mut person = Person::draw(&provider.country, &mut draw);
    if is_changed {
        person.changes_job_at_once();
    }
    let scene = Scene { provider, login, person, today, many: login == "many" };
    let bodies = provider.supported.iter().flat_map(|kind| of_kind(&scene, *kind, &mut draw)).collect();
    let contribution_rate = ContributionRate::from_basis_points(money::CONTRIBUTION_RATE);
    Batch { bodies, contribution_rate, ..Batch::default() }
}

fn of_kind(scene: &Scene<'_>, kind: DataPointKind, draw: &mut Draw) -> Vec<DataPointBody> {
    match kind {
        DataPointKind::Identities => vec![DataPointBody::Identity(Box::new(identity::identity(scene)))],
        DataPointKind::Employments => {
            jobs::employments(scene).into_iter().map(DataPointBody::Employment).collect()
        }
        DataPointKind::Documents => {
            documents::documents(scene, draw).into_iter().map(DataPointBody::Document).collect()
        }
        DataPointKind::Contributions => {
            money::contributions(scene).into_iter().map(DataPointBody::Contribution).collect()
        }
        DataPointKind::Incomes => money::incomes(scene).into_iter().map(DataPointBody::Income).collect(),
        DataPointKind::Transactions => {
            money::transactions(scene).into_iter().map(DataPointBody::Transaction).collect()
        }
        DataPointKind::Liabilities => {
            loans::liabilities(scene, draw).into_iter().map(DataPointBody::Liability).collect()
        }
        DataPointKind::Ratings => vec![DataPointBody::Rating(identity::rating(scene, draw))],
        // The domain computes these from the others.
        DataPointKind::Eincomes | DataPointKind::Links | DataPointKind::Insights => Vec::new(),
    }
}
