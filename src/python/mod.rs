//! The Python extension module `knightstour._core`: everything that Python sees of the core.
//!
//! The binding converts and forwards. It decides nothing: what a value means is read in
//! [`arguments`], what goes wrong becomes an exception in [`errors`], and each class has a file.

pub mod answers;
pub mod arguments;
pub mod asking;
pub mod batch;
pub mod board;
pub mod buffer;
pub mod detach;
pub mod errors;
pub mod limits;
pub mod listing;
pub mod measures;
pub mod numbers;
pub mod options;
pub mod owners;
pub mod parts;
pub mod paths;
pub mod pictures;
pub mod quote;
pub mod reading;
mod registry;
pub mod run;
pub mod square;
pub mod squares;
pub mod texts;
pub mod tour;
pub mod tours;
pub mod uncrossed;
pub mod view;
pub mod walks;

use pyo3::prelude::*;

/// The core of knightstour, written in Rust. Its names are public in the package `knightstour`.
#[pymodule(name = "_core")]
mod core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::batch::{PyBatch, RowIterator, restore_batch};
    #[pymodule_export]
    use super::board::{PyBoard, restore_board};
    #[pymodule_export]
    use super::limits::PyLimits;
    #[pymodule_export]
    use super::listing::{BatchIterator, TourIterator};
    #[pymodule_export]
    use super::measures::measure;
    #[pymodule_export]
    use super::numbers::{PyNumbering, open_tours, prepare};
    #[pymodule_export]
    use super::parts::{count_between, encode, first_colour, forecast, memory, stabiliser};
    #[pymodule_export]
    use super::paths::{
        PathIterator, check_path, count_paths, find_path, is_unique, list_paths, make_puzzle, read_given_path,
    };
    #[pymodule_export]
    use super::quote::quote_any;
    #[pymodule_export]
    use super::run::PyCancel;
    #[pymodule_export]
    use super::squares::{PySquares, SquaresIterator};
    #[pymodule_export]
    use super::texts::{note, note_of_lines, read_tour, split_tours};
    #[pymodule_export]
    use super::tour::{PyTour, restore_tour};
    #[pymodule_export]
    use super::tours::{PyRequest, restore_request};
    #[pymodule_export]
    use super::walks::{PyWalk, restore_walk, run_seed, run_starts, warnsdorff, warnsdorff_trials};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python users look for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        // So that `isinstance(board.squares, Sequence)` holds and `match` takes it apart. This is
        // `collections.abc` under the name by which every interpreter has it loaded already.
        let sequence = py.import("_collections_abc")?.getattr("Sequence")?;
        sequence.call_method1("register", (py.get_type::<super::PySquares>(),))?;
        Ok(())
    }
}

use squares::PySquares;
