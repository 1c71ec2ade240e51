//! The methods of `Tour` and `Board` that draw, or hand over to other libraries. They are written in Python, in
//! `knightstour.drawing`, which is imported by the first of them that is called.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::board::PyBoard;
use super::registry;
use super::tour::PyTour;
use super::walks::PyWalk;

/// Calls a function of `knightstour.drawing`.
fn call<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = arguments.into_pyobject(py)?;
    registry::drawing(py, name)?.call(arguments, options)
}

#[pymethods]
impl PyTour {
    /// A picture of the tour, as SVG text.
    ///
    /// Parameters
    /// ----------
    /// size
    ///     Length of the longer side in pixels; by default the picture fills the place that it is shown in.
    /// style
    ///     ``"path"``, ``"arrows"`` (the path with arrowheads), ``"rainbow"`` (the path on squares whose colour
    ///     shows the step) or ``"numbers"`` (from 1, without the path).
    /// coordinates
    ///     Whether columns and rows are named along the edges.
    /// squares
    ///     Whether the squares are drawn; blocked squares always are.
    /// start_end
    ///     Whether the start is marked, by a disc, and the end of an open tour, by a square.
    /// colors
    ///     Other colours by name: ``light``, ``dark``, ``blocked``, ``frame``, ``border``, ``label``, ``path``,
    ///     ``start``, ``end``, ``number``, ``mark``; each a colour as CSS writes it.
    /// title
    ///     The picture's title, for screen readers and as a tooltip; by default the kind of tour and the board.
    ///
    /// Returns a `str` that notebooks show. The path is one polyline; on joined edges it is cut where it
    /// leaves one edge and enters another. Style sheets can restyle the classes ``frame``, ``square`` with
    /// ``light`` or ``dark``, ``blocked``, ``edge``, ``joined``, ``label``, ``path``, ``arrows``, ``number``,
    /// ``start`` and ``end``. On boards of up to 4096 squares each square is an element with its name as a
    /// class.
    ///
    /// Cost per square: a microsecond (arrows: ten) and, on large boards, ten to fifty bytes. Raises
    /// `RequestError` for options that do not fit, and beyond 4,194,304 squares.
    #[pyo3(signature = (**options), text_signature = "($self, *, size=None, style='path', coordinates=True, squares=True, start_end=True, colors=None, title=None)")]
    fn svg<'py>(slf: Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "tour_svg", (slf,), options)
    }

    /// A page that plays the tour: one HTML file with everything in it, which loads nothing from the network.
    ///
    /// Parameters
    /// ----------
    /// speed
    ///     Squares per second at the beginning, 1 to 2000; by default the whole tour takes half a minute.
    /// autoplay
    ///     Whether it plays at once; it never does if the reader's system asks for reduced motion.
    /// coordinates, colors, title
    ///     As for `svg`.
    ///
    /// Returns a `str` that notebooks show in a frame. The page has buttons, a scrub bar and keys (space,
    /// arrows, Home, End, + and -). Boards of 200x200 play smoothly; it raises `RequestError` beyond 1,000,000
    /// squares, and for options that do not fit.
    #[pyo3(signature = (**options), text_signature = "($self, *, speed=None, autoplay=False, coordinates=True, colors=None, title=None)")]
    fn html<'py>(slf: Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "tour_html", (slf,), options)
    }

    /// Writes the tour to the file ``path``, in the format that its name ends with.
    ///
    /// ``.svg`` and ``.html`` take the options of `svg` and `html`. ``.png`` takes those of `svg` except
    /// ``title``, and ``.gif``, an animation, takes ``size``, ``seconds``, ``coordinates`` and ``colors``. Both
    /// need Pillow (``pip install 'knightstour[image]'``) and show up to 16,777,216 squares; larger pictures are
    /// refused. ``.txt`` and ``.csv`` are the numbered board and ``.json`` is `to_json`, which `parse` reads.
    ///
    /// Raises `RequestError` for another ending or options that do not fit, `ImportError` without Pillow,
    /// `OSError` if the file cannot be written.
    #[pyo3(signature = (path, **options))]
    fn save<'py>(
        slf: Bound<'py, Self>,
        path: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "save", (slf, path), options)
    }

    /// Draws the tour with Matplotlib, on ``ax`` or on new axes, and returns the axes.
    ///
    /// ``style`` is ``"path"`` or ``"numbers"``, ``colors`` as for `svg`. Raises `ImportError` if Matplotlib is
    /// not installed.
    #[pyo3(signature = (ax=None, **options), text_signature = "($self, ax=None, *, style='path', colors=None)")]
    fn plot<'py>(
        slf: Bound<'py, Self>,
        ax: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "plot", (slf, ax), options)
    }

    /// The tour as a ``networkx.Graph``: a path, or a cycle if it is closed.
    ///
    /// Its nodes are the squares, in the tour's order, each with the attribute ``step`` (from 0). Raises
    /// `ImportError` if NetworkX is not installed, `MemoryLimitError` beyond 2**22 squares: networkx takes
    /// about a kilobyte for each.
    fn to_networkx<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "tour_graph", (slf,), None)
    }

    fn _repr_svg_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "notebook_svg", (slf,), None)
    }
}

#[pymethods]
impl PyBoard {
    /// Reads a board from an image: dark squares are blocked.
    ///
    /// Parameters
    /// ----------
    /// image
    ///     A path, a file opened in binary mode, or bytes: a PNG, GIF, JPEG, BMP, PPM or WebP picture.
    /// rows, cols
    ///     Size of the board. The picture is divided evenly into rows and columns, at most one per pixel; by default
    ///     every pixel is a square.
    /// threshold
    ///     Squares whose mean brightness is below it are blocked, on a scale from 0, black, to 1, white. Transparent
    ///     parts count as white.
    /// leaper, wrap
    ///     As for `Board`.
    ///
    /// Needs Pillow (``pip install 'knightstour[image]'``), and raises `ImportError` without it. Raises `BoardError`
    /// for data that is not a picture, a file of more than 64 MiB, or more than 2**24 pixels; the size is checked
    /// before the picture is unpacked.
    #[staticmethod]
    #[pyo3(signature = (image, rows=None, cols=None, **options), text_signature = "(image, rows=None, cols=None, *, threshold=0.5, leaper=(1, 2), wrap=None)")]
    fn from_image<'py>(
        image: &Bound<'py, PyAny>,
        rows: Option<&Bound<'py, PyAny>>,
        cols: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        call(image.py(), "board_from_image", (image, rows, cols), options)
    }

    /// A picture of the board, as SVG text.
    ///
    /// Parameters
    /// ----------
    /// marks
    ///     Squares to mark with a dot, or a mapping from squares to texts or numbers to write there, such as
    ///     ``tours.starts()``.
    /// size, coordinates, colors, title
    ///     As for `Tour.svg`.
    ///
    /// Returns a `str` that notebooks show.
    #[pyo3(signature = (**options), text_signature = "($self, *, marks=None, size=None, coordinates=True, colors=None, title=None)")]
    fn svg<'py>(slf: Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "board_svg", (slf,), options)
    }

    /// The board's moves as a ``networkx.Graph`` whose nodes are the open squares.
    ///
    /// Raises `ImportError` if NetworkX is not installed, `MemoryLimitError` beyond 2**20 squares: networkx
    /// takes some kilobytes for each.
    fn to_networkx<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "board_graph", (slf,), None)
    }

    fn _repr_svg_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "notebook_svg", (slf,), None)
    }
}

#[pymethods]
impl PyWalk {
    fn _repr_svg_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        call(slf.py(), "notebook_svg", (slf,), None)
    }
}
