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

/// Returns all data points that the provider supports, the oldest of each kind first.
pub(crate) fn batch(provider: &Provider, login: &str, at: TenantTime) -> Batch {
    let mut draw = Draw::new(&[provider.id.as_str(), login]);
    let today = Timestamp::from(at).date();
    let person = Person::draw(&provider.country, today, &mut draw);
    let scene = Scene { provider, person, today, many: login == "many" };
    let bodies = provider.supported.iter().flat_map(|kind| of_kind(&scene, *kind, &mut draw)).collect();
    Batch { bodies, contribution_rate: ContributionRate::from_basis_points(money::CONTRIBUTION_RATE) }
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
            money::transactions(scene, draw).into_iter().map(DataPointBody::Transaction).collect()
        }
        DataPointKind::Liabilities => {
            loans::liabilities(scene, draw).into_iter().map(DataPointBody::Liability).collect()
        }
        DataPointKind::Ratings => vec![DataPointBody::Rating(identity::rating(draw))],
        // The domain computes these from the others.
        DataPointKind::Eincomes | DataPointKind::Links | DataPointKind::Insights => Vec::new(),
    }
}
