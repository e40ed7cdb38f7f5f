//! Employers that users could not find. The text they entered is sealed with the user's key.

use link_domain::kernel::clock::Wall;
use link_domain::linking::link::Survey;
use link_types::id::LinkTemplateId;
use link_types::uploading::EmployerSurvey;

use crate::body::decode;
use crate::keys::Location;
use crate::reader::{ReadSession, parse};
use crate::sql::{ColumnList, Row, columns, params, statements};
use crate::tables::kernel::scope_keys::{KeyColumns, WrappedKey, key_columns, read_wrapped_key};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "surveys";

columns! {
    /// The columns of a response.
    survey_columns => struct Columns { id, tenant_id, mode, user_id, template_id, received_at, body }
}
const COLUMNS: Columns = Columns::after(0);
const KEY: KeyColumns = KeyColumns::after(Columns::COUNT);

statements! {
    PUT = "INSERT INTO surveys (id, tenant_id, mode, user_id, template_id, received_at, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING";
    NEWEST = concat!(
        "SELECT ", survey_columns!("s."), ", ", key_columns!("k."), " FROM surveys s LEFT JOIN scope_keys k \
         ON k.scope_id = s.user_id WHERE s.template_id = ?1 ORDER BY s.received_at DESC, s.id DESC LIMIT ?2"
    );
    DELETE_OLD = "DELETE FROM surveys WHERE received_at < ?1";
}

struct Stored {
    survey: Survey,
    body: Vec<u8>,
    wrapped: WrappedKey,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let survey = Survey {
        id: row.text(COLUMNS.id)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        template_id: parse(TABLE, row.str(COLUMNS.template_id)?)?,
        answer: EmployerSurvey { employer: String::new(), searched: None },
        received_at: Wall::from_micros(row.int(COLUMNS.received_at)?),
    };
    Ok(Stored { survey, body: row.bytes(COLUMNS.body)?, wrapped: read_wrapped_key(row, KEY)? })
}

resource! {
    /// Responses to the widget's survey of employers.
    Surveys, surveys
}

impl<'c, S: ReadSession<'c>> Surveys<'_, S> {
    /// Returns the newest responses to a template's survey.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn newest(&mut self, template: &LinkTemplateId, limit: u32) -> Result<Vec<Survey>, StoreError> {
        let found = self.session().query(&NEWEST, params![template.as_str(), i64::from(limit)], read)?;
        let mut surveys = Vec::with_capacity(found.len());
        for Stored { survey, body, wrapped } in found {
            match self.0.reader().unwrap_key(survey.user_id.as_str(), wrapped) {
                Ok(key) => {
                    let clear = key.open(Location { table: TABLE, id: &survey.id }, &body)?;
                    surveys.push(Survey { answer: decode(TABLE, &clear)?, ..survey });
                }
                Err(StoreError::Erased) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(surveys)
    }
}

impl Surveys<'_, Tx<'_>> {
    /// Deletes responses received before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, survey: &Survey) -> Result<(), StoreError> {
        let location = Location { table: TABLE, id: &survey.id };
        let body = self.0.seal_scoped(survey.user_id.as_str(), location, &survey.answer)?;
        self.session().execute_later(
            &PUT,
            params![
                &survey.id,
                survey.owner.tenant.as_str(),
                survey.owner.mode.as_str(),
                survey.user_id.as_str(),
                survey.template_id.as_str(),
                survey.received_at.micros(),
                &body,
            ],
        )
    }
}
