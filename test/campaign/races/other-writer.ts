import { DatabaseSync } from 'node:sqlite'

/**
 * A separate process that writes to the database file at `argv[2]` half of the time, as a backup tool or a second server
 * might. It leaves the lock free for as long as it held it: SQLite's lock is not fair, and on a slow disk a writer without
 * pause starves every other one. Sends `ready`, and its number of writes on request.
 */
const database = new DatabaseSync(process.argv[2] ?? '', { timeout: 60_000 })
database.exec(
  'PRAGMA synchronous = FULL; CREATE TABLE other_writes (id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT',
)
const insert = database.prepare('INSERT INTO other_writes (at) VALUES (?)')
let writes = 0
const never = new Int32Array(new SharedArrayBuffer(4))

function writeOn(): void {
  for (let transaction = 0; transaction < 100; transaction++) {
    const began = performance.now()
    database.exec('BEGIN IMMEDIATE')
    insert.run(Date.now())
    database.exec('COMMIT')
    writes++
    Atomics.wait(never, 0, 0, performance.now() - began)
  }
  // Lets the event loop process messages.
  setImmediate(writeOn)
}

process.on('message', () => process.send?.(writes))
process.on('disconnect', () => process.exit())
process.send?.('ready')
writeOn()
