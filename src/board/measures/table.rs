//! The measures of many tours of one board, a row of numbers each.

use super::{Crossings, Geometry, ShortJoin, Sums};
use crate::board::Board;
use crate::board::tour::{InvalidTour, Tour};
use crate::run::{Budget, Halt, Progress, Task};

/// One of the measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// One number a tour.
    Turns,
    /// One number for each of [`Geometry::angles`].
    Angles,
    /// One number for each of [`Geometry::slopes`].
    Slopes,
    /// One number a tour.
    Crossings,
    /// One number a row of the board.
    RowSums,
    /// One number a column of the board.
    ColumnSums,
    /// 1 or 0.
    IsSemimagic,
    /// 1 or 0.
    IsMagic,
}

impl Column {
    /// All measures.
    pub const ALL: [Column; 8] = [
        Column::Turns,
        Column::Angles,
        Column::Slopes,
        Column::Crossings,
        Column::RowSums,
        Column::ColumnSums,
        Column::IsSemimagic,
        Column::IsMagic,
    ];

    /// The public name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Column::Turns => "turns",
            Column::Angles => "angles",
            Column::Slopes => "slopes",
            Column::Crossings => "crossings",
            Column::RowSums => "row_sums",
            Column::ColumnSums => "column_sums",
            Column::IsSemimagic => "is_semimagic",
            Column::IsMagic => "is_magic",
        }
    }
}

/// A sequence that is no tour of the board, among many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which one.
    pub row: usize,
    /// What is wrong with it.
    pub fault: InvalidTour,
}

/// Measures tour after tour.
#[derive(Debug)]
pub struct Table {
    board: Board,
    closed: bool,
    /// As many a tour as the board has open squares.
    numbers: Vec<u32>,
    columns: Vec<Column>,
    values: Vec<Vec<u64>>,
    /// For the columns that are about directions, where there are any.
    lines: Option<(Geometry, Crossings)>,
    done: usize,
    /// The tour under way, once it is checked.
    tour: Option<Tour>,
}

impl Table {
    /// A table of the given columns for tours of the board, `numbers` holding the squares of one after the
    /// other. A last tour that is not whole is left out.
    pub fn new(board: &Board, closed: bool, numbers: Vec<u32>, columns: Vec<Column>) -> Result<Table, ShortJoin> {
        let is_line = |column| matches!(column, Column::Turns | Column::Angles | Column::Slopes | Column::Crossings);
        let lines = if columns.iter().any(|&column| is_line(column)) {
            let geometry = Geometry::new(board)?;
            let crossings = Crossings::new(&geometry);
            Some((geometry, crossings))
        } else {
            None
        };
        let values = vec![Vec::new(); columns.len()];
        Ok(Table { board: board.clone(), closed, numbers, columns, values, lines, done: 0, tour: None })
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many numbers a column has for each tour.
    #[must_use]
    pub fn width(&self, column: Column) -> usize {
        let geometry = self.lines.as_ref().map(|(geometry, _)| geometry);
        match column {
            Column::Turns | Column::Crossings | Column::IsSemimagic | Column::IsMagic => 1,
            Column::Angles => geometry.map_or(0, |geometry| geometry.angles().len()),
            Column::Slopes => geometry.map_or(0, |geometry| geometry.slopes().len()),
            Column::RowSums => self.board.rows() as usize,
            Column::ColumnSums => self.board.cols() as usize,
        }
    }

    /// Number of tours.
    #[must_use]
    pub fn tours(&self) -> usize {
        self.numbers.len() / self.board.len()
    }

    /// How many of them are measured.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// Bytes of memory that the table takes, besides the squares.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let width: usize = self.columns.iter().map(|&column| self.width(column)).sum();
        let lines = self.lines.as_ref().map_or(0, |(geometry, _)| Crossings::bytes(geometry));
        8 * (width as u64).saturating_mul(self.tours() as u64) + 5 * self.board.squares() + lines
    }

    /// The columns with their widths and values, tour after tour.
    pub fn into_values(self) -> impl Iterator<Item = (Column, usize, Vec<u64>)> {
        let widths: Vec<usize> = self.columns.iter().map(|&column| self.width(column)).collect();
        self.columns.into_iter().zip(widths).zip(self.values).map(|((column, width), values)| (column, width, values))
    }
}

impl Task for Table {
    type Answer = Result<(), Fault>;

    /// Goes on until all tours are measured or the budget pauses; then call again. A node is a square.
    fn advance(&mut self, budget: &Budget) -> Result<Result<(), Fault>, Halt> {
        budget.check_memory(self.bytes())?;
        let size = self.board.len();
        while self.done < self.tours() {
            let tour = match self.tour.take() {
                Some(tour) => tour,
                None => {
                    budget.take(size as u64)?;
                    let squares = self.numbers[self.done * size..(self.done + 1) * size].to_vec();
                    match Tour::new(self.board.clone(), squares, Some(self.closed)) {
                        Ok(tour) => tour,
                        Err(fault) => return Ok(Err(Fault { row: self.done, fault })),
                    }
                }
            };
            // Crossings alone may take long, so they are counted first.
            let mut crossed = 0;
            if self.columns.contains(&Column::Crossings)
                && let Some((_, crossings)) = &mut self.lines
            {
                match crossings.advance(tour.squares(), self.closed, budget) {
                    Ok(crossings) => crossed = crossings,
                    Err(pause) => {
                        self.tour = Some(tour);
                        return Err(pause.into());
                    }
                }
            }
            let shape = self.lines.as_ref().map(|(geometry, _)| geometry.shape(tour.squares(), self.closed));
            let sums = Sums::new(&self.board, tour.squares());
            for (column, values) in self.columns.iter().zip(&mut self.values) {
                match (column, &shape) {
                    (Column::Turns, Some(shape)) => values.push(shape.turns),
                    (Column::Angles, Some(shape)) => values.extend(&shape.angles),
                    (Column::Slopes, Some(shape)) => values.extend(&shape.slopes),
                    (Column::Crossings, _) => values.push(crossed),
                    (Column::RowSums, _) => values.extend(&sums.rows),
                    (Column::ColumnSums, _) => values.extend(&sums.cols),
                    (Column::IsSemimagic, _) => values.push(sums.is_semimagic().into()),
                    (Column::IsMagic, _) => values.push(sums.is_magic().into()),
                    (_, None) => {}
                }
            }
            self.done += 1;
        }
        Ok(Ok(()))
    }

    fn progress(&self) -> Progress {
        let (done, total) = (self.done as u64, Some(self.tours() as u64));
        Progress { done, total, message: "measuring: tours".to_owned() }
    }

    fn squares(&self) -> usize {
        self.board.len()
    }
}
