//! Sends each record and signal to the source that serves its kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use link_domain::kernel::system::BoxFuture;
use link_domain::lookups::record_source::{
    Outcome, Queried, RecordQuery, RecordSource, SignalFindings, SignalQuery,
};
use link_types::record::{RecordType, SocialSecurityResult};
use link_types::signal::SignalKind;

use crate::routed::ServedTwiceError;

/// One of several sources of records and signals.
pub struct RecordRoute {
    /// The operator's name for the source, for messages.
    pub name: String,
    /// The types of record it serves. No other source may serve them.
    pub records: Vec<RecordType>,
    /// The kinds of signal it serves. No other source may serve them.
    pub signals: Vec<SignalKind>,
    /// The source.
    pub source: Arc<dyn RecordSource>,
}

/// A [`RecordSource`] that combines others. A kind that none of them serves has no source.
#[derive(Default)]
pub struct RoutedRecords {
    by_record: BTreeMap<RecordType, Arc<dyn RecordSource>>,
    by_signal: BTreeMap<SignalKind, Arc<dyn RecordSource>>,
}

impl RecordRoute {
    /// Creates a route for a source that serves every kind.
    pub fn of_everything(name: &str, source: Arc<dyn RecordSource>) -> Self {
        let (records, signals) = (RecordType::ALL.to_vec(), SignalKind::ALL.to_vec());
        Self { name: name.to_owned(), records, signals, source }
    }
}

impl RoutedRecords {
    /// Combines sources.
    ///
    /// # Errors
    ///
    /// [`ServedTwiceError`] if two sources serve the same kind.
    pub fn new(routes: Vec<RecordRoute>) -> Result<Self, ServedTwiceError> {
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut routed = Self::default();
        for RecordRoute { name, records, signals, source } in routes {
            let records_served = records.iter().map(|it| format!("the record {it}"));
            for what in records_served.chain(signals.iter().map(|it| format!("the signal {it}"))) {
                if let Some(first) = names.insert(what.clone(), name.clone()) {
                    return Err(ServedTwiceError { what, first, second: name });
                }
            }
            routed.by_record.extend(records.into_iter().map(|it| (it, Arc::clone(&source))));
            routed.by_signal.extend(signals.into_iter().map(|it| (it, Arc::clone(&source))));
        }
        Ok(routed)
    }
}

impl RecordSource for RoutedRecords {
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>> {
        match self.by_record.get(&RecordType::SocialSecurity) {
            Some(source) => source.social_security(query),
            None => end_without_source(),
        }
    }

    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>> {
        match self.by_signal.get(&query.request.kind()) {
            Some(source) => source.signal(query),
            None => end_without_source(),
        }
    }
}

fn end_without_source<'a, T: Send + 'a>() -> BoxFuture<'a, Queried<T>> {
    Box::pin(std::future::ready(Queried::Ended(Outcome::NoSource {})))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::records::SandboxRecords;

    #[test]
    fn signal_with_two_sources_is_rejected() {
        let twice = RecordRoute {
            name: "the connector bureau".to_owned(),
            records: Vec::new(),
            signals: vec![SignalKind::IncomeEstimator],
            source: Arc::new(SandboxRecords),
        };
        let sandbox = RecordRoute::of_everything("the sandbox", Arc::new(SandboxRecords));
        let refused = RoutedRecords::new(vec![sandbox, twice]).err().unwrap();
        assert_eq!(
            refused.to_string(),
            "the signal INCOME_ESTIMATOR is served by the sandbox and by the connector bureau: only one source can \
             serve it"
        );
    }
}
