//! Employers that people could not find. What they typed is sealed.

use link_domain::clock::Wall;
use link_domain::link::Survey;
use link_types::id::LinkTemplateId;
use link_types::uploading::EmployerSurvey;

use super::owner;
use crate::keys::Location;
use crate::reader::parse;
use crate::sql::{Row, params, statements};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "surveys";

statements! {
    PUT = "INSERT INTO surveys (id, tenant_id, mode, user_id, template_id, received_at, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING";
    NEWEST = "SELECT id, tenant_id, mode, user_id, template_id, received_at, body FROM surveys \
              WHERE template_id = ?1 ORDER BY received_at DESC, id DESC LIMIT ?2";
    DELETE_OLD = "DELETE FROM surveys WHERE received_at < ?1";
}

fn read(row: &Row<'_>) -> Result<(Survey, Vec<u8>), StoreError> {
    let survey = Survey {
        id: row.text(0)?,
        owner: owner(TABLE, row, 1)?,
        user_id: parse(TABLE, &row.text(3)?)?,
        template_id: parse(TABLE, &row.text(4)?)?,
        answer: EmployerSurvey { employer: String::new(), searched: None },
        received_at: Wall::from_micros(row.int(5)?),
    };
    Ok((survey, row.bytes(6)?))
}

impl Reader<'_> {
    /// The newest answers that people gave with a template.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be read.
    pub fn surveys(&mut self, template: &LinkTemplateId, limit: u32) -> Result<Vec<Survey>, StoreError> {
        let found = self.session.query(&NEWEST, params![template.as_str(), i64::from(limit)], read)?;
        found
            .into_iter()
            .map(|(survey, body)| {
                let answer = self.open_unscoped(Location { table: TABLE, id: &survey.id }, &body)?;
                Ok(Survey { answer, ..survey })
            })
            .collect()
    }
}

impl Tx<'_> {
    /// Removes answers that came before a moment. Gives how many went.
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the database cannot be written.
    pub fn delete_surveys_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session.execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put_survey(&mut self, survey: &Survey) -> Result<(), StoreError> {
        let body = self.seal_unscoped(Location { table: TABLE, id: &survey.id }, &survey.answer)?;
        self.session
            .execute(
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
            .map(drop)
    }
}
