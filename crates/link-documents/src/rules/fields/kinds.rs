//! The fields of each kind of document.

use link_types::archive::ArchiveType;

use super::shared::{
    ADDRESS, BORN, CURP, DEPARTMENT, EMPLOYEE_NUMBER, EMPLOYER, EMPLOYER_RFC, EMPLOYER_TIN, END, EXPIRES,
    FULL_NAME, GENDER, ISSUED, JOB, PERIOD, SOCIAL, START, TAX_RFC, TAX_TIN,
};
use super::{Field, field};
use crate::rules::values::Value;

const PAYSLIP: &[Field] = &[
    EMPLOYER,
    EMPLOYER_RFC,
    EMPLOYER_TIN,
    FULL_NAME,
    EMPLOYEE_NUMBER,
    TAX_RFC,
    TAX_TIN,
    CURP,
    SOCIAL,
    JOB,
    DEPARTMENT,
    PERIOD,
    START,
    END,
    field(
        "payDate",
        Value::Date,
        &["fecha de pago", "dia de pago", "pay date", "payment date", "date paid", "payout date"],
    ),
    field(
        "baseAmount",
        Value::Money,
        &[
            "sueldo",
            "salario base",
            "sueldo base",
            "salario",
            "basic pay",
            "basic salary",
            "basic",
            "regular pay",
        ],
    ),
    field(
        "grossAmount",
        Value::Money,
        &[
            "total percepciones",
            "total de percepciones",
            "percepciones totales",
            "gross pay",
            "total earnings",
            "gross earnings",
            "gross income",
        ],
    ),
    field(
        "deductionsAmount",
        Value::Money,
        &["total deducciones", "total de deducciones", "total deductions"],
    ),
    field(
        "netAmount",
        Value::Money,
        &[
            "neto a pagar",
            "neto pagado",
            "total neto",
            "neto",
            "net pay",
            "take home pay",
            "net amount",
            "net income",
        ],
    ),
];

const TAX_DOCUMENT: &[Field] = &[
    field(
        "year",
        Value::Year,
        &["ejercicio fiscal", "ejercicio", "ano fiscal", "tax year", "for the year", "taxable year", "year"],
    ),
    EMPLOYER,
    EMPLOYER_RFC,
    EMPLOYER_TIN,
    FULL_NAME,
    TAX_RFC,
    TAX_TIN,
    CURP,
    field(
        "grossAmount",
        Value::Money,
        &[
            "total de ingresos",
            "total percepciones",
            "ingresos totales",
            "total de percepciones",
            "gross compensation income",
            "total compensation",
            "gross income",
            "gross compensation",
        ],
    ),
    field(
        "taxableAmount",
        Value::Money,
        &[
            "ingresos gravados",
            "base gravable",
            "total gravado",
            "taxable income",
            "taxable compensation",
            "taxable compensation income",
            "total taxable income",
        ],
    ),
    field(
        "taxAmount",
        Value::Money,
        &[
            "isr retenido",
            "impuesto retenido",
            "total retenido",
            "tax withheld",
            "total tax withheld",
            "taxes withheld",
            "amount of tax withheld",
        ],
    ),
    ISSUED,
];

const COMPANY_ID: &[Field] = &[EMPLOYER, FULL_NAME, EMPLOYEE_NUMBER, JOB, DEPARTMENT, ISSUED, EXPIRES];

const IDENTIFICATION: &[Field] = &[
    field(
        "lastName",
        Value::Name,
        &["apellidos", "apellido", "apelyido", "last name", "surname", "family name"],
    ),
    field(
        "firstName",
        Value::Name,
        &["nombres", "mga pangalan", "given names", "given name", "first name", "pangalan", "nombre", "name"],
    ),
    field("middleName", Value::Name, &["gitnang apelyido", "middle name", "panggitnang apelyido"]),
    field("fullName", Value::Name, &["nombre completo", "full name", "buong pangalan"]),
    field(
        "documentNumber",
        Value::Number,
        &[
            "numero de documento",
            "no de credencial",
            "numero de credencial",
            "no de documento",
            "folio",
            "id number",
            "card no",
            "card number",
            "id no",
            "document number",
            "license no",
            "passport no",
        ],
    ),
    CURP,
    BORN,
    GENDER,
    ADDRESS,
    ISSUED,
    EXPIRES,
];

const CLEARANCE: &[Field] = &[
    FULL_NAME,
    field(
        "documentNumber",
        Value::Number,
        &[
            "folio",
            "no de folio",
            "numero de folio",
            "clearance no",
            "reference no",
            "reference number",
            "control no",
            "clearance number",
            "ref no",
        ],
    ),
    CURP,
    BORN,
    ADDRESS,
    field("purpose", Value::Text, &["motivo", "finalidad", "purpose", "layunin"]),
    ISSUED,
    EXPIRES,
    field(
        "status",
        Value::Status,
        &["resultado", "remarks", "result", "findings", "status", "observaciones"],
    ),
];

const CERTIFICATE: &[Field] = &[
    FULL_NAME,
    EMPLOYER,
    EMPLOYEE_NUMBER,
    JOB,
    DEPARTMENT,
    field(
        "startDate",
        Value::Date,
        &[
            "fecha de ingreso",
            "ingreso",
            "fecha de alta",
            "date hired",
            "start date",
            "hire date",
            "date of hire",
            "employed since",
        ],
    ),
    field(
        "endDate",
        Value::Date,
        &["fecha de baja", "fecha de separacion", "date of separation", "end date", "separation date"],
    ),
    field(
        "baseAmount",
        Value::Money,
        &[
            "sueldo mensual",
            "salario mensual",
            "sueldo",
            "salario",
            "monthly salary",
            "basic monthly salary",
            "monthly basic salary",
            "salary",
            "basic salary",
        ],
    ),
    field("documentNumber", Value::Number, &["folio", "certificate no", "reference no"]),
    ISSUED,
];

const BANK_STATEMENT: &[Field] = &[
    field(
        "fullName",
        Value::Name,
        &[
            "titular",
            "cliente",
            "nombre del titular",
            "nombre",
            "account name",
            "account holder",
            "customer name",
            "name",
        ],
    ),
    field(
        "accountNumber",
        Value::Digits(&[8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]),
        &[
            "numero de cuenta",
            "no de cuenta",
            "cuenta",
            "clabe",
            "clabe interbancaria",
            "account number",
            "account no",
            "acct no",
        ],
    ),
    PERIOD,
    START,
    END,
    field(
        "openingBalance",
        Value::Money,
        &["saldo inicial", "saldo anterior", "beginning balance", "opening balance", "previous balance"],
    ),
    field(
        "closingBalance",
        Value::Money,
        &[
            "saldo final",
            "saldo al corte",
            "saldo actual",
            "ending balance",
            "closing balance",
            "current balance",
        ],
    ),
];

/// Returns the fields of a kind of document, in the order of the response.
pub(crate) const fn fields(kind: ArchiveType) -> &'static [Field] {
    match kind {
        ArchiveType::Payslip => PAYSLIP,
        ArchiveType::TaxDocument => TAX_DOCUMENT,
        ArchiveType::CompanyId => COMPANY_ID,
        ArchiveType::Identification => IDENTIFICATION,
        ArchiveType::Clearance => CLEARANCE,
        ArchiveType::Certificate => CERTIFICATE,
        ArchiveType::BankStatement => BANK_STATEMENT,
    }
}
