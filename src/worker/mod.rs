//! Processes: who runs, who starts whom, how they are woken and stopped.
//!
//! The launcher (one per cluster) lists the databases. A scout, a process of a moment, looks
//! whether a database has the extension and reserves a place for the puller of each of its
//! sources. The launcher starts a puller for each place and starts it again when it ends. Pullers
//! start loaders, and a second hand when they lag. What they know of each other stands on the board in shared memory.

pub mod board;
pub mod hand;
pub mod launcher;
pub mod loader;
pub mod process;
pub mod puller;
pub mod scout;
pub mod shared;
pub mod stop;
