//! An index on the engine's stream records. Without it, each write and each read of the stream sorts
//! all records of the stream, so the cost of a replay grows with the square of its length.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dynoxide::Database;
use rusqlite::Connection;

use crate::clock::Clock;
use crate::error::LocalError;

/// The engine stores sequence numbers as text, and compares them as numbers. It asks for the highest
/// of a table, and for those after a position. A stream has one shard, so the index needs no shard.
const INDEX: &str = "CREATE INDEX IF NOT EXISTS instep_stream_order ON _stream_records \
                     (table_name, CAST(sequence_number AS INTEGER))";

/// A database in a file, with the index.
pub(crate) fn open(path: &str) -> Result<Database, LocalError> {
    let database = Database::new(path).map_err(LocalError::engine("open the table's file"))?;
    add(path)?;
    Ok(database)
}

/// A database in memory, with the index. Nothing but the engine reaches its memory: so it is restored
/// from an empty database that has the index, in memory that this process shares.
pub(crate) fn in_memory(clock: &Clock) -> Result<Database, LocalError> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let unopened = LocalError::engine("make a table in memory");
    let name = format!("file:instep-{}?mode=memory&cache=shared", COUNT.fetch_add(1, Ordering::Relaxed));
    let template = open(&name)?;
    let database = Database::memory_with_clock(Arc::new(clock.clone())).map_err(unopened)?;
    database.restore_from(&name).map_err(LocalError::engine("make a table in memory"))?;
    // The shared memory lasts as long as a connection to it.
    drop(template);
    Ok(database)
}

fn add(path: &str) -> Result<(), LocalError> {
    let unmade = LocalError::engine("index the stream");
    Connection::open(path).and_then(|connection| connection.execute_batch(INDEX)).map_err(unmade)
}
