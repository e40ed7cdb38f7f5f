//! Links: how often and when a person linked the same provider (`resources.md`, Link). The links of an account end with
//! its data.

use link_types::Timestamp;
use link_types::data::{DataPointBody, Link, LinkRecord};
use link_types::id::{AccountId, InvalidIdError, LinkId, ProviderId, UserId};

use crate::data::data_point::DataPoint;
use crate::kernel::clock::TenantTime;
use crate::kernel::owner::Owner;

/// One link of an account: a login that ended in a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// Tenant and environment of the account.
    pub owner: Owner,
    /// User who linked.
    pub user_id: UserId,
    /// Provider that was linked.
    pub provider_id: ProviderId,
    /// Account that was linked.
    pub account_id: AccountId,
    /// When the account was linked.
    pub at: TenantTime,
}

/// All links of one person to one provider, across accounts, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkHistory(pub Vec<(AccountId, TenantTime)>);

impl LinkHistory {
    /// Returns a stored data point of links with these links instead. `None` if there are none to show.
    ///
    /// # Errors
    ///
    /// [`InvalidIdError`] if the stored id is damaged.
    pub fn to_data_point_like(&self, point: &DataPoint) -> Result<Option<DataPoint>, InvalidIdError> {
        let id = point.id.parse()?;
        let body = self.link(id).map(DataPointBody::Link);
        Ok(body.map(|body| point.clone().with_body(&body)))
    }

    /// Builds the data point. `None` if there are no links. The id is a placeholder.
    pub(crate) fn data_point(&self) -> Option<DataPointBody> {
        self.link(LinkId::from_bytes([0; 16])).map(DataPointBody::Link)
    }

    /// Builds the links with this id: one record per account, in the order of their first links.
    fn link(&self, id: LinkId) -> Option<Link> {
        // The stored data point has milliseconds. With microseconds, each reading would differ from it.
        let timestamp = |at: &TenantTime| Timestamp::from(*at).to_millis();
        let mut accounts: Vec<(&AccountId, LinkRecord)> = Vec::new();
        for (account, at) in &self.0 {
            match accounts.iter_mut().find(|(known, _)| *known == account) {
                Some((_, record)) => {
                    record.count = record.count.saturating_add(1);
                    record.linked_at.push(timestamp(at));
                }
                None => accounts.push((account, LinkRecord { count: 1, linked_at: vec![timestamp(at)] })),
            }
        }
        let (_, first) = self.0.first()?;
        let (_, last) = self.0.last()?;
        Some(Link {
            id,
            start_date: Some(timestamp(first).date()),
            end_date: Some(timestamp(last).date()),
            records: accounts.into_iter().map(|(_, record)| record).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    /// Times as (account, day of November).
    fn history(links: &[(u8, u8)]) -> LinkHistory {
        let at = |day: &u8| {
            let date: link_types::Date = format!("2026-11-{day:02}").parse().unwrap();
            TenantTime::from_micros(date.start().as_micros())
        };
        LinkHistory(links.iter().map(|(id, day)| (AccountId::from_bytes([*id; 16]), at(day))).collect())
    }

    #[rstest]
    #[case::first(&[(1, 3)], "2026-11-03", "2026-11-03", vec![vec![3]])]
    #[case::same_account_again(&[(1, 3), (1, 9)], "2026-11-03", "2026-11-09", vec![vec![3, 9]])]
    #[case::second_account(&[(1, 3), (2, 9)], "2026-11-03", "2026-11-09", vec![vec![3], vec![9]])]
    #[case::alternating_accounts(&[(2, 1), (1, 3), (2, 9)], "2026-11-01", "2026-11-09", vec![vec![1, 9], vec![3]])]
    fn each_account_has_a_record_of_its_links(
        #[case] links: &[(u8, u8)],
        #[case] start: &str,
        #[case] end: &str,
        #[case] expected: Vec<Vec<u8>>,
    ) {
        let Some(DataPointBody::Link(link)) = history(links).data_point() else { panic!("no data point") };
        assert_eq!((link.start_date, link.end_date), (start.parse().ok(), end.parse().ok()));
        let days: Vec<Vec<u8>> =
            link.records.iter().map(|it| it.linked_at.iter().map(|at| at.date().day()).collect()).collect();
        assert_eq!(days, expected);
        assert!(link.records.iter().all(|it| it.count as usize == it.linked_at.len()));
    }

    #[test]
    fn stored_data_point_equals_the_one_of_the_next_reading() {
        let at = TenantTime::from_micros(1_795_612_345_123_456);
        let history = LinkHistory(vec![(AccountId::from_bytes([1; 16]), at)]);
        let Some(DataPointBody::Link(read)) = history.data_point() else { panic!("no data point") };
        let stored: Link = serde_json::from_value(serde_json::to_value(&read).unwrap()).unwrap();
        assert_eq!(stored, read);
    }

    #[test]
    fn empty_history_has_no_data_point() {
        assert_eq!(history(&[]).data_point(), None);
    }
}
