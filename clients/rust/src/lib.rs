//! Client of the Burraco rules service: the generated messages and stubs of `burraco.v1`, and a thin layer on them.
//!
//! [`connect`] makes a [`Client`], a [`Table`] keeps a match, [`moves`] and [`mod@cards`] write what a player does, [`legal`] goes
//! through what he may do. [`v1`] holds all that is generated, which all of this is made of and which can be used alone.
//!
//! ```no_run
//! use burraco::{Table, connect, moves, v1::Preset};
//!
//! # async fn play() -> burraco::Result<()> {
//! let mut table = Table::create(&connect("127.0.0.1:50051")?, Preset::Italian).await?;
//! if let Some(seat) = table.turn() {
//!     table.play(seat, moves::draw()).await?;
//! }
//! # Ok(())
//! # }
//! ```

pub mod call;
mod caller;
pub mod cards;
mod client;
mod details;
mod error;
pub mod legal;
pub mod moves;
mod replicas;
mod request;
pub mod retry;
mod table;

#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
#[rustfmt::skip]
mod generated;

pub use caller::Identify;
pub use client::{Builder, Client, TIMEOUT, connect};
pub use error::{Error, FieldViolation, Result, RulesError, code_name};
/// The contract: generated from `protos/burraco/v1`, with its comments.
#[doc(inline)]
pub use generated::burraco::v1;
/// Statuses and the details of errors, as `google.rpc` has them.
#[doc(inline)]
pub use generated::google::rpc;
pub use replicas::Replicas;
pub use table::Table;
pub use tonic::Code;

/// The README's examples are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
