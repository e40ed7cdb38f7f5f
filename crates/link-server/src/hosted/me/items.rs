//! The data of a session's mailbox, as its page shows it.

use std::collections::BTreeMap;

use link_domain::documents::archive::Archive;
use link_domain::invitations::form_submission::FormSubmission;
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::linking::account::Account;
use link_domain::linking::consent::{Consent, Covered};
use link_domain::person_page::page_session::PageSession;
use link_store::{Reader, StoreError};
use link_types::consent::ConsentRecord;
use link_types::data::SourceType;
use link_types::id::UserId;

use crate::app::App;
use crate::http::problem::ApiResult;

/// The objects that a person gave to a company in one environment.
pub(super) struct Gifts {
    pub(super) owner: Owner,
    /// The company that the newest consent named, or else the tenant's name.
    pub(super) company: String,
    /// The objects, newest first, with their consents.
    pub(super) items: Vec<(Item, Option<ConsentRecord>)>,
}

/// An account, archive or form submission.
pub(super) struct Item {
    pub(super) object: Object,
    pub(super) given_at: TenantTime,
    pub(super) kept_until: TenantTime,
    pub(super) consent: Option<Consent>,
}

pub(super) enum Object {
    Account(Box<Account>),
    Archive(Box<Archive>),
    Form(Box<FormSubmission>),
}

impl Item {
    pub(super) fn scope(&self) -> ErasureScope {
        match &self.object {
            Object::Account(account) => account.scope(),
            Object::Archive(archive) => archive.scope(),
            Object::Form(form) => form.scope(),
        }
    }

    /// Returns the user who has the object.
    pub(super) const fn user_id(&self) -> &UserId {
        match &self.object {
            Object::Account(account) => &account.user_id,
            Object::Archive(archive) => &archive.user_id,
            Object::Form(form) => &form.user_id,
        }
    }

    /// Returns whether the account is read again and again, which moves its end.
    pub(super) fn is_synced(&self) -> bool {
        match &self.object {
            Object::Account(account) => account.monitor.next_at().is_some(),
            Object::Archive(_) | Object::Form(_) => false,
        }
    }
}

/// Reads everything that a session shows, by company.
pub(super) async fn all(app: &App, session: &PageSession) -> ApiResult<Vec<Gifts>> {
    let session = session.clone();
    app.store
        .read(move |reader| -> ApiResult<_> {
            let mut by_owner: BTreeMap<Owner, Vec<(Item, Option<ConsentRecord>)>> = BTreeMap::new();
            for (owner, scope) in reader.given_data().of_address(&session.address)? {
                if session.shows(&owner)
                    && let Some(item) = item(reader, &owner, &scope)?
                {
                    let consent = consent(reader, &owner, &item)?;
                    by_owner.entry(owner).or_default().push((item, consent));
                }
            }
            let tenants = reader.tenants().list()?;
            let name =
                |owner: &Owner| tenants.iter().find(|it| it.id == owner.tenant).map(|it| it.name.clone());
            let gifts = by_owner.into_iter().map(|(owner, mut items)| {
                items.sort_by_key(|(it, _)| std::cmp::Reverse(it.given_at));
                let named = items.iter().find_map(|(it, _)| Some(it.consent.as_ref()?.company.clone()));
                let company = named.or_else(|| name(&owner)).unwrap_or_default();
                Gifts { owner, company, items }
            });
            Ok(gifts.collect())
        })
        .await
}

/// Reads one object. `None` if its data was just erased.
pub(super) fn item(
    reader: &mut Reader<'_>,
    owner: &Owner,
    scope: &ErasureScope,
) -> Result<Option<Item>, StoreError> {
    match read(reader, owner, scope) {
        Err(StoreError::Erased) => Ok(None),
        found => found,
    }
}

fn read(reader: &mut Reader<'_>, owner: &Owner, scope: &ErasureScope) -> Result<Option<Item>, StoreError> {
    Ok(match scope {
        ErasureScope::Account(id) => reader.accounts().get(owner, id)?.map(of_account),
        ErasureScope::Archive(id) => reader.archives().get(owner, id)?.map(of_archive),
        ErasureScope::Form(id) => reader.forms().get(owner, id)?.map(of_form),
        ErasureScope::Record(_) | ErasureScope::Signal(_) | ErasureScope::Invite(_) => None,
    })
}

fn of_account(account: Account) -> Item {
    Item {
        given_at: account.created_at,
        kept_until: account.kept_until(),
        consent: account.consent.clone(),
        object: Object::Account(Box::new(account)),
    }
}

fn of_archive(archive: Archive) -> Item {
    Item {
        given_at: archive.created_at,
        kept_until: archive.data_ends_at(),
        consent: archive.consent.clone(),
        object: Object::Archive(Box::new(archive)),
    }
}

fn of_form(form: FormSubmission) -> Item {
    Item {
        given_at: form.created_at,
        kept_until: form.data_ends_at(),
        consent: None,
        object: Object::Form(Box::new(form)),
    }
}

/// Returns the consent that covers an object, with its text. `None` for a form.
pub(super) fn consent(
    reader: &mut Reader<'_>,
    owner: &Owner,
    item: &Item,
) -> Result<Option<ConsentRecord>, StoreError> {
    let (covered, consent) = match (&item.object, item.consent.clone()) {
        (Object::Account(account), Some(consent)) => {
            (cover(account.id.as_str(), SourceType::Account, &account.user_id), consent)
        }
        (Object::Archive(archive), Some(consent)) => {
            (cover(archive.id.as_str(), SourceType::Archive, &archive.user_id), consent)
        }
        (Object::Form(_), _) | (_, None) => return Ok(None),
    };
    let template = reader.consent_templates().get_kept(owner, &consent.receipt.consent_template_id)?;
    Ok(template.map(|template| consent.record(covered, &template)))
}

fn cover(source_id: &str, source_type: SourceType, user_id: &UserId) -> Covered {
    Covered { source_id: source_id.to_owned(), source_type, user_id: user_id.clone() }
}
