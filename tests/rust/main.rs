//! Integration tests.

mod frontier;
