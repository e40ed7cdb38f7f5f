//! Invented data of an invented person, always the same for the same provider and login. Names are made up, and numbers
//! come from unassigned ranges: `example.com`, phone and social security numbers of zeros.

mod documents;
pub(super) mod draw;
mod identity;
mod jobs;
mod loans;
mod money;
mod person;

use link_domain::clock::TenantTime;
use link_domain::ports::{Batch, ContributionRate};
use link_types::data::{DataPointBody, DataPointKind};
use link_types::provider::Provider;
use link_types::{Date, Timestamp};

use self::draw::Draw;
use self::person::Person;

/// The context in which all data is drawn.
struct Scene<'a> {
    provider: &'a Provider,
    person: Person,
    today: Date,
    /// Whether the provider's longest list exceeds the limit of a webhook payload.
    many: bool,
}

/// Returns all data points that the provider supports, the oldest of each kind first.
pub(super) fn batch(provider: &Provider, login: &str, at: TenantTime) -> Batch {
    let mut draw = Draw::new(&[provider.id.as_str(), login]);
    let today = Timestamp::from(at).date();
    let person = Person::draw(&provider.country, today, &mut draw);
    let scene = Scene { provider, person, today, many: login == "many" };
    let bodies = provider.supported.iter().flat_map(|kind| scene.of_kind(*kind, &mut draw)).collect();
    Batch { bodies, contribution_rate: ContributionRate::from_basis_points(money::CONTRIBUTION_RATE) }
}

impl Scene<'_> {
    fn of_kind(&self, kind: DataPointKind, draw: &mut Draw) -> Vec<DataPointBody> {
        match kind {
            DataPointKind::Identities => vec![DataPointBody::Identity(Box::new(identity::identity(self)))],
            DataPointKind::Employments => {
                jobs::employments(self).into_iter().map(DataPointBody::Employment).collect()
            }
            DataPointKind::Documents => {
                documents::documents(self, draw).into_iter().map(DataPointBody::Document).collect()
            }
            DataPointKind::Contributions => {
                money::contributions(self).into_iter().map(DataPointBody::Contribution).collect()
            }
            DataPointKind::Incomes => money::incomes(self).into_iter().map(DataPointBody::Income).collect(),
            DataPointKind::Transactions => {
                money::transactions(self, draw).into_iter().map(DataPointBody::Transaction).collect()
            }
            DataPointKind::Liabilities => {
                loans::liabilities(self, draw).into_iter().map(DataPointBody::Liability).collect()
            }
            DataPointKind::Ratings => vec![DataPointBody::Rating(identity::rating(draw))],
            // The domain computes these from the others.
            DataPointKind::Eincomes | DataPointKind::Links | DataPointKind::Insights => Vec::new(),
        }
    }
}

/// The id of a body before the domain assigns one.
const PLACEHOLDER: [u8; 16] = [0; 16];

#[cfg(test)]
mod tests;
