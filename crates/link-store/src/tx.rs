//! Write operations of a unit of work.

use std::ops::{Deref, DerefMut};

use crate::commit_notice::CommitNotice;
use crate::keys::{ErasedScope, Keys, OpenBucket};
use crate::reader::{ReadSession, Reader};
use crate::sql::Session;
use crate::sql::session::Unusable;

/// A unit of work in progress.
///
/// It reads like a [`Reader`]. Its lookups, such as `tx.accounts().get(..)`, lock the row they find until the commit, so
/// that the rows a decision is based on do not change.
pub struct Tx<'c> {
    pub(crate) reader: Reader<'c>,
    pub(crate) news: Vec<CommitNotice>,
    pub(crate) erases: bool,
    /// The scopes whose keys were destroyed.
    pub(crate) erased: Vec<ErasedScope>,
    /// Whether an API key or a tenant was written.
    pub(crate) changes_callers: bool,
    /// Buckets that this unit fills. Other units may use them after it.
    pub(crate) opened: Vec<OpenBucket>,
}

/// The results of a unit.
pub(crate) struct Done {
    pub(crate) news: Vec<CommitNotice>,
    pub(crate) erases: bool,
    pub(crate) erased: Vec<ErasedScope>,
    pub(crate) changes_callers: bool,
    pub(crate) opened: Vec<OpenBucket>,
    pub(crate) fault: Option<Unusable>,
}

impl<'c> Tx<'c> {
    pub(crate) fn new(session: Session<'c>, keys: &'c Keys) -> Tx<'c> {
        Tx {
            reader: Reader::new(session, keys),
            news: Vec::new(),
            erases: false,
            erased: Vec::new(),
            changes_callers: false,
            opened: Vec::new(),
        }
    }

    pub(crate) fn notify(&mut self, notice: CommitNotice) {
        if !self.news.contains(&notice) {
            self.news.push(notice);
        }
    }

    pub(crate) fn finish(self) -> Done {
        Done {
            fault: self.reader.session.fault(),
            news: self.news,
            erases: self.erases,
            erased: self.erased,
            changes_callers: self.changes_callers,
            opened: self.opened,
        }
    }
}

impl<'c> ReadSession<'c> for Tx<'c> {
    fn reader(&mut self) -> &mut Reader<'c> {
        &mut self.reader
    }
}

impl<'c> Deref for Tx<'c> {
    type Target = Reader<'c>;

    fn deref(&self) -> &Reader<'c> {
        &self.reader
    }
}

impl<'c> DerefMut for Tx<'c> {
    fn deref_mut(&mut self) -> &mut Reader<'c> {
        &mut self.reader
    }
}
