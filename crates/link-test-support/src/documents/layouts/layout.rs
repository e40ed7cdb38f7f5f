//! The layouts.

/// How labeled values are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrangement {
    /// One column, each label left of its value, with a colon.
    Lines,
    /// Two columns, each label above its value.
    Above,
    /// A ruled table with two label-value pairs per row.
    Table,
    /// Two columns, each value at the right edge of its column.
    Columns,
    /// One column, labels in two languages.
    Bilingual,
    /// HELD OUT: rows of ruled boxes, with a row of labels above a row of values.
    Boxes,
    /// HELD OUT: labels end near the middle of the page and values begin there.
    Spine,
}

/// How the amounts of a payslip are printed, and what surrounds the labeled values of every kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// One amount in each row; the base salary is a labeled value.
    Plain,
    /// Columns for hours and rate left of the amount; labels in capitals.
    Rates,
    /// A column for the year to date right of the amount; a letterhead with a telephone and a folio number.
    YearToDate,
    /// HELD OUT: the column for the year to date left of the amount; a footer with a print date and a page number.
    YearToDateFirst,
    /// HELD OUT: earnings left and deductions right; values in capitals, lines of a stamp at the lower right.
    SideBySide,
}

/// The layout of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// How labeled values are arranged.
    pub arrangement: Arrangement,
    /// How amounts are printed.
    pub style: Style,
}

const ARRANGEMENTS: [Arrangement; 7] = [
    Arrangement::Lines,
    Arrangement::Above,
    Arrangement::Table,
    Arrangement::Columns,
    Arrangement::Bilingual,
    Arrangement::Boxes,
    Arrangement::Spine,
];
const STYLES: [Style; 5] =
    [Style::Plain, Style::Rates, Style::YearToDate, Style::YearToDateFirst, Style::SideBySide];

impl Layout {
    /// Returns an arrangement with one amount in each row.
    pub fn plain(arrangement: Arrangement) -> Self {
        Self { arrangement, style: Style::Plain }
    }

    /// Returns every layout.
    pub fn all() -> impl Iterator<Item = Self> {
        STYLES.into_iter().flat_map(|style| ARRANGEMENTS.map(|arrangement| Self { arrangement, style }))
    }

    /// Returns the layouts that were used to write the rules.
    pub fn all_known() -> impl Iterator<Item = Self> {
        Self::all().filter(|layout| !layout.is_held_out())
    }

    /// Returns the name on the command line, for example `lines` or `lines-rates`.
    pub fn name(self) -> String {
        let arrangement = match self.arrangement {
            Arrangement::Lines => "lines",
            Arrangement::Above => "above",
            Arrangement::Table => "table",
            Arrangement::Columns => "columns",
            Arrangement::Bilingual => "bilingual",
            Arrangement::Boxes => "boxes",
            Arrangement::Spine => "spine",
        };
        let style = match self.style {
            Style::Plain => "",
            Style::Rates => "-rates",
            Style::YearToDate => "-year",
            Style::YearToDateFirst => "-year-first",
            Style::SideBySide => "-side",
        };
        format!("{arrangement}{style}")
    }

    /// Returns true if the rules were written without this layout.
    pub fn is_held_out(self) -> bool {
        matches!(self.arrangement, Arrangement::Boxes | Arrangement::Spine)
            || matches!(self.style, Style::YearToDateFirst | Style::SideBySide)
    }
}
