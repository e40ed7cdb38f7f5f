//! Provides the sandbox with the logins that tenants added.

use link_domain::kernel::future::BoxFuture;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::own_scenarios::OwnScenarios;
use link_domain::tenancy::scenario::Scenario;
use link_store::{Store, StoreError};

/// Finds tenants' own scenarios in the database.
pub struct StoredScenarios(pub Store);

impl OwnScenarios for StoredScenarios {
    fn find<'a>(&'a self, owner: &'a Owner, login: &'a str) -> BoxFuture<'a, Option<Scenario>> {
        let (owner, login) = (owner.clone(), login.to_owned());
        Box::pin(async move {
            let found = self.0.read(move |reader| reader.scenarios().by_login(&owner, &login)).await;
            found.unwrap_or_else(|error: StoreError| {
                tracing::error!(%error, "Reading a tenant's own login failed");
                None
            })
        })
    }
}
