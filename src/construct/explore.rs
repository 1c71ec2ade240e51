//! temp
#![allow(missing_docs)]
use super::block::*;
use crate::budget::{Budget, Limits};
pub fn find(rows: u8, cols: u8, bonds: &[(u8, u8)], required: &[(u8, u8)], seed: u64, cap: u64) -> (Option<Vec<Vec<u8>>>, u64) {
    let b = Budget::new(Limits { nodes: Some(cap), ..Limits::default() });
    let r = Search::new(&Ask { shape: (rows, cols), bonds: bonds.to_vec(), required: required.to_vec() }, seed).advance(&b).unwrap_or(None);
    (r, b.spent())
}
