import { selectFault } from '../../../test/support/faults/failing-disk.ts'
import { Checkpointer } from './checkpointer.ts'
import { SqliteConnection } from './connection.ts'
import { DiskHealth } from './disk-health.ts'
import { FileSync } from './file-sync.ts'

/** Checkpoints a new file at `argv[2]` on a disk that fails, then on one that works; prints the faults and failures. */
const path = process.argv[2] ?? ''
const control = process.env['FAILING_DISK_CONTROL'] ?? ''
const writer = new SqliteConnection({ path, readOnly: false, hooks: {} })
writer.execute('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE numbers (n INTEGER)')
const health = new DiskHealth()
const checkpointer = new Checkpointer(writer, { path, file: FileSync.ofDatabase(path), health, frames: 1 })

for (const fault of ['checkpoint EIO', 'none'] as const) {
  selectFault(control, fault)
  health.clear()
  for (let number = 0; number < 5; number++) {
    writer.execute(`INSERT INTO numbers VALUES (${number})`)
    await checkpointer.afterCommit()
  }
  process.stdout.write(`${health.fault?.kind ?? null} ${health.failure}\n`)
}
await checkpointer.close()
writer.close()
