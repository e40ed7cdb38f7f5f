//! Suspending, resuming and deleting a tenant.

use link_types::Mode;

use super::{DELETION_GRACE, DeletionMode, Standing, StandingError};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::Digest32;
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
            Standing::Moving { .. } => Err(StandingError::Moving),
            Standing::Arriving { .. } => Err(StandingError::Arriving),
            Standing::Deleted { .. } | Standing::Erased { .. } => Err(StandingError::Deleted),
        }
    }

    /// Lets the service work for the tenant again. Undoes a deletion before its erasure begins, but not that of a moved tenant, which
    /// may be active elsewhere. Gives a move up: what was exported can no longer become active.
    ///
    /// # Errors
    ///
    /// [`StandingError`] if the tenant is active, was imported, or its erasure has begun.
    pub fn resume(self, now: Wall) -> Result<(Self, Change), StandingError> {
        match self.standing {
            Standing::Active => Err(StandingError::Active),
            Standing::Deleted { erase_at, is_moved: false, .. } if erase_at > now => {
                Ok(self.with_standing(Standing::Active))
            }
            Standing::Suspended { .. } | Standing::Moving { .. } => Ok(self.with_standing(Standing::Active)),
            Standing::Arriving { .. } => Err(StandingError::Arriving),
            Standing::Deleted { .. } | Standing::Erased { .. } => Err(StandingError::Erasing),
        }
    }

    /// Begins the move of a suspended tenant to another installation: nothing of it changes here from now on. `export` is the
    /// digest of the code of the export that follows. With `again`, exports that began before can no longer become active.
    ///
    /// # Errors
    ///
    /// [`StandingError`] if the tenant is not suspended, or is moving and `again` is false.
    pub fn begin_move(
        self,
        export: Digest32,
        again: bool,
        now: Wall,
    ) -> Result<(Self, Change), StandingError> {
        match self.standing {
            Standing::Moving { .. } if !again => Err(StandingError::Exported),
            Standing::Suspended { .. } | Standing::Moving { .. } => {
                Ok(self.with_standing(Standing::Moving { since: now, export }))
            }
            Standing::Active => Err(StandingError::Active),
            Standing::Arriving { .. } => Err(StandingError::Arriving),
            Standing::Deleted { .. } | Standing::Erased { .. } => Err(StandingError::Deleted),
        }
    }

    /// Lets the service work for an imported tenant. The caller has checked that it no longer runs elsewhere.
    ///
    /// # Errors
    ///
    /// [`StandingError::NotArriving`] if the tenant was not imported, or is active already.
    pub fn activate(self) -> Result<(Self, Change), StandingError> {
        match self.standing {
            Standing::Arriving { .. } => Ok(self.with_standing(Standing::Active)),
            Standing::Active
            | Standing::Suspended { .. }
            | Standing::Moving { .. }
            | Standing::Deleted { .. }
            | Standing::Erased { .. } => Err(StandingError::NotArriving),
        }
    }

    /// Deletes the tenant: it stops now, and a job erases its data when the mode says. A second call can only bring the erasure
    /// forward.
    ///
    /// # Errors
    ///
    /// [`StandingError`] if the name is not the tenant's, or the tenant is deleted already.
    pub fn delete(
        self,
        name: &str,
        mode: DeletionMode,
        context: &mut Context,
    ) -> Result<(Self, Change), StandingError> {
        // Repeated, because the operator lost the response. The name of an erased tenant is gone.
        if let (
            DeletionMode::Imported(proven),
            Standing::Deleted { copy, .. } | Standing::Erased { copy, .. },
        ) = (mode, self.standing)
        {
            // The first copy that was shown is the only one that may become active.
            let is_same = copy == Some(proven);
            return if is_same { Ok((self, Change::default())) } else { Err(StandingError::NotMoving) };
        }
        if self.name != name {
            return Err(StandingError::OtherName);
        }
        let now = context.now().wall();
        let (erase_at, is_moved, copy) = match mode {
            DeletionMode::AfterGrace => (now + DELETION_GRACE, false, None),
            DeletionMode::AtOnce => (now, false, None),
            DeletionMode::Moved => (now, true, None),
            DeletionMode::Imported(copy) => (now, true, Some(copy)),
        };
        let since = match (self.standing, mode) {
            (Standing::Moving { export, .. }, DeletionMode::Imported(proven)) if export == proven.export => {
                now
            }
            (Standing::Moving { .. }, _) => return Err(StandingError::Moving),
            (_, DeletionMode::Imported(_)) => return Err(StandingError::NotMoving),
            (Standing::Active | Standing::Suspended { .. }, _)
            | (Standing::Arriving { .. }, DeletionMode::Moved) => now,
            // The first installation may run the tenant: nothing may end its accesses at providers.
            (Standing::Arriving { .. }, _) => return Err(StandingError::Arriving),
            (Standing::Deleted { since, erase_at: earlier, .. }, _) if erase_at <= now && earlier > now => {
                since
            }
            (Standing::Deleted { .. } | Standing::Erased { .. }, _) => return Err(StandingError::Deleted),
        };
        let (tenant, mut change) = self.with_standing(Standing::Deleted { since, erase_at, is_moved, copy });
        let owner = Owner { tenant: tenant.id.clone(), mode: Mode::Production };
        let kind = JobKind::EraseTenant { tenant: tenant.id.clone() };
        change.jobs.push(Job::due(&owner, kind, TenantTime::from_micros(erase_at.micros()), context));
        Ok((tenant, change))
    }

    /// Records that everything is erased. The id stays, so that no other tenant gets it and its audit log.
    pub fn finish_erasure(self, now: Wall) -> (Self, Change) {
        let copy = match self.standing {
            Standing::Deleted { copy, .. } | Standing::Erased { copy, .. } => copy,
            Standing::Active
            | Standing::Suspended { .. }
            | Standing::Moving { .. }
            | Standing::Arriving { .. } => None,
        };
        Self { name: String::new(), ..self }.with_standing(Standing::Erased { since: now, copy })
    }

    fn with_standing(self, standing: Standing) -> (Self, Change) {
        let tenant = Self { standing, ..self };
        let change = Change::row(Row::Tenant(tenant.clone()));
        (tenant, change)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture;
    use crate::kernel::clock::ClockOffset;
    use crate::tenancy::tenant::standing::{MovedCopy, TenantStoppedError};

    fn tenant(context: &Context) -> Tenant {
        Tenant {
            id: "demo".parse().unwrap(),
            name: "Demo".to_owned(),
            created_at: context.now().tenant(),
            sandbox_offset: ClockOffset::default(),
            standing: Standing::Active,
        }
    }

    fn copy(export: &str, import: &str) -> MovedCopy {
        let [export, import] = [export, import].map(Digest32::from_text);
        MovedCopy { export, import }
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
        assert!(change.jobs.is_empty() && suspended.is_routed());
        assert_eq!(suspended.clone().suspend(now).unwrap_err(), StandingError::Suspended);
        let (resumed, _) = suspended.resume(now).unwrap();
        assert_eq!(resumed.check_active(), Ok(()));
    }

    #[test]
    fn deletion_needs_the_name_and_can_be_undone_before_erasure() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let active = tenant(&context);
        let refused = active.clone().delete("demo", DeletionMode::AfterGrace, &mut context).unwrap_err();
        assert_eq!(refused, StandingError::OtherName);
        let (deleted, change) = active.delete("Demo", DeletionMode::AfterGrace, &mut context).unwrap();
        let [job] = change.jobs.as_slice() else { panic!("one job erases the data") };
        assert_eq!(job.due_at.micros(), (now + DELETION_GRACE).micros());
        assert_eq!(deleted.check_active(), Err(TenantStoppedError));
        assert!(!deleted.is_erasing(now) && deleted.is_erasing(now + DELETION_GRACE));
        assert!(deleted.clone().resume(now).is_ok() && deleted.is_routed());
        assert_eq!(deleted.clone().resume(now + DELETION_GRACE).unwrap_err(), StandingError::Erasing);
        let again = deleted.clone().delete("Demo", DeletionMode::AfterGrace, &mut context).unwrap_err();
        assert_eq!(again, StandingError::Deleted);
        assert!(deleted.is_erased_by_age());
        let (forward, _) = deleted.delete("Demo", DeletionMode::AtOnce, &mut context).unwrap();
        assert!(forward.is_erasing(now) && forward.check_erasable().is_ok());
        assert!(!forward.is_erased_by_age() && !forward.is_moved() && forward.is_routed());
        let (erased, _) = forward.finish_erasure(now);
        assert!(!erased.is_routed());
        assert_eq!((erased.name.as_str(), erased.check_active()), ("", Err(TenantStoppedError)));
    }

    #[test]
    fn moved_tenant_is_erased_at_once_and_keeps_its_accesses() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let (moved, change) = tenant(&context).delete("Demo", DeletionMode::Moved, &mut context).unwrap();
        assert!(moved.is_erasing(now) && moved.is_moved() && !moved.is_routed());
        assert_eq!(change.jobs[0].due_at.micros(), now.micros());
        assert_eq!(moved.resume(now).unwrap_err(), StandingError::Erasing);
    }

    #[test]
    fn exported_tenant_leaves_with_a_proof_of_its_import() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let (older, there) = (copy("older", "there"), copy("export", "there"));
        let active = tenant(&context);
        assert_eq!(active.clone().begin_move(there.export, false, now).unwrap_err(), StandingError::Active);
        let (suspended, _) = active.suspend(now).unwrap();
        assert!(suspended.check_erasable().is_ok());
        assert_eq!(suspended.resting_time(now + Duration::from_secs(3)), Duration::from_secs(3));
        let (moving, _) = suspended.begin_move(older.export, false, now).unwrap();
        let refused = moving.clone().begin_move(there.export, false, now).unwrap_err();
        assert_eq!(refused, StandingError::Exported, "a cell may have the first export");
        let later = now + Duration::from_secs(5);
        let (moving, change) = moving.begin_move(there.export, true, later).unwrap();
        assert_eq!(moving.resting_time(now), Duration::ZERO, "each export rests from its own beginning");
        assert!(moving.check_active().is_err() && moving.check_erasable().is_err() && change.jobs.is_empty());
        assert!(!moving.is_moved() && moving.is_routed(), "the move may be given up");
        assert_eq!(moving.clone().suspend(now).unwrap_err(), StandingError::Moving);
        for mode in [
            DeletionMode::AfterGrace,
            DeletionMode::AtOnce,
            DeletionMode::Moved,
            DeletionMode::Imported(older),
        ] {
            let refused = moving.clone().delete("Demo", mode, &mut context).unwrap_err();
            assert_eq!(refused, StandingError::Moving, "{mode:?}");
        }
        let (deleted, change) =
            moving.clone().delete("Demo", DeletionMode::Imported(there), &mut context).unwrap();
        assert!(deleted.is_erasing(now) && deleted.is_moved() && deleted.check_erasable().is_err());
        assert_eq!(change.jobs.len(), 1);
        let (resumed, _) = moving.resume(now).unwrap();
        let late = resumed.delete("Demo", DeletionMode::Imported(there), &mut context).unwrap_err();
        assert_eq!(late, StandingError::NotMoving, "a move that was given up cannot be completed");
        let (erased, _) = deleted.finish_erasure(now);
        let (again, change) = erased.delete("Demo", DeletionMode::Imported(there), &mut context).unwrap();
        assert!(
            change.jobs.is_empty() && again.export() == Some(there.export),
            "the response can be repeated"
        );
        for other in [older, copy("export", "elsewhere")] {
            let refused =
                again.clone().delete("Demo", DeletionMode::Imported(other), &mut context).unwrap_err();
            assert_eq!(refused, StandingError::NotMoving, "only the first copy may become active");
        }
    }

    #[test]
    fn moved_tenant_cannot_be_resumed_by_a_slow_clock() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let before = Wall::from_micros(now.micros() - 5_000_000);
        let there = copy("export", "there");
        let (suspended, _) = tenant(&context).suspend(now).unwrap();
        let (moving, _) = suspended.begin_move(there.export, false, now).unwrap();
        let (deleted, _) = moving.delete("Demo", DeletionMode::Imported(there), &mut context).unwrap();
        assert!(deleted.is_erasing(before));
        assert_eq!(deleted.resume(before).unwrap_err(), StandingError::Erasing);
    }

    #[test]
    fn imported_tenant_only_becomes_active_or_is_erased_as_moved() {
        let mut context = fixture::context();
        let now = context.now().wall();
        let standing = Standing::Arriving { since: now, copy: copy("export", "here") };
        let arriving = Tenant { standing, ..tenant(&context) };
        assert!(arriving.check_active().is_err() && arriving.check_erasable().is_err());
        assert!(!arriving.is_routed(), "the first installation has its line in the map");
        assert_eq!(arriving.clone().resume(now).unwrap_err(), StandingError::Arriving);
        assert_eq!(arriving.clone().suspend(now).unwrap_err(), StandingError::Arriving);
        let ends = arriving.clone().delete("Demo", DeletionMode::AtOnce, &mut context).unwrap_err();
        assert_eq!(ends, StandingError::Arriving);
        assert!(arriving.clone().delete("Demo", DeletionMode::Moved, &mut context).unwrap().0.is_moved());
        let (active, _) = arriving.activate().unwrap();
        assert!(active.check_active().is_ok() && active.is_routed());
        assert_eq!(active.activate().unwrap_err(), StandingError::NotArriving);
    }
}
