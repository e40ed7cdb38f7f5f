//! One function per document type.

use link_types::archive::ArchiveType;

use super::builder::Builder;
use super::content::{Country, Movement, Truth};
use super::person::Person;
use super::{numbers, words};
use crate::documents::draw::Draw;

/// Generates the content of a document.
pub fn invent(kind: ArchiveType, country: Country, draw: &mut Draw) -> Truth {
    let mut builder = Builder::new(kind, country, draw);
    match kind {
        ArchiveType::Payslip => builder.payslip(),
        ArchiveType::TaxDocument => builder.tax_document(),
        ArchiveType::CompanyId => builder.company_id(),
        ArchiveType::Identification => builder.identification(),
        ArchiveType::Clearance => builder.clearance(),
        ArchiveType::Certificate => builder.certificate(),
        ArchiveType::BankStatement => builder.bank_statement(),
    }
    builder.truth
}

impl Builder<'_> {
    fn payslip(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let employer = self.employer();
        self.head(employer, "Recibo de nómina", "Payslip");
        if self.mx() {
            let number = numbers::company_rfc(employer, self.draw);
            self.text("employerTaxId", &["RFC del patrón", "RFC emisor"], &["Employer TIN"], &number);
        }
        self.name(&person);
        self.employee_number();
        self.tax_number(&person);
        self.national_id(&person);
        let number = if self.mx() { numbers::nss(self.draw) } else { numbers::sss(self.draw) };
        self.text(
            "socialSecurityNumber",
            &["NSS", "No. de Seguridad Social"],
            &["SSS No.", "SSS Number"],
            &number,
        );
        self.job();
        self.group();
        let from = self.date(2024, 2026);
        let from = if from.day() > 15 {
            from.month().first_day().unwrap().plus_days(15)
        } else {
            from.month().first_day().unwrap()
        };
        let to = from.plus_days(14);
        self.period(from, to);
        self.day("payDate", &["Fecha de pago"], &["Pay Date", "Payment Date"], to.plus_days(1));
        let base = self.draw.number(520_000, 2_400_000);
        let extra = self.draw.number(20_000, 190_000);
        let tax = base / 10 + self.draw.number(0, 9_999);
        let dues = base / 40 + self.draw.number(0, 999);
        self.earning("Vales de despensa", "Overtime", extra);
        self.deduction("ISR", "Withholding Tax", tax);
        self.deduction("Cuota obrera", "Contributions", dues);
        self.money("baseAmount", &["Sueldo", "Salario base"], &["Basic Pay", "Basic Salary"], base);
        self.truth.base = self.truth.groups.last_mut().unwrap().pop();
        self.total("grossAmount", &["Total percepciones"], &["Gross Pay", "Total Earnings"], base + extra);
        self.total("deductionsAmount", &["Total deducciones"], &["Total Deductions"], tax + dues);
        self.total(
            "netAmount",
            &["Neto a pagar", "Neto pagado"],
            &["Net Pay", "Take Home Pay"],
            base + extra - tax - dues,
        );
        self.currency();
        self.truth.note = self
            .either(
                "Recibí la cantidad indicada a mi entera satisfacción.",
                "This is a system generated document.",
            )
            .into();
    }

    fn tax_document(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let employer = self.employer();
        let issuer = self.either("Oficina Tributaria de Ejemplo", "Halimbawa Revenue Office");
        self.head(
            issuer,
            "Constancia de percepciones y retenciones",
            "Certificate of Compensation and Tax Withheld",
        );
        let year = self.draw.number(2019, 2025).to_string();
        self.text("year", &["Ejercicio fiscal", "Ejercicio"], &["Tax Year", "For the Year"], &year);
        let number =
            if self.mx() { numbers::company_rfc(employer, self.draw) } else { numbers::tin(self.draw) };
        self.print(&["Patrón", "Retenedor"], &["Employer", "Employer's Name"], employer);
        self.text(
            "employerTaxId",
            &["RFC del patrón", "RFC del retenedor"],
            &["Employer TIN", "Employer's TIN"],
            &number,
        );
        self.group();
        self.name(&person);
        self.tax_number(&person);
        self.national_id(&person);
        let gross = self.draw.number(9_000_000, 70_000_000);
        let taxable = gross - self.draw.number(200_000, 2_000_000);
        let tax = taxable / 8 + self.draw.number(0, 99_999);
        self.total(
            "grossAmount",
            &["Total de ingresos", "Total percepciones"],
            &["Gross Compensation Income", "Total Compensation"],
            gross,
        );
        self.total(
            "taxableAmount",
            &["Ingresos gravados", "Base gravable"],
            &["Taxable Income", "Taxable Compensation"],
            taxable,
        );
        self.total(
            "taxAmount",
            &["ISR retenido", "Impuesto retenido"],
            &["Tax Withheld", "Total Tax Withheld"],
            tax,
        );
        self.currency();
        self.truth.note = self
            .either("Se expide para los efectos fiscales a que haya lugar.", "Issued for tax purposes only.")
            .into();
    }

    fn company_id(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let employer = self.employer();
        self.head(employer, "Credencial de empleado", "Employee Identification Card");
        self.name(&person);
        self.employee_number();
        self.job();
        let issued = self.date(2022, 2025);
        self.day("issueDate", &["Fecha de emisión", "Expedición"], &["Date Issued", "Issued"], issued);
        self.day(
            "expiryDate",
            &["Vigencia", "Vence"],
            &["Valid Until", "Expiry Date"],
            issued.plus_days(3 * 365),
        );
        self.truth.note =
            self.either("Esta credencial es intransferible.", "This card is not transferable.").into();
    }

    fn identification(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let issuer = self.either("Registro Nacional de Ejemplo", "Republika ng Halimbawa");
        self.head(issuer, "Credencial de identificación", "National Identification Card");
        if self.mx() {
            self.text("lastName", &["Apellidos"], &["Last Name"], &person.last);
            self.text("firstName", &["Nombre(s)", "Nombres"], &["Given Names"], person.first);
        } else {
            self.text("lastName", &["Apelyido"], &["Last Name", "Surname"], &person.last);
            self.text("firstName", &["Mga Pangalan"], &["Given Names", "First Name"], person.first);
            self.text("middleName", &["Gitnang Apelyido"], &["Middle Name"], person.middle);
        }
        self.expect("fullName", person.full_name(self.country));
        let number =
            if self.mx() { self.draw.digits(13) } else { [(); 4].map(|()| self.draw.digits(4)).join("-") };
        self.text(
            "documentNumber",
            &["Número de documento", "No. de credencial"],
            &["ID Number", "Card No."],
            &number,
        );
        self.national_id(&person);
        self.day("dob", &["Fecha de nacimiento"], &["Date of Birth"], person.dob);
        let gender =
            if person.female { self.either("Mujer", "Female") } else { self.either("Hombre", "Male") };
        self.expect("gender", if person.female { "FEMALE" } else { "MALE" });
        self.print(&["Sexo"], &["Sex", "Gender"], gender);
        let address = *self.draw.pick(words::addresses(self.country));
        self.text("address", &["Domicilio"], &["Address"], address);
        let until = self.date(2027, 2034);
        self.day("expiryDate", &["Vigencia"], &["Valid Until", "Date of Expiry"], until);
    }

    fn clearance(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let issuer = self.either("Fiscalía de Ejemplo", "Halimbawa Bureau of Records");
        self.head(issuer, "Constancia de no antecedentes penales", "Police Clearance");
        self.name(&person);
        let number = format!("{}{}", self.either("CNA-", "PC-"), self.draw.digits(8));
        self.text("documentNumber", &["Folio", "No. de folio"], &["Clearance No.", "Reference No."], &number);
        self.national_id(&person);
        self.day("dob", &["Fecha de nacimiento"], &["Date of Birth"], person.dob);
        let address = *self.draw.pick(words::addresses(self.country));
        self.text("address", &["Domicilio"], &["Address"], address);
        let purpose = self.either("Trámite laboral", "Local Employment");
        self.text("purpose", &["Motivo", "Finalidad"], &["Purpose"], purpose);
        self.group();
        let issued = self.date(2025, 2026);
        self.day(
            "issueDate",
            &["Fecha de expedición", "Fecha de emisión"],
            &["Date Issued", "Issue Date"],
            issued,
        );
        self.day("expiryDate", &["Vigencia", "Válida hasta"], &["Valid Until"], issued.plus_days(180));
        let hit = self.draw.once_in(4);
        self.expect("status", if hit { "HIT" } else { "VALID" });
        let remark = if hit {
            self.either("Con antecedentes", "With record (HIT)")
        } else {
            self.either("Sin antecedentes", "No record on file")
        };
        self.print(&["Resultado"], &["Remarks", "Result"], remark);
        self.truth.note =
            self.either("Documento sin valor si presenta tachaduras.", "Not valid without dry seal.").into();
    }

    fn certificate(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let employer = self.employer();
        self.head(employer, "Constancia laboral", "Certificate of Employment");
        self.name(&person);
        self.employee_number();
        self.job();
        self.group();
        let from = self.date(2012, 2022);
        self.day("startDate", &["Fecha de ingreso"], &["Date Hired", "Start Date"], from);
        if self.draw.once_in(3) {
            self.day(
                "endDate",
                &["Fecha de baja"],
                &["Date of Separation", "End Date"],
                from.plus_days(1_000),
            );
        }
        let salary = self.draw.number(900_000, 4_800_000);
        self.money(
            "baseAmount",
            &["Sueldo mensual", "Salario mensual"],
            &["Monthly Salary", "Basic Monthly Salary"],
            salary,
        );
        self.currency();
        let issued = self.date(2025, 2026);
        self.day("issueDate", &["Fecha de expedición"], &["Date Issued"], issued);
        self.truth.note = self
            .either(
                "A quien corresponda: se extiende a petición del interesado.",
                "Issued upon the request of the employee.",
            )
            .into();
    }

    fn bank_statement(&mut self) {
        let person = Person::invent(self.country, self.draw);
        let bank = *self.draw.pick(words::banks(self.country));
        self.expect("bank", bank);
        self.head(bank, "Estado de cuenta", "Statement of Account");
        let name = person.full_name(self.country);
        self.text("fullName", &["Titular", "Cliente"], &["Account Name", "Account Holder"], &name);
        let number = self.draw.digits(self.either(18, 12));
        self.text(
            "accountNumber",
            &["Número de cuenta", "CLABE"],
            &["Account Number", "Account No."],
            &number,
        );
        let from = self.date(2025, 2026).month().first_day().unwrap();
        let to = from.month().plus_months(1).first_day().unwrap().plus_days(-1);
        self.period(from, to);
        self.group();
        let mut balance = self.draw.number(100_000, 4_000_000);
        self.money(
            "openingBalance",
            &["Saldo inicial", "Saldo anterior"],
            &["Beginning Balance", "Opening Balance"],
            balance,
        );
        let mut at = from;
        for _ in 0..self.draw.number(5, 12) {
            at = at.plus_days(self.draw.number(0, 2));
            let (what, comes) = *self.draw.pick(words::movements(self.country));
            let amount = self.draw.number(4_500, 900_000);
            let hundredths = if comes { amount } else { -amount };
            balance += hundredths;
            self.truth.movements.push(Movement {
                date: at,
                shown_date: self.style.date(at),
                description: what.to_owned(),
                hundredths,
                balance,
            });
        }
        self.money(
            "closingBalance",
            &["Saldo final", "Saldo al corte"],
            &["Ending Balance", "Closing Balance"],
            balance,
        );
        self.currency();
    }
}
