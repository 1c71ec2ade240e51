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
    /// A closed tour has no ends.
    #[error("a closed tour has no end: `end` goes with open tours only")]
    ClosedWithEnd,
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
    /// An engine or option that does not fit the request.
    #[error("{0}")]
    Other(String),
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
