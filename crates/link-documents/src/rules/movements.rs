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

/// Returns the transactions on all pages. The table may continue without its header.
pub(super) fn movements(pages: &[Page], order: Order, opening: Option<Money>) -> Vec<Movement> {
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
    settled(rows, opening)
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

/// A row before its amounts are checked.
struct Row {
    date: Date,
    description: String,
    amount: Option<(Column, i64)>,
    balance: Option<i64>,
}

fn row(line: &Line, head: &[(Column, f32)], order: Order) -> Option<Row> {
    let words = &line.words;
    let (date, mut rest) = (1..=words.len().min(6)).find_map(|count| {
        let date = *dates(&text_of(words.get(..count)?), order).first()?;
        Some((date, words.get(count..)?))
    })?;
    let height = line.height();
    let mut row = Row { date, description: String::new(), amount: None, balance: None };
    while let Some((cell, before)) = last_amount(rest, height) {
        rest = before;
        let (hundredths, right) = cell;
        let nearest = head.iter().min_by(|a, b| (a.1 - right).abs().total_cmp(&(b.1 - right).abs()));
        match nearest {
            Some((Column::Balance, _)) => row.balance = Some(hundredths),
            Some((column, _)) => row.amount = Some((*column, hundredths)),
            None => {}
        }
    }
    let marks = |c: char| "|_-—–=~. ".contains(c);
    row.description = text_of(rest).trim_matches(marks).to_owned();
    (row.amount.is_some() || row.balance.is_some()).then_some(row)
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

/// Determines the signs of amounts. If the running balance determines a sign, it takes precedence.
fn settled(rows: Vec<Row>, opening: Option<Money>) -> Vec<Movement> {
    let mut balance = opening.map(Money::hundredths);
    let mut movements = Vec::new();
    for row in rows {
        let step = balance.zip(row.balance).map(|(before, after)| after - before);
        let read = row.amount.map(|(column, value)| match column {
            Column::Out => -value.abs(),
            Column::In => value.abs(),
            Column::Signed | Column::Balance => value,
        });
        let amount = match (step, read) {
            (Some(step), Some(read)) if step.abs() == read.abs() => Some(step),
            (_, Some(read)) => Some(read),
            (step, None) => step,
        };
        balance = row.balance.or_else(|| balance.zip(amount).map(|(before, amount)| before + amount));
        if let Some(amount) = amount {
            let amount = Money::from_hundredths(amount);
            movements.push(Movement { date: row.date, description: row.description, amount });
        }
    }
    movements
}
