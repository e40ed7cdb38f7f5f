//! The log of delivery attempts. A receiver may echo the event, so its responses are sealed like the event.

use std::collections::BTreeMap;

use link_domain::notifications::delivery::{AttemptLog, Delivery, LISTED_ANSWER};
use link_types::Timestamp;
use link_types::id::DeliveryId;
use link_types::webhook::DeliveryAttempt;

use super::loads::DueDelivery;
use crate::keys::{Label, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Param, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, WrappedKey, key_columns, read_wrapped_key};
use crate::tables::lease::Leased;
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "delivery_attempts";
/// The maximum number of deliveries per query. Their sealed responses are in memory at the same time.
const MAX_AT_ONCE: usize = 50;

columns! {
    /// The columns of an attempt.
    attempt_columns => struct Columns {
        delivery_id, at, duration_ms, response_status, error, scope_id, response_body,
    }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            attempt_columns!("a."),
            ", ",
            key_columns!("k."),
            " FROM delivery_attempts a LEFT JOIN scope_keys k ON k.scope_id = a.scope_id",
            $rest
        )
    };
}

statements! {
    /// A worker that lost its lease still logs its attempt, which takes the next free number.
    INSERT = "INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, response_status, error, \
              scope_id, response_body) SELECT ?1, COALESCE(MAX(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7 \
              FROM delivery_attempts WHERE delivery_id = ?1";
    OF_DELIVERY = select!(" WHERE a.delivery_id = ?1 ORDER BY a.number");
    /// Has [`MAX_AT_ONCE`] parameters.
    OF_DELIVERIES = select!(
        " WHERE a.delivery_id IN (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
         ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, \
         ?40, ?41, ?42, ?43, ?44, ?45, ?46, ?47, ?48, ?49, ?50) ORDER BY a.delivery_id, a.number"
    );
    STRIP_SCOPE = "UPDATE delivery_attempts SET scope_id = NULL, response_body = NULL WHERE scope_id = ?1";
}

struct Stored {
    attempt: DeliveryAttempt,
    scope: Option<String>,
    body: Option<Vec<u8>>,
    wrapped: WrappedKey,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let status = row.opt_int(COLUMNS.response_status)?.map(u16::try_from).transpose();
    Ok(Stored {
        attempt: DeliveryAttempt {
            at: Timestamp::from_micros(row.int(COLUMNS.at)?),
            duration_ms: small(TABLE, row.int(COLUMNS.duration_ms)?)?,
            response_status: status
                .map_err(|_| StoreError::undecodable(TABLE, "a status is out of range"))?,
            response_body: None,
            error: row.opt_text(COLUMNS.error)?,
        },
        scope: row.opt_text(COLUMNS.scope_id)?,
        body: row.opt_bytes(COLUMNS.response_body)?,
        wrapped: read_wrapped_key(row, KEY)?,
    })
}

impl Stored {
    fn open(self, reader: &mut Reader<'_>, id: &DeliveryId) -> Result<DeliveryAttempt, StoreError> {
        let Some(sealed) = self.body else { return Ok(self.attempt) };
        let key = match &self.scope {
            None => reader.keys.tree.key(Label::Seal).clone(),
            Some(scope) => match reader.unwrap_key(scope, self.wrapped) {
                Err(StoreError::Erased) => return Ok(self.attempt),
                key => key?,
            },
        };
        let clear = key.open(Location { table: TABLE, id: id.as_str() }, &sealed)?;
        let body = String::from_utf8_lossy(&clear).into_owned();
        Ok(DeliveryAttempt { response_body: Some(body), ..self.attempt })
    }
}

/// Returns the part of a response that lists show.
fn beginning(mut answer: String) -> String {
    answer.truncate(answer.floor_char_boundary(LISTED_ANSWER));
    answer.shrink_to_fit();
    answer
}

resource! {
    /// The log of delivery attempts.
    DeliveryAttempts, delivery_attempts
}

impl<'c, S: ReadSession<'c>> DeliveryAttempts<'_, S> {
    /// Returns the attempts of a delivery, oldest first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_delivery(&mut self, id: &DeliveryId) -> Result<Vec<DeliveryAttempt>, StoreError> {
        let stored = self.session().query(&OF_DELIVERY, params![id.as_str()], read)?;
        stored.into_iter().map(|stored| stored.open(self.0.reader(), id)).collect()
    }

    /// Returns the attempts of several deliveries, each one's oldest first. Deliveries without attempts are left out.
    /// Of each response only the first [`LISTED_ANSWER`] bytes are returned.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_deliveries(
        &mut self,
        ids: &[&DeliveryId],
    ) -> Result<BTreeMap<DeliveryId, Vec<DeliveryAttempt>>, StoreError> {
        let mut attempts: BTreeMap<DeliveryId, Vec<DeliveryAttempt>> = BTreeMap::new();
        for ids in ids.chunks(MAX_AT_ONCE) {
            // The statement has a fixed number of parameters, so the last id fills the rest.
            let named: Vec<Param<'_>> = ids
                .iter()
                .chain(ids.last().into_iter().cycle())
                .take(MAX_AT_ONCE)
                .map(|id| id.as_str().into())
                .collect();
            let stored = self
                .session()
                .query(&OF_DELIVERIES, &named, |row| Ok((row.text(COLUMNS.delivery_id)?, read(row)?)))?;
            for (id, stored) in stored {
                let id: DeliveryId = parse(TABLE, &id)?;
                let mut attempt = stored.open(self.0.reader(), &id)?;
                attempt.response_body = attempt.response_body.map(beginning);
                attempts.entry(id).or_default().push(attempt);
            }
        }
        Ok(attempts)
    }
}

impl DeliveryAttempts<'_, Tx<'_>> {
    /// Records how an attempt ended. Always writes its log, but writes the delivery's new state only if the worker
    /// still holds the lease. Returns `false` if it lost the lease.
    ///
    /// Read the delivery with `tx.deliveries().get(..)` in the same unit, let it decide, and pass the result.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record(
        &mut self,
        due: &Leased<DueDelivery>,
        delivery: &Delivery,
        log: &AttemptLog,
    ) -> Result<bool, StoreError> {
        let held = self.0.deliveries().put_held(delivery, due.worker.as_str(), due.fence)?;
        let attempt = &log.attempt;
        let (scope, sealed) = self.seal_response(delivery, log)?;
        self.session().execute_later(
            &INSERT,
            params![
                log.delivery_id.as_str(),
                attempt.at.as_micros(),
                i64::from(attempt.duration_ms),
                attempt.response_status.map(i64::from),
                attempt.error.as_ref(),
                scope,
                sealed.as_ref(),
            ],
        )?;
        Ok(held)
    }

    /// Seals the response of an attempt. Returns it with its scope, or nothing if there is none to store.
    pub(super) fn seal_response<'d>(
        &mut self,
        delivery: &'d Delivery,
        log: &AttemptLog,
    ) -> Result<(Option<&'d str>, Option<Vec<u8>>), StoreError> {
        let Some(body) = &log.attempt.response_body else { return Ok((None, None)) };
        // The event's own scope is destroyed with the event, but its subject stays, and so does what the receiver
        // echoes.
        let subject = delivery.subject.as_str();
        let (scope, key) = match self.0.scope_key(subject) {
            Ok(key) => (Some(subject), key),
            // An invented user of a test event, which has no scope.
            Err(StoreError::Erased) if !self.0.scopes().exists(subject)? => {
                (None, self.0.keys.tree.key(Label::Seal).clone())
            }
            Err(StoreError::Erased) => return Ok((None, None)),
            Err(error) => return Err(error),
        };
        let location = Location { table: TABLE, id: log.delivery_id.as_str() };
        Ok((scope, Some(key.seal(location, body.as_bytes())?)))
    }

    pub(crate) fn strip_scope(&mut self, scope: &str) -> Result<(), StoreError> {
        self.session().execute(&STRIP_SCOPE, params![scope]).map(drop)
    }
}
