//! Integration tests.

mod brute;
mod existence;
