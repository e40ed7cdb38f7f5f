//! The objects of uploaded files that no row refers to.

use std::time::Duration;

use link_types::id::FileId;

use crate::documents::archive::Segment;
use crate::documents::file_store::StoredObject;
use crate::kernel::clock::Wall;

/// How long an object without a row may belong to a running write: 10 minutes.
const GRACE: Duration = Duration::from_secs(600);

/// Objects of uploaded files that no row refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphans {
    /// Objects to delete now.
    pub delete: OrphanObjects,
    /// When to look again. `None` if all orphans are deleted and no write can add another.
    pub look_again_at: Option<Wall>,
}

/// Objects to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrphanObjects {
    /// Every object of the holder.
    All,
    /// Objects with these names.
    Some(Vec<String>),
}

/// Finds the orphans among the objects of an archive or a form. `files` are the files that it has, `None` if it is gone or
/// revoked. `named` are the objects that rows refer to, and `since` is when the search began.
///
/// If the holder is gone or revoked, all its objects are orphans. Otherwise these are the objects of removed files, and
/// objects that are too old to belong to a running write. The search repeats until there are no orphans, and at least
/// for 10 minutes, because a running write may add one after the first run.
pub fn find_orphans(
    files: Option<&[FileId]>,
    found: Vec<StoredObject>,
    named: &[String],
    since: Wall,
    now: Wall,
) -> Orphans {
    let orphans: Vec<_> = found.into_iter().filter(|object| !named.contains(&object.name)).collect();
    let is_over = orphans.is_empty() && now >= since + GRACE;
    let delete = match files {
        None => OrphanObjects::All,
        Some(files) => {
            let old = now - GRACE;
            // A file's row is created before its objects are written, and a removed file never returns.
            let is_removed = |name: &str| Segment::file_of(name).is_some_and(|file| !files.contains(&file));
            let deleted = orphans.into_iter().filter(|it| it.written_at < old || is_removed(&it.name));
            OrphanObjects::Some(deleted.map(|it| it.name).collect())
        }
    };
    Orphans { delete, look_again_at: (!is_over).then(|| now + GRACE) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::documents::archive::{Archive, ArchiveInput};
    use crate::fixture;
    use crate::kernel::source::RevokedBy;

    /// Returns an object of this file that was written this many seconds ago.
    fn object(archive: &Archive, file: &FileId, age: u64) -> StoredObject {
        let name = Segment::new(&archive.id, file, 0, 1, &mut fixture::context()).object;
        let now = fixture::context().now().wall();
        StoredObject { name, written_at: now - Duration::from_secs(age) }
    }

    fn orphans(archive: Option<&Archive>, found: Vec<StoredObject>, named: &[String]) -> Orphans {
        let now = fixture::context().now().wall();
        find_orphans(archive.and_then(Archive::file_ids).as_deref(), found, named, now, now)
    }

    #[rstest]
    #[case::running_write(600, true, false)]
    #[case::old_write(601, true, true)]
    #[case::removed_file(0, false, true)]
    fn object_without_a_row_is_deleted_unless_recently_written(
        #[case] age: u64,
        #[case] has_file: bool,
        #[case] is_deleted: bool,
    ) {
        let archive = fixture::archive_with_file(&mut fixture::context());
        let known = archive.stored_files()[0].id.clone();
        let file = if has_file { known } else { FileId::from_bytes([9; 16]) };
        let found = object(&archive, &file, age);
        let deleted = if is_deleted { vec![found.name.clone()] } else { Vec::new() };
        let Orphans { delete, look_again_at } = orphans(Some(&archive), vec![found], &[]);
        assert_eq!(delete, OrphanObjects::Some(deleted));
        assert!(look_again_at.is_some());
    }

    #[test]
    fn object_with_a_row_is_kept() {
        let archive = fixture::archive_with_file(&mut fixture::context());
        let found = object(&archive, &archive.stored_files()[0].id, 9_000);
        let named = [found.name.clone()];
        assert_eq!(orphans(Some(&archive), vec![found], &named).delete, OrphanObjects::Some(Vec::new()));
    }

    #[rstest]
    fn every_object_of_an_ended_archive_is_deleted(#[values(false, true)] is_gone: bool) {
        let mut context = fixture::context();
        let archive = fixture::archive_with_file(&mut context);
        let found = object(&archive, &archive.stored_files()[0].id, 0);
        let (submitted, _) = archive.apply(ArchiveInput::Submit, &mut context).unwrap();
        let (revoked, _) =
            submitted.apply(ArchiveInput::Revoke { by: RevokedBy::User }, &mut context).unwrap();
        let stored = Some(&revoked).filter(|_| !is_gone);
        assert_eq!(orphans(stored, vec![found], &[]).delete, OrphanObjects::All);
    }

    #[rstest]
    #[case::at_once(0, true)]
    #[case::after_the_grace(600, false)]
    fn search_repeats_until_no_write_can_be_running(#[case] elapsed: u64, #[case] repeats: bool) {
        let since = fixture::context().now().wall();
        let later = since + Duration::from_secs(elapsed);
        let found = find_orphans(None, Vec::new(), &[], since, later);
        assert_eq!(found.look_again_at, repeats.then(|| later + GRACE));
    }
}
