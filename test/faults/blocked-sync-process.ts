import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { newTenant, userOf } from '../../server/storage/suite/samples.testkit.ts'
import { type DiskFault, selectFault } from '../support/faults/failing-disk.ts'

/**
 * Writes to the database file at `argv[2]` on a disk whose sync blocks, then succeeds or fails (`argv[3]`). Fails with an
 * AssertionError when a read shows what is not durable.
 */
const [path = '', outcome = ''] = process.argv.slice(2)
const readsDuringSync = 500
const select = (fault: DiskFault) => selectFault(process.env['FAILING_DISK_CONTROL'] ?? '', fault)

// A thread that blocks keeps the process from exiting.
process.on('exit', () => select('none'))

const storage = await openSqliteStorage({ path })
const tenant = await newTenant(storage)
const isVisible = async (id: string) => (await tenant.users.find(id)) !== null
const add = (id: string) => tenant.users.add(userOf({ id }), null)
await add('before')

select('blocked fdatasync')
const settled: string[] = []
const note = (id: string) => settled.push(id)
const write = tenant.write(async (tx) => {
  tx.onCommit(() => note('callback'))
  await tx.users.add(userOf({ id: 'during' }), null)
})
const noteEnd = (id: string, result: Promise<unknown>) => {
  const ended = () => void note(id)
  result.then(ended, ended)
}
noteEnd('during', write)
// A refusal may depend on what another write of its group did.
const refusal = tenant.write(async (tx) => assert.fail(`it sees ${(await tx.users.find('during'))?.id}`))
noteEnd('refusal', refusal)
using other = new DatabaseSync(path, { readOnly: true })
const committed = other.prepare("SELECT 1 FROM users WHERE id = 'during'")
while (committed.get() === undefined) await nextTurn()
const next = add('next')
noteEnd('next', next)

for (let read = 0; read < readsDuringSync; read++) {
  const states = await Promise.all(['before', 'during', 'next'].slice(0, 1 + (read % 3)).map(isVisible))
  assert.deepEqual(states, [true, false, false].slice(0, states.length), 'a read shows what is not durable')
}
assert.deepEqual(settled, [], 'answered before its sync')
assert.equal(other.prepare("SELECT 1 FROM users WHERE id = 'next'").get(), undefined, 'a commit overtook the sync')

if (outcome === 'success') {
  select('none')
  await write
  await assert.rejects(refusal, /it sees during/)
  assert.ok(await isVisible('during'), 'a read after the answer does not see the write')
  await next
  assert.ok(await isVisible('next'))
  assert.deepEqual(settled, ['callback', 'during', 'refusal', 'next'])
} else {
  select('one fsync')
  for (const result of [write, refusal]) await assert.rejects(result, { name: 'OutcomeUnknown' })
  await assert.rejects(next, { code: 'SERVICE_UNAVAILABLE' })
  assert.match(String(storage.failure), /fsync failed/)
  assert.deepEqual([await isVisible('before'), await isVisible('during')], [true, false])
  assert.deepEqual(settled, ['during', 'refusal', 'next'])
}
await storage.close()
process.stdout.write('passed\n')
