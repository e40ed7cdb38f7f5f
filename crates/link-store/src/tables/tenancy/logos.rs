//! Logos of link templates, unencrypted: anyone who has a logo's URL may load it.

use link_domain::tenancy::logo::{EncodedLogo, Logo, LogoName, LogoSize};
use link_types::id::LinkTemplateId;
use link_types::template::LinkTemplate;

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{StoreError, Tx};

const TABLE: &str = "logos";

columns! {
    /// The columns of a logo.
    logo_columns => struct Columns { name, template_id, width, height, picture }
}
const COLUMNS: Columns = Columns::after(0);

columns! {
    /// The columns of a logo's size.
    size_columns => struct SizeColumns { name, width, height }
}
const SIZE: SizeColumns = SizeColumns::after(0);

statements! {
    PUT = "INSERT INTO logos (name, template_id, width, height, picture) VALUES (?1, ?2, ?3, ?4, ?5) \
           ON CONFLICT (name) DO NOTHING";
    FIND = concat!("SELECT ", logo_columns!(""), " FROM logos WHERE name = ?1");
    SIZES = concat!("SELECT ", size_columns!(""), " FROM logos WHERE template_id = ?1 ORDER BY name");
    DELETE_UNUSED = "DELETE FROM logos WHERE template_id = ?1 AND name <> ?2 AND name <> ?3";
}

fn name(text: &str) -> Result<LogoName, StoreError> {
    LogoName::parse(text).ok_or_else(|| StoreError::undecodable(TABLE, "a name is not 32 hexadecimal digits"))
}

fn side(value: i64) -> Result<u16, StoreError> {
    u16::try_from(small(TABLE, value)?).map_err(|_| StoreError::undecodable(TABLE, "a side is too long"))
}

fn read(row: &Row<'_>) -> Result<Logo, StoreError> {
    Ok(Logo {
        name: name(row.str(COLUMNS.name)?)?,
        template_id: parse(TABLE, row.str(COLUMNS.template_id)?)?,
        picture: EncodedLogo {
            png: row.bytes(COLUMNS.picture)?,
            width: side(row.int(COLUMNS.width)?)?,
            height: side(row.int(COLUMNS.height)?)?,
        },
    })
}

resource! {
    /// Logos of link templates.
    Logos, logos
}

impl<'c, S: ReadSession<'c>> Logos<'_, S> {
    /// Returns a logo by the name in its URL.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, name: &LogoName) -> Result<Option<Logo>, StoreError> {
        self.session().find(&FIND, params![name.as_str()], read)
    }

    /// Returns the names and sizes of a link template's logos. Most templates have none, and cost no read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn sizes(&mut self, template: &LinkTemplate) -> Result<Vec<LogoSize>, StoreError> {
        if template.theme.logo_light.is_none() {
            return Ok(Vec::new());
        }
        self.session().query(&SIZES, params![template.id.as_str()], |row| {
            Ok(LogoSize {
                name: name(row.str(SIZE.name)?)?,
                width: side(row.int(SIZE.width)?)?,
                height: side(row.int(SIZE.height)?)?,
            })
        })
    }
}

impl Logos<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, logo: &Logo) -> Result<(), StoreError> {
        let Logo { name, template_id, picture } = logo;
        let row = params![
            name.as_str(),
            template_id.as_str(),
            i64::from(picture.width),
            i64::from(picture.height),
            picture.png.as_slice(),
        ];
        self.session().execute_later(&PUT, row)
    }

    /// Deletes a link template's logos except the first two of `used`.
    pub(crate) fn delete_unused(
        &mut self,
        template: &LinkTemplateId,
        used: &[LogoName],
    ) -> Result<(), StoreError> {
        let used = |at: usize| used.get(at).map(LogoName::as_str).unwrap_or_default();
        let values = params![template.as_str(), used(0), used(1)];
        self.session().execute_later(&DELETE_UNUSED, values)
    }
}
