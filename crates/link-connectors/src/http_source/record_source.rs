//! A connector as a [`RecordSource`].

use std::time::Duration;

use link_domain::kernel::system::BoxFuture;
use link_domain::lookups::record_source::{
    Outcome, Queried, RecordQuery, RecordSource, SignalFindings, SignalQuery, SourceTask,
};
use link_types::record::{RecordType, SocialSecurityResult};
use serde::de::DeserializeOwned;

use super::exchange::Operation;
use super::fault::ExchangeError;
use super::message::{InquiryReply, RecordMessage, RecordResponse, SignalMessage, SignalResponse};
use super::source::{HttpSource, json};

/// The wait before a task is asked for again, if the connector could not be reached. It has accepted the query, so the
/// query must not fail because the connector restarts.
const UNREACHABLE_WAIT: Duration = Duration::from_secs(10);

impl HttpSource {
    /// Asks for a task, or sends the query if there is none or the connector does not know it. A connector that takes a
    /// kind out of service gets no new queries, but completes those that it has accepted.
    async fn inquire<A: DeserializeOwned, T>(
        &self,
        (operation, is_offered): (Operation, impl Fn() -> bool),
        (task, body): (Option<&SourceTask>, Vec<u8>),
        take: impl Fn(A) -> Result<InquiryReply<T>, ExchangeError>,
    ) -> Queried<T> {
        let asked = match task {
            Some(task) => self.exchange.ask_for_task(operation, task, &take).await,
            None => Ok(None),
        };
        let sent = match (asked, task) {
            (Ok(Some(queried)), _) => return queried,
            // Decided after the response: the kind may have been taken out of service meanwhile.
            (Ok(None), _) if !is_offered() => return Queried::Ended(Outcome::ServiceUnavailable {}),
            (Ok(None), _) => {
                // Only a task can be unknown.
                let take = |response| take(response)?.ok_or_else(|| ExchangeError::at("outcome"));
                self.exchange.ask(operation, body, take).await
            }
            (Err(fault), Some(task)) if !fault.is_operators() => {
                return Queried::Waiting { task: task.clone(), after: UNREACHABLE_WAIT };
            }
            (Err(fault), _) => Err(fault),
        };
        sent.unwrap_or_else(|fault| Queried::Ended(outcome_from_error(&fault)))
    }
}

impl RecordSource for HttpSource {
    fn social_security<'a>(&'a self, query: RecordQuery<'a>) -> BoxFuture<'a, Queried<SocialSecurityResult>> {
        Box::pin(async move {
            let is_offered = || self.catalogue.offers_record(RecordType::SocialSecurity);
            let asked = (query.task, json(&RecordMessage::from_query(query)));
            self.inquire((Operation::Record, is_offered), asked, RecordResponse::into_domain).await
        })
    }

    fn signal<'a>(&'a self, query: SignalQuery<'a>) -> BoxFuture<'a, Queried<SignalFindings>> {
        Box::pin(async move {
            let kind = query.request.kind();
            let is_offered = || self.catalogue.offers_signal(kind);
            let asked = (query.task, json(&SignalMessage::from_query(query)));
            self.inquire((Operation::Signal, is_offered), asked, |response: SignalResponse| {
                response.into_domain(kind)
            })
            .await
        })
    }
}

fn outcome_from_error<T>(fault: &ExchangeError) -> Outcome<T> {
    if fault.is_operators() { Outcome::SystemError {} } else { Outcome::ServiceUnavailable {} }
}
