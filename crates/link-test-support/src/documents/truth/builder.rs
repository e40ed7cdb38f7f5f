//! Builds the content of a document from labeled values.

use link_types::Date;
use link_types::archive::ArchiveType;

use super::content::{Country, Fact, Truth};
use super::person::Person;
use super::show::{Style, group_digits, wire};
use super::{numbers, words};
use crate::documents::draw::Draw;

/// Collects the printed and the expected values of one document.
pub(super) struct Builder<'a> {
    pub draw: &'a mut Draw,
    pub country: Country,
    pub style: Style,
    pub truth: Truth,
}

impl<'a> Builder<'a> {
    pub(super) fn new(kind: ArchiveType, country: Country, draw: &'a mut Draw) -> Self {
        let style = Style::draw(country, draw);
        let truth = Truth {
            kind,
            country,
            issuer: String::new(),
            title: String::new(),
            groups: vec![Vec::new()],
            base: None,
            earnings: Vec::new(),
            deductions: Vec::new(),
            totals: Vec::new(),
            movements: Vec::new(),
            note: String::new(),
            expected: Vec::new(),
        };
        Self { draw, country, style, truth }
    }

    pub(super) fn mx(&self) -> bool {
        self.country == Country::Mx
    }

    /// Returns the first value for Mexico, the second for the Philippines.
    pub(super) fn either<T>(&self, mexico: T, philippines: T) -> T {
        if self.mx() { mexico } else { philippines }
    }

    pub(super) fn group(&mut self) {
        self.truth.groups.push(Vec::new());
    }

    pub(super) fn expect(&mut self, name: &'static str, value: impl Into<String>) {
        self.truth.expected.push((name, value.into()));
    }

    pub(super) fn print(&mut self, mx: &[&'static str], ph: &[&'static str], shown: impl Into<String>) {
        let (labels, other) = self.either((mx, ph), (ph, mx));
        let fact = Fact { labels: labels.to_vec(), other: other[0], shown: shown.into() };
        self.truth.groups.last_mut().unwrap().push(fact);
    }

    pub(super) fn text(&mut self, name: &'static str, mx: &[&'static str], ph: &[&'static str], value: &str) {
        self.expect(name, value);
        self.print(mx, ph, value);
    }

    pub(super) fn day(&mut self, name: &'static str, mx: &[&'static str], ph: &[&'static str], date: Date) {
        self.expect(name, date.to_string());
        self.print(mx, ph, self.style.date(date));
    }

    pub(super) fn money(
        &mut self,
        name: &'static str,
        mx: &[&'static str],
        ph: &[&'static str],
        hundredths: i64,
    ) {
        self.expect(name, wire(hundredths));
        self.print(mx, ph, self.style.money(hundredths));
    }

    pub(super) fn total(
        &mut self,
        name: &'static str,
        mx: &[&'static str],
        ph: &[&'static str],
        hundredths: i64,
    ) {
        self.money(name, mx, ph, hundredths);
        let fact = self.truth.groups.last_mut().unwrap().pop().unwrap();
        self.truth.totals.push(fact);
    }

    pub(super) fn earning(&mut self, mx: &str, ph: &str, hundredths: i64) {
        let name = self.either(mx, ph).to_owned();
        self.truth.earnings.push((name, group_digits(hundredths)));
    }

    pub(super) fn deduction(&mut self, mx: &str, ph: &str, hundredths: i64) {
        let name = self.either(mx, ph).to_owned();
        self.truth.deductions.push((name, group_digits(hundredths)));
    }

    pub(super) fn head(&mut self, issuer: &str, mx: &str, ph: &str) {
        issuer.clone_into(&mut self.truth.issuer);
        self.truth.title = self.either(mx, ph).to_owned();
    }

    pub(super) fn date(&mut self, from: i32, to: i32) -> Date {
        let year = i32::try_from(self.draw.number(from.into(), to.into())).unwrap();
        let month = u8::try_from(self.draw.number(1, 12)).unwrap();
        Date::new(year, month, u8::try_from(self.draw.number(1, 28)).unwrap()).unwrap()
    }

    pub(super) fn currency(&mut self) {
        let currency = self.either("MXN", "PHP");
        self.expect("currency", currency);
    }

    pub(super) fn employer(&mut self) -> &'static str {
        let name = *self.draw.pick(words::employers(self.country));
        self.expect("employer", name);
        name
    }

    pub(super) fn name(&mut self, person: &Person) {
        let name = person.full_name(self.country);
        self.text(
            "fullName",
            &["Nombre", "Nombre del trabajador", "Nombre completo"],
            &["Name", "Employee Name", "Full Name"],
            &name,
        );
    }

    pub(super) fn job(&mut self) {
        let (title, department) = *self.draw.pick(words::jobs(self.country));
        self.text("jobTitle", &["Puesto", "Cargo"], &["Position", "Job Title", "Designation"], title);
        self.text("department", &["Departamento", "Área"], &["Department"], department);
    }

    pub(super) fn employee_number(&mut self) {
        let number = format!("{}{}", self.either("", "EMP-"), self.draw.digits(5));
        let (mx, ph): (&[_], &[_]) = (
            &["No. de empleado", "Núm. empleado", "Clave de empleado"],
            &["Employee No.", "Employee ID", "Emp. No."],
        );
        self.text("employeeNumber", mx, ph, &number);
    }

    pub(super) fn tax_number(&mut self, person: &Person) {
        let number = if self.mx() { numbers::rfc(person, self.draw) } else { numbers::tin(self.draw) };
        self.text("taxId", &["RFC", "R.F.C."], &["TIN", "TIN No."], &number);
    }

    pub(super) fn national_id(&mut self, person: &Person) {
        if self.mx() {
            let curp = numbers::curp(person, self.draw);
            self.text("nationalId", &["CURP", "C.U.R.P."], &["CURP"], &curp);
        }
    }

    pub(super) fn period(&mut self, from: Date, to: Date) {
        self.expect("startDate", from.to_string());
        self.expect("endDate", to.to_string());
        if self.draw.once_in(3) {
            let (from, to) = (self.style.date(from), self.style.date(to));
            self.print(&["Fecha inicial", "Periodo del"], &["Period From", "Start Date"], from);
            self.print(&["Fecha final", "Periodo al"], &["Period To", "End Date"], to);
        } else {
            let shown = self.style.period(from, to);
            self.print(&["Periodo", "Periodo de pago"], &["Pay Period", "Period Covered"], shown);
        }
    }
}
