//! The portal's people. They and their numbers are fictitious.

/// A worker.
pub struct Person {
    pub user: &'static str,
    pub password: &'static str,
    /// The phone number for codes. A person without a phone needs no code.
    pub phone: Option<&'static str>,
    pub locked: bool,
    pub name: &'static str,
    pub number: &'static str,
    pub born: &'static str,
    pub email: &'static str,
    pub curp: &'static str,
    /// The report that institutions can request about the person.
    pub report: Option<Report>,
    pub jobs: &'static [Job],
}

/// Fields of a report in addition to the person's name and jobs.
pub struct Report {
    pub registration: &'static str,
    pub state: &'static str,
    /// Days with contributions.
    pub days: u32,
    /// The daily base salary, in hundredths of pesos.
    pub base_cents: u32,
}

/// A row of the page of jobs.
pub struct Job {
    pub employer: &'static str,
    pub title: &'static str,
    pub from: &'static str,
    /// Empty for a current job.
    pub to: &'static str,
}

/// All people.
pub const PEOPLE: [Person; 3] = [
    Person {
        user: "lucia",
        password: "aurora",
        phone: Some("•••• 0142"),
        locked: false,
        name: "Lucía Méndez Aurora",
        number: "NSS-0000000142",
        born: "24/05/1990",
        email: "lucia@example.com",
        curp: "MEAL900524MDFNRC04",
        report: Some(Report {
            registration: "Y0000014210",
            state: "Jalisco",
            days: 1_751,
            base_cents: 39_540,
        }),
        jobs: &[
            Job {
                employer: "Panadería <Norte> & Sur",
                title: "Cajera",
                from: "04/03/2016",
                to: "31/01/2021",
            },
            Job { employer: "Talleres Aurora", title: "Analista", from: "01/02/2021", to: "" },
        ],
    },
    Person {
        user: "bruno",
        password: "aurora",
        phone: None,
        locked: false,
        name: "Bruno Ríos Bahía",
        number: "NSS-0000000317",
        born: "02/11/1984",
        email: "bruno@example.com",
        curp: "RIBB841102HDFSHR00",
        report: Some(Report {
            registration: "Y0000031710",
            state: "Puebla",
            days: 2_290,
            base_cents: 51_000,
        }),
        jobs: &[Job { employer: "Cumbre Logistics", title: "Chofer", from: "15/07/2019", to: "" }],
    },
    Person {
        user: "carmen",
        password: "aurora",
        phone: None,
        locked: true,
        name: "Carmen Cumbre Sol",
        number: "NSS-0000000588",
        born: "30/09/1979",
        email: "carmen@example.com",
        curp: "CUSC790930MDFMLR04",
        report: None,
        jobs: &[],
    },
];

/// A row of the page of contributions: the last day of a month, and an amount in hundredths of pesos.
pub struct Contribution {
    pub day: String,
    pub cents: u32,
    pub reference: String,
}

/// Returns 14 months of contributions, newest first.
pub fn contributions() -> Vec<Contribution> {
    let last_days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let months = (0..14).map(|back| {
        let months = 2025 * 12 + 9 - back;
        let (year, month) = (months / 12, months % 12);
        let day = last_days[month];
        Contribution {
            day: format!("{day:02}/{:02}/{year}", month + 1),
            cents: 125_130 - 530 * u32::try_from(back).unwrap_or_default(),
            reference: format!("AP-{year}{:02}", month + 1),
        }
    });
    months.collect()
}
