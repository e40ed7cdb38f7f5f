//! Reads a bank's table of transactions: found by its header, read row by row, checked against the running balance.

use link_types::{Date, Money};

use super::plain::plain;
use super::values::{Order, amount, dates};
use crate::page::{Line, Page, Word, text_of};

/// A transaction, as read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Movement {
    /// The date.
    pub date: Date,
    /// The description.
    pub description: String,
    /// Negative if the money left the account.
    pub amount: Money,
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Out,
    In,
    Signed,
    Balance,
}

const OUT: [&str; 7] = ["cargos", "cargo", "retiros", "retiro", "debit", "debits", "withdrawals"];
const IN: [&str; 7] = ["abonos", "abono", "depositos", "deposito", "credit", "credits", "deposits"];
const SIGNED: [&str; 4] = ["importe", "monto", "amount", "movimiento"];
const BALANCE: [&str; 2] = ["saldo", "balance"];
const DATE: [&str; 4] = ["fecha", "date", "dia", "petsa"];

/// The transactions of a statement.
#[derive(Debug, Default)]
pub(super) struct Movements {
    /// Those that the running balance confirms. All if there is none.
    pub confirmed: Vec<Movement>,
    /// Whether others were left out.
    pub are_left_out: bool,
}

/// Returns the transactions on all pages. The table may continue without its header.
pub(super) fn movements(
    pages: &[Page],
    order: Order,
    opening: Option<i64>,
    closing: Option<i64>,
) -> Movements {
    let mut head: Vec<(Column, f32)> = Vec::new();
    let mut rows = Vec::new();
    for line in pages.iter().flat_map(|page| &page.lines) {
        if let Some(columns) = columns(line) {
            head = columns;
        } else if !head.is_empty()
            && let Some(row) = row(line, &head, order)
        {
            rows.push(row);
        }
    }
    confirm(rows, opening, closing)
}

/// Returns the positions of the amount columns, if the line is a table's header.
fn columns(line: &Line) -> Option<Vec<(Column, f32)>> {
    let dated = line.words.iter().take(4).any(|word| DATE.contains(&plain(&word.text).as_str()));
    let columns: Vec<(Column, f32)> = line
        .words
        .iter()
        .filter_map(|word| {
            let name = plain(&word.text);
            let is = |names: &[&str]| names.contains(&name.as_str());
            let column = match () {
                () if is(&OUT) => Column::Out,
                () if is(&IN) => Column::In,
                () if is(&SIGNED) => Column::Signed,
                () if is(&BALANCE) => Column::Balance,
                () => return None,
            };
            Some((column, word.right))
        })
        .collect();
    (dated && columns.len() >= 2).then_some(columns)
}

/// A row before its amount is checked.
struct Row {
    date: Date,
    description: String,
    /// Its amount, as the columns say: the only one that is not zero.
    amount: Option<i64>,
    /// Whether it has amounts other than the balance.
    is_movement: bool,
    balance: Option<i64>,
    /// Whether its column says the sign.
    is_signed_by_column: bool,
}

fn row(line: &Line, head: &[(Column, f32)], order: Order) -> Option<Row> {
    let words = &line.words;
    let (date, mut rest) = (1..=words.len().min(6)).find_map(|count| {
        let date = *dates(&text_of(words.get(..count)?), order).first()?;
        Some((date, words.get(count..)?))
    })?;
    let height = line.height();
    let (mut amounts, mut balance) = (Vec::new(), None);
    while let Some((cell, before)) = last_amount(rest, height) {
        rest = before;
        let (hundredths, right) = cell;
        let nearest = head.iter().min_by(|a, b| (a.1 - right).abs().total_cmp(&(b.1 - right).abs()));
        match nearest {
            Some((Column::Balance, _)) => balance = Some(hundredths),
            Some((column, _)) => amounts.push((*column, hundredths)),
            None => {}
        }
    }
    // The other column may have 0.00.
    amounts.retain(|(_, hundredths)| *hundredths != 0);
    if amounts.is_empty() && balance.is_none() {
        return None;
    }
    let amount = match amounts.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let marks = |c: char| "|_-—–=~. ".contains(c);
    Some(Row {
        date,
        description: text_of(rest).trim_matches(marks).to_owned(),
        amount: amount.map(|(column, value)| match column {
            Column::Out => -value.abs(),
            Column::In => value.abs(),
            Column::Signed | Column::Balance => value,
        }),
        is_movement: !amounts.is_empty(),
        balance,
        is_signed_by_column: amount.is_some_and(|(column, _)| column != Column::Signed),
    })
}

/// Returns the last amount of the words, in hundredths with its right edge, and the words before it.
fn last_amount(words: &[Word], height: f32) -> Option<((i64, f32), &[Word])> {
    let (last, before) = words.split_last()?;
    let right = last.right;
    if plain(&last.text).is_empty() {
        return last_amount(before, height);
    }
    if let Some((sign, _)) = before.split_last().filter(|(one, _)| last.left - one.right < height * 0.7)
        && let Some(value) = amount(&format!("{}{}", sign.text, last.text))
        && before.len() > 1
    {
        return Some(((hundredths(&value)?, right), before.get(..before.len() - 1)?));
    }
    let value = amount(&last.text)?;
    Some(((hundredths(&value)?, right), before))
}

/// Parses an amount in wire format to hundredths.
pub(super) fn hundredths(value: &str) -> Option<i64> {
    value.replace('.', "").parse().ok()
}

/// Keeps the rows that the running balance confirms, if the table has one. It may begin with the newest row.
fn confirm(rows: Vec<Row>, opening: Option<i64>, closing: Option<i64>) -> Movements {
    let amounts: Vec<Option<i64>> = if rows.iter().all(|row| row.balance.is_none()) {
        rows.iter().map(|row| row.amount).collect()
    } else {
        let down = connect(&rows.iter().collect::<Vec<_>>(), opening, closing);
        let mut up = connect(&rows.iter().rev().collect::<Vec<_>>(), opening, closing);
        up.reverse();
        let count = |amounts: &[Option<i64>]| amounts.iter().flatten().count();
        if count(&up) > count(&down) { up } else { down }
    };
    let are_left_out = rows.iter().zip(&amounts).any(|(row, amount)| row.is_movement && amount.is_none());
    let movement = |(row, amount): (Row, Option<i64>)| {
        let amount = Money::from_hundredths(amount?);
        Some(Movement { date: row.date, description: row.description, amount })
    };
    Movements { confirmed: rows.into_iter().zip(amounts).filter_map(movement).collect(), are_left_out }
}

/// Returns the amounts of rows from the oldest to the newest. `None` if the running balance does not confirm one.
fn connect(rows: &[&Row], opening: Option<i64>, closing: Option<i64>) -> Vec<Option<i64>> {
    let mut amounts = Vec::with_capacity(rows.len());
    let (mut balance, mut is_first) = (opening, opening.is_none());
    while let Some(rest) = rows.get(amounts.len()..).filter(|rest| !rest.is_empty()) {
        if let Some(mut connected) = balance.and_then(|balance| connection(rest, balance, closing)) {
            balance = rest.get(connected.len() - 1).and_then(|row| row.balance);
            amounts.extend(connected.drain(..).map(Some));
        } else if let Some(row) = rest.first() {
            // Nothing says the balance before the first row, but its column says the sign.
            amounts.push(row.amount.filter(|_| is_first && row.is_signed_by_column));
            balance = row.balance;
            is_first &= balance.is_none();
        }
    }
    amounts
}

/// Returns the amounts of the next rows that lead from this balance to that of the last one of them. A balance between them may
/// be misread.
fn connection(rows: &[&Row], balance: i64, closing: Option<i64>) -> Option<Vec<i64>> {
    const MAX_BALANCES: usize = 2;
    let (mut sum, mut amounts, mut passed) = (balance, Vec::new(), 0);
    for (at, row) in rows.iter().enumerate() {
        let amount = row.amount?;
        sum += amount;
        amounts.push(amount);
        let Some(after) = row.balance.or_else(|| closing.filter(|_| at + 1 == rows.len())) else { continue };
        if sum == after {
            return Some(amounts);
        }
        // The sign may be misread, unless the next balance contradicts that.
        let next = rows.get(at + 1).map_or_else(|| closing, |next| next.balance);
        let step = rows.get(at + 1).map_or(Some(0), |next| next.amount);
        let goes_on = || next.zip(step).is_some_and(|(next, step)| (next - after).abs() == step.abs());
        if at == 0 && after - balance == -amount && goes_on() {
            return Some(vec![-amount]);
        }
        passed += 1;
        if passed == MAX_BALANCES {
            return None;
        }
    }
    None
}
