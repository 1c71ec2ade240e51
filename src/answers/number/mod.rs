//! [`Numbering`]: a collection of tours as a list, with a number for each tour and a tour for each number; and tours drawn
//! at random.
//!
//! Where the sweep over the frontier can answer a request, its layers are kept and walked over
//! ([`Walk`](crate::engines::frontier::Walk)), and the numbering is theirs; of symmetric tours that of the quotients. Other collections
//! (with squares at given steps, symmetric tours that a sweep cannot count, classes, or too wide for the sweep) are listed
//! into memory as a whole, and numbered in the order of the listing.
//!
//! ```
//! use knightstour::answers::number::{Files, Numbering, Prepare};
//! use knightstour::{Board, Budget, Natural, Request, Task};
//! let request = Request::closed(Board::new(6, 6)?);
//! let numbering = Prepare::new(request, 1, Files::default())?.advance(&Budget::unlimited()).expect("there is no limit");
//! assert_eq!(numbering.total().to_string(), "9862");
//! let number = Natural::from(4321);
//! let tour = numbering.tour(&number).expect("the layers are in memory").expect("it is below the total");
//! assert_eq!(numbering.number(&tour), Ok(Some(number)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draw;
mod numbering;
mod symmetric;

pub use draw::Draw;
pub use numbering::{Files, Numbering, Prepare};
