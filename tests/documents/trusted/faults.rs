//! The reasons to doubt values, for a reviewer.

use link_types::archive::ExtractionFaultCode;
use link_types::archive::ExtractionFaultCode::{AmountsContradict, CheckDigitWrong, SeveralValues};

use super::{PAYSLIP, findings, plainly};

/// Reads the payslip with other values in these rows, and returns the codes and fields of its faults.
fn faults(changes: &[(usize, &[&'static str])]) -> Vec<(ExtractionFaultCode, Vec<String>)> {
    let mut rows = PAYSLIP.to_vec();
    for (row, cells) in changes {
        rows[*row] = cells;
    }
    let faults = findings(&[plainly(&rows)]).unwrap().extracted.first.faults;
    faults.into_iter().map(|fault| (fault.code, fault.fields)).collect()
}

#[test]
fn payslip_that_adds_up_has_no_faults() {
    assert_eq!(faults(&[]), []);
}

#[test]
fn amounts_that_contradict_each_other_are_named() {
    let amounts = ["grossAmount", "deductionsAmount", "netAmount"].map(str::to_owned).to_vec();
    assert_eq!(faults(&[(11, &["Neto a pagar", "6,915.05"])]), [(AmountsContradict, amounts)]);
    let base = vec!["baseAmount".to_owned()];
    assert_eq!(faults(&[(8, &["Sueldo", "8,300.00"])]), [(AmountsContradict, base)]);
}

#[test]
fn wrong_check_digits_are_named() {
    let changed = faults(&[(5, &["CURP", "IAEM870617MPLBBF03"]), (6, &["NSS", "55304484715"])]);
    let numbers = ["nationalId", "socialSecurityNumber"].map(str::to_owned).to_vec();
    assert_eq!(changed, [(CheckDigitWrong, numbers)]);
}

#[test]
fn several_values_of_a_field_are_named() {
    let changed = faults(&[(3, &["CURP", "HEGG560427MVZRRL04"])]);
    assert_eq!(changed, [(SeveralValues, vec!["nationalId".to_owned()])]);
}
