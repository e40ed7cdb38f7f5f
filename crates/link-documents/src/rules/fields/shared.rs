//! The fields that several kinds of documents share.

use super::{Field, field};
use crate::rules::values::Value;

pub(super) const FULL_NAME: Field = field(
    "fullName",
    Value::Name,
    &[
        "nombre",
        "nombre del trabajador",
        "nombre del empleado",
        "nombre completo",
        "nombre y apellidos",
        "trabajador",
        "trabajadora",
        "empleado",
        "empleada",
        "colaborador",
        "colaboradora",
        "name",
        "employee name",
        "name of employee",
        "full name",
        "employee",
        "payee",
        "pangalan",
        "complete name",
    ],
);
pub(super) const EMPLOYER: Field = field(
    "employer",
    Value::Text,
    &[
        "patron",
        "nombre del patron",
        "empresa",
        "razon social",
        "retenedor",
        "empleador",
        "employer",
        "employers name",
        "employer name",
        "name of employer",
        "company",
        "company name",
        "registered name",
        "withholding agent",
    ],
);
pub(super) const EMPLOYER_RFC: Field = field(
    "employerTaxId",
    Value::Rfc,
    &[
        "rfc del patron",
        "rfc patron",
        "rfc emisor",
        "rfc del emisor",
        "rfc del retenedor",
        "rfc empresa",
        "rfc de la empresa",
        "rfc retenedor",
    ],
);
pub(super) const EMPLOYER_TIN: Field = field(
    "employerTaxId",
    Value::Digits(&[9, 12, 13, 14]),
    &["employer tin", "employers tin", "tin of employer", "company tin"],
);
pub(super) const TAX_RFC: Field =
    field("taxId", Value::Rfc, &["rfc", "rfc del trabajador", "rfc trabajador", "rfc del empleado"]);
pub(super) const TAX_TIN: Field = field(
    "taxId",
    Value::Digits(&[9, 12, 13, 14]),
    &["tin", "tin no", "tin number", "tax identification number", "employee tin"],
);
pub(super) const CURP: Field =
    field("nationalId", Value::Curp, &["curp", "clave unica de registro de poblacion"]);
pub(super) const SOCIAL: Field = field(
    "socialSecurityNumber",
    Value::Social,
    &[
        "nss",
        "no de seguridad social",
        "num de seguridad social",
        "numero de seguridad social",
        "no seguro social",
        "imss",
        "sss no",
        "sss number",
        "sss",
        "sss id",
    ],
);
pub(super) const EMPLOYEE_NUMBER: Field = field(
    "employeeNumber",
    Value::Number,
    &[
        "no de empleado",
        "no empleado",
        "num empleado",
        "num de empleado",
        "numero de empleado",
        "clave de empleado",
        "clave",
        "employee no",
        "employee number",
        "employee id",
        "employee id no",
        "emp no",
        "emp id",
        "id no",
    ],
);
pub(super) const JOB: Field = field(
    "jobTitle",
    Value::Text,
    &[
        "puesto",
        "cargo",
        "categoria",
        "ocupacion",
        "position",
        "job title",
        "designation",
        "title",
        "posisyon",
    ],
);
pub(super) const DEPARTMENT: Field =
    field("department", Value::Text, &["departamento", "area", "depto", "department", "dept", "division"]);
pub(super) const PERIOD: Field = field(
    "period",
    Value::Period,
    &[
        "periodo",
        "periodo de pago",
        "periodo del",
        "pay period",
        "period covered",
        "payroll period",
        "period",
        "statement period",
        "cutoff period",
    ],
);
pub(super) const START: Field = field(
    "startDate",
    Value::Date,
    &[
        "fecha inicial",
        "periodo del",
        "fecha de inicio",
        "desde",
        "period from",
        "start date",
        "from",
        "date from",
    ],
);
pub(super) const END: Field = field(
    "endDate",
    Value::Date,
    &["fecha final", "periodo al", "hasta", "period to", "end date", "to", "date to", "fecha de corte"],
);
pub(super) const ISSUED: Field = field(
    "issueDate",
    Value::Date,
    &[
        "fecha de emision",
        "fecha de expedicion",
        "expedicion",
        "emision",
        "expedido el",
        "date issued",
        "issue date",
        "date of issue",
        "issued",
        "issued on",
        "issued date",
    ],
);
pub(super) const EXPIRES: Field = field(
    "expiryDate",
    Value::Date,
    &[
        "vigencia",
        "vence",
        "valida hasta",
        "valido hasta",
        "fecha de vencimiento",
        "vigente hasta",
        "valid until",
        "expiry date",
        "date of expiry",
        "expiration date",
        "expires",
        "valid thru",
    ],
);
pub(super) const BORN: Field = field(
    "dob",
    Value::Date,
    &[
        "fecha de nacimiento",
        "nacimiento",
        "date of birth",
        "birth date",
        "birthdate",
        "petsa ng kapanganakan",
    ],
);
pub(super) const GENDER: Field =
    field("gender", Value::Gender, &["sexo", "genero", "sex", "gender", "kasarian"]);
pub(super) const ADDRESS: Field =
    field("address", Value::Text, &["domicilio", "direccion", "address", "tirahan", "home address"]);
