//! [`Misuse`]: what is asked makes no sense, or an engine is not for it.

/// Misuse: there is no such request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// A square is blocked or not on the board.
    #[error("the {role} {square} is {why} the {board}")]
    Square {
        /// What the square was given as.
        role: &'static str,
        /// The square as given.
        square: String,
        /// `blocked on` or `not on`.
        why: &'static str,
        /// The board, described.
        board: String,
    },
    /// A tour of more than one square cannot end where it starts.
    #[error(
        "start and end are both {square} of the {board}; an open tour of more than one square must end on a square other than its start"
    )]
    EqualEnds {
        /// The square.
        square: String,
        /// The board, described.
        board: String,
    },
    /// Two squares are not a move apart.
    #[error("{from} and {to} are not a move apart on the {board}")]
    NoEdge {
        /// One square.
        from: String,
        /// The other.
        to: String,
        /// The board, described.
        board: String,
    },
    /// A step that no tour of this board has.
    #[error("step {step} of {square}: tours of the {board} have steps 0 to {last}")]
    StepRange {
        /// The step.
        step: u64,
        /// The square it was given for.
        square: String,
        /// The board, described.
        board: String,
        /// The last step.
        last: usize,
    },
    /// A run that has given its answer is asked to go on.
    #[error("the {0} has given its answer and cannot continue")]
    Answered(&'static str),
    /// One step asked for two squares, or one square at two steps.
    #[error("step {step} of {square} contradicts another given step")]
    StepTwice {
        /// The step.
        step: u64,
        /// The square.
        square: String,
    },
    /// What is no symmetry of the board.
    #[error("this board has no {name} symmetry{why}; it has: {known}")]
    NoSymmetry {
        /// The name.
        name: String,
        /// What breaks it, in parentheses, if that is plain.
        why: &'static str,
        /// The symmetries that it has, or how many.
        known: String,
    },
    /// A path that begins on another square than the tours.
    #[error("these tours start at {start}, the path begins at {first}")]
    OtherStart {
        /// Where the tours start.
        start: String,
        /// Where the path begins.
        first: String,
    },
    /// More is asked than this question can take.
    #[error("{what} can have a start and an end, but no given moves, steps or symmetries")]
    TooMuchGiven {
        /// What was asked for.
        what: &'static str,
    },
    /// Squares on which tours end are asked of closed tours, or of tours with more than a start.
    #[error("end squares are those of open tours; only a start can be given")]
    EndSquares,
    /// A closed puzzle is numbered from a square that is not chosen.
    #[error("a closed puzzle cannot have a start: its numbers begin on the first open square from the top left")]
    PuzzleStart,
    /// A path without squares.
    #[error("a path of the {board} has at least 1 square, not 0")]
    NoSquares {
        /// The board, described.
        board: String,
    },
    /// A board on which uncrossed paths are not looked for.
    #[error("{0}")]
    Uncrossed(String),
    /// The engine is not for this request.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// The engine is not for this board.
    #[error("the {board}: {why}")]
    UnsuitedBoard {
        /// The board, described.
        board: String,
        /// Why not.
        why: Unsuited,
    },
    /// Options that do not go together, or with what is asked.
    #[error("{}", fill(text, options))]
    Options {
        /// A sentence, with `{}` for each of the options.
        text: String,
        /// The options that it names.
        options: Vec<Named>,
    },
}

/// An option that a sentence names. Each face spells it as its users write it; here it is two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The option itself.
    Option(&'static str),
    /// The option with one of its values.
    With(&'static str, &'static str),
    /// What is called to ask, or to refine what is asked.
    Call(&'static str),
}

impl Misuse {
    /// Options that do not go together, or with what is asked: `text` has `{}` for each of them, before anything that users
    /// wrote.
    pub fn options(text: impl Into<String>, options: impl Into<Vec<Named>>) -> Misuse {
        Misuse::Options { text: text.into(), options: options.into() }
    }
}

fn fill(text: &str, options: &[Named]) -> String {
    options.iter().fold(text.to_owned(), |text, option| {
        let name = match option {
            Named::Option(name) | Named::Call(name) => (*name).to_owned(),
            Named::With(name, value) => format!("{name} {value}"),
        };
        text.replacen("{}", &name, 1)
    })
}

/// Why a request is not one for this engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuited {
    /// The sweep does not know at which step it visits a square.
    #[error("the frontier engine cannot count tours with squares at given steps")]
    Steps,
    /// A table of starts is asked of closed tours.
    #[error("closed tours have no start, so they cannot be counted by their starts")]
    Closed,
    /// No order that was tried keeps the frontier within the words of a state.
    #[error("too wide for the frontier engine: more than 64 squares would be on the frontier at once")]
    TooWide,
}
