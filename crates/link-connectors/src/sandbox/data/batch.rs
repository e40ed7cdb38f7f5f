//! All data points of an account.

use link_domain::data::batch::{Batch, ContributionRate};
use link_domain::kernel::clock::TenantTime;
use link_types::data::DataPointBody;
use link_types::data::DataPointKind::{self, *};
use link_types::provider::Provider;
use link_types::{Date, Timestamp};

use super::person::Person;
use super::person::Scene;
use super::{documents, identity, jobs, money};
use crate::sandbox::draw::Draw;

/// The login whose second reading finds changes at once.
const CHANGES: &str = "changes";
/// How old the data of the first reading of [`CHANGES`] is. Nothing is ever dated after the reading.
const LATE_DAYS: i64 = 62;
/// The login whose longest list exceeds the limit of a webhook payload.
const MANY: &str = "many";

// The kinds of data that each type of provider has.
pub(crate) const SOCIAL_SECURITY: &[DataPointKind] =
    &[Identities, Employments, Documents, Contributions, Liabilities, Eincomes];
pub(crate) const PENSION: &[DataPointKind] = &[Identities, Employments, Documents, Incomes, Eincomes];
pub(crate) const HEALTH: &[DataPointKind] = &[Identities, Employments, Documents, Contributions, Eincomes];
pub(crate) const HOUSING: &[DataPointKind] =
    &[Identities, Employments, Documents, Contributions, Liabilities, Eincomes];
pub(crate) const PAYROLL: &[DataPointKind] = &[Identities, Employments, Documents, Incomes, Eincomes];
pub(crate) const GIG: &[DataPointKind] = &[Identities, Ratings, Transactions, Eincomes];
pub(crate) const REGISTRY: &[DataPointKind] = &[Identities, Employments, Documents];

/// Returns all data points that the provider supports, the oldest of each kind first. They depend on the login and the
/// date: as time passes, there is new pay, a raise each year, and a new job after some years. `first_read` is the date
/// of the account's first reading, or `None` if this is the first. Only the login `changes` depends on it.
pub(crate) fn batch(provider: &Provider, login: &str, at: TenantTime, first_read: Option<Date>) -> Batch {
    let mut draw = Draw::new(&[provider.id.as_str(), login]);
    let now = Timestamp::from(at).date();
    let many = login == MANY;
    let mut person = Person::draw(&provider.country, many, &mut draw);
    let mut today = now;
    if login == CHANGES {
        person.changes_job_before(first_read.unwrap_or(now).month());
        if first_read.is_none() {
            today = now.plus_days(-LATE_DAYS);
        }
    }
    let scene = Scene { provider, login, person, today, many };
    let bodies = provider.supported.iter().flat_map(|kind| of_kind(&scene, *kind, &mut draw)).collect();
    let contribution_rate = ContributionRate::from_basis_points(money::CONTRIBUTION_RATE);
    Batch { bodies, contribution_rate, ..Batch::default() }
}

fn of_kind(scene: &Scene<'_>, kind: DataPointKind, draw: &mut Draw) -> Vec<DataPointBody> {
    match kind {
        Identities => vec![identity::identity(scene).into()],
        Employments => jobs::employments(scene).into_iter().map(DataPointBody::from).collect(),
        Documents => documents::documents(scene, draw).into_iter().map(DataPointBody::from).collect(),
        Contributions => money::contributions(scene).into_iter().map(DataPointBody::from).collect(),
        Incomes => money::incomes(scene).into_iter().map(DataPointBody::from).collect(),
        Transactions => money::transactions(scene).into_iter().map(DataPointBody::from).collect(),
        Liabilities => money::liabilities(scene, draw).into_iter().map(DataPointBody::from).collect(),
        Ratings => vec![identity::rating(scene, draw).into()],
        // The domain computes these from the others.
        Eincomes | Links | Insights => Vec::new(),
    }
}
