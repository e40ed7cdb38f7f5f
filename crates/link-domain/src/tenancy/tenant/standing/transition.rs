//! Suspending, resuming and deleting a tenant.

use link_types::Mode;

use super::{DELETION_GRACE, Standing, StandingError};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::tenancy::tenant::Tenant;

impl Tenant {
    /// Suspends the tenant.
    ///
    /// # Errors
    ///
    /// [`StandingError`] if the tenant is not active.
    pub fn suspend(self, now: Wall) -> Result<(Self, Change), StandingError> {
        match self.standing {
            Standing::Active => Ok(self.with_standing(Standing::Suspended { since: now })),
            Standing::Suspended { .. } => Err(StandingError::Suspended),
            Standing::Deleted { .. } | Standing::Erased { .. } => Err(StandingError::Deleted),
        }
    }

    /// Lets the service work for the tenant again. Undoes a deletion before its erasure begins.
    ///
    /// # Errors
    ///
    /// [`StandingError`] if the tenant is active, or its erasure has begun.
    pub fn resume(self, now: Wall) -> Result<(Self, Change), StandingError> {
        match self.standing {
            Standing::Active => Err(StandingError::Active),
            Standing::Deleted { erase_at, .. } if erase_at > now => Ok(self.with_standing(Standing::Active)),
            Standing::Suspended { .. } => Ok(self.with_standing(Standing::Active)),
            Standing::Deleted { .. } | Standing::Erased { .. } => Err(StandingError::Erasing),
        }
    }

    /// Deletes the tenant: it stops now, and a job erases its data after [`DELETION_GRACE`], or at once. A second call can
    /// only bring the erasure forward.
    ///
    /// # Errors
    ///
    /// [`StandingError`] if the name is not the tenant's, or the tenant is deleted already.
    pub fn delete(
        self,
        name: &str,
        at_once: bool,
        context: &mut Context,
    ) -> Result<(Self, Change), StandingError> {
        if self.name != name {
            return Err(StandingError::OtherName);
        }
        let now = context.now().wall();
        let since = match self.standing {
            Standing::Active | Standing::Suspended { .. } => now,
            Standing::Deleted { since, erase_at } if at_once && erase_at > now => since,
            Standing::Deleted { .. } | Standing::Erased { .. } => return Err(StandingError::Deleted),
        };
        let erase_at = if at_once { now } else { now + DELETION_GRACE };
        let (tenant, mut change) = self.with_standing(Standing::Deleted { since, erase_at });
        let owner = Owner { tenant: tenant.id.clone(), mode: Mode::Production };
        let kind = JobKind::EraseTenant { tenant: tenant.id.clone() };
        change.jobs.push(Job::due(&owner, kind, TenantTime::from_micros(erase_at.micros()), context));
        Ok((tenant, change))
    }

    /// Records that everything is erased. The id stays, so that no other tenant gets it and its audit log.
    pub fn finish_erasure(self, now: Wall) -> (Self, Change) {
        Self { name: String::new(), ..self }.with_standing(Standing::Erased { since: now })
    }

    fn with_standing(self, standing: Standing) -> (Self, Change) {
        let tenant = Self { standing, ..self };
        let change = Change::row(Row::Tenant(tenant.clone()));
        (tenant, change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::kernel::clock::ClockOffset;
    use crate::tenancy::tenant::standing::TenantStoppedError;

    fn tenant(context: &Context) -> Tenant {
        Tenant {
            id: "demo".parse().unwrap(),
            name: "Demo".to_owned(),
            created_at: context.now().tenant(),
            sandbox_offset: ClockOffset::default(),
            standing: Standing::Active,
        }
    }

    #[test]
    fn suspended_tenant_is_stopped_until_it_is_resumed() {
        let context = fixture::context();
        let now = context.now().wall();
        let active = tenant(&context);
        assert_eq!(active.check_active(), Ok(()));
        assert_eq!(active.clone().resume(now).unwrap_err(), StandingError::Active);
        let (suspended, change) = active.suspend(now).unwrap();
        assert_eq!(suspended.check_active(), Err(TenantStoppedError));
        assert!(change.jobs.is_empty());
        assert_eq!(suspended.clone().suspend(now).unwrap_err(), StandingError::Suspended);
        let (resumed, _) = suspended.resume(now).unwrap();
        assert_eq!(resumed.check_active(), Ok(()));
    }

    #[test]
    fn deletion_needs_the_name_and_can_be_undone_before_erasure() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let active = tenant(&context);
        let refused = active.clone().delete("demo", false, &mut context).unwrap_err();
        assert_eq!(refused, StandingError::OtherName);
        let (deleted, change) = active.delete("Demo", false, &mut context).unwrap();
        let [job] = change.jobs.as_slice() else { panic!("one job erases the data") };
        assert_eq!(job.due_at.micros(), (now + DELETION_GRACE).micros());
        assert_eq!(deleted.check_active(), Err(TenantStoppedError));
        assert!(!deleted.is_erasing(now) && deleted.is_erasing(now + DELETION_GRACE));
        assert!(deleted.clone().resume(now).is_ok());
        assert_eq!(deleted.clone().resume(now + DELETION_GRACE).unwrap_err(), StandingError::Erasing);
        let again = deleted.clone().delete("Demo", false, &mut context).unwrap_err();
        assert_eq!(again, StandingError::Deleted);
        assert!(deleted.is_erased_by_age());
        let (forward, _) = deleted.delete("Demo", true, &mut context).unwrap();
        assert!(forward.is_erasing(now));
        assert!(!forward.is_erased_by_age());
        let (erased, _) = forward.finish_erasure(now);
        assert_eq!((erased.name.as_str(), erased.check_active()), ("", Err(TenantStoppedError)));
    }
}
