//! Copies every user by SQL, because the store writes 2,000 to 25,000 data points a second, and ten million are needed.

use link_store::StoreSettings;
use secrecy::ExposeSecret;

/// The number of copies of each user.
pub const EACH: u64 = 9;

/// The hexadecimal digit after the time in an id is the version of the UUID, always 7. Copies have another one, so
/// that they are next to their original in every index.
const VERSIONS: [char; EACH as usize] = ['0', '1', '2', '3', '4', '5', '6', '8', '9'];

/// A table, and its columns that contain ids. The first one identifies the row.
const TABLES: [(&str, &[&str]); 6] = [
    ("scopes", &["scope_id"]),
    ("scope_keys", &["scope_id"]),
    ("users", &["id"]),
    ("accounts", &["id", "user_id"]),
    ("account_links", &["account_id", "user_id"]),
    ("data_points", &["id", "user_id", "source_id", "scope_id"]),
];

/// A connection outside the store.
pub enum Raw {
    Sqlite(rusqlite::Connection),
    Postgres(Box<postgres::Client>),
}

impl Raw {
    pub fn connect(settings: &StoreSettings) -> Self {
        match settings {
            StoreSettings::Sqlite { folder, .. } => {
                Self::Sqlite(rusqlite::Connection::open(folder.join("linchpin.db")).unwrap())
            }
            StoreSettings::Postgres { address, .. } => {
                let client = postgres::Client::connect(address.expose_secret(), postgres::NoTls);
                Self::Postgres(Box::new(client.unwrap()))
            }
            StoreSettings::Ephemeral => panic!("a database with files"),
        }
    }

    fn run(&mut self, statements: &str) {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(statements).unwrap(),
            Self::Postgres(client) => client.batch_execute(statements).unwrap(),
        }
    }

    fn texts(&mut self, statement: &str) -> Vec<String> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(statement).unwrap();
                let rows = statement.query_map([], |row| row.get(0)).unwrap();
                rows.map(Result::unwrap).collect()
            }
            Self::Postgres(client) => {
                client.query(statement, &[]).unwrap().iter().map(|row| row.get(0)).collect()
            }
        }
    }

    fn is_postgres(&self) -> bool {
        matches!(self, Self::Postgres(_))
    }

    fn columns(&mut self, table: &str) -> Vec<String> {
        self.texts(&match self.is_postgres() {
            false => format!("SELECT name FROM pragma_table_info('{table}')"),
            true => format!(
                "SELECT attname::text FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0 \
                 AND NOT attisdropped ORDER BY attnum"
            ),
        })
    }

    /// Returns the statements that create the table's indexes, without that of its primary key.
    fn indexes(&mut self, table: &str) -> Vec<String> {
        self.texts(&match self.is_postgres() {
            false => format!(
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '{table}' \
                 AND sql IS NOT NULL"
            ),
            true => format!(
                "SELECT indexdef::text FROM pg_indexes WHERE tablename = '{table}' \
                 AND indexname NOT LIKE '%pkey'"
            ),
        })
    }
}

/// Runs a closure with a connection, on a thread: the PostgreSQL client must not be driven from within an async
/// runtime.
pub fn with_raw<T: Send + 'static>(
    settings: &StoreSettings,
    run: impl FnOnce(&mut Raw) -> T + Send + 'static,
) -> T {
    let settings = settings.clone();
    std::thread::spawn(move || run(&mut Raw::connect(&settings))).join().unwrap()
}

/// Copies every user in a database that is not open.
pub fn make(settings: &StoreSettings) {
    with_raw(settings, |raw| {
        raw.run(match raw.is_postgres() {
            false => "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -300000",
            true => "SET synchronous_commit = off; SET maintenance_work_mem = '300MB'",
        });
        for (table, ids) in TABLES {
            // Creating an index is faster than inserting into it, and it is smaller afterwards.
            let indexes = raw.indexes(table);
            for index in &indexes {
                let name = index.split_whitespace().skip_while(|word| *word != "INDEX").nth(1).unwrap();
                raw.run(&format!("DROP INDEX {name}"));
            }
            for (number, version) in VERSIONS.into_iter().enumerate() {
                let statement = copy(raw, (table, ids), number + 1, version);
                raw.run(&statement);
            }
            indexes.iter().for_each(|index| raw.run(index));
        }
        if !raw.is_postgres() {
            raw.run("PRAGMA journal_mode = WAL");
        }
    });
}

fn copy(raw: &mut Raw, (table, ids): (&str, &[&str]), number: usize, version: char) -> String {
    let columns = raw.columns(table);
    let values: Vec<String> = columns
        .iter()
        .map(|column| match column.as_str() {
            id if ids.contains(&id) => {
                format!(
                    "substr({id}, 1, length({id}) - 20) || '{version}' || substr({id}, length({id}) - 18)"
                )
            }
            // Copies have separate buckets, whose keys do not exist.
            "bucket" => format!("bucket # {number}"),
            other => other.to_owned(),
        })
        .collect();
    let (names, values, id) = (columns.join(", "), values.join(", "), ids[0]);
    format!(
        "INSERT INTO {table} ({names}) SELECT {values} FROM {table} \
         WHERE substr({id}, length({id}) - 19, 1) = '7'"
    )
}

/// Brings a database into the state of one that was filled over a longer time.
pub fn settle(settings: &StoreSettings) {
    with_raw(settings, |raw| {
        if raw.is_postgres() {
            raw.run("VACUUM (ANALYZE)");
            raw.run("CHECKPOINT");
        }
    });
}

/// Returns the size of a database in bytes.
pub fn size(settings: &StoreSettings) -> u64 {
    with_raw(settings, |raw| {
        let size = raw.texts(match raw.is_postgres() {
            false => "SELECT CAST(page_count * page_size AS TEXT) FROM pragma_page_count, pragma_page_size",
            true => "SELECT pg_database_size(current_database())::text",
        });
        size[0].parse().unwrap()
    })
}
