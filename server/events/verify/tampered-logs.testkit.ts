import assert from 'node:assert/strict'
import { type Random, seededRandom } from '../../../test/campaign/seeded-random.ts'
import type { Storage } from '../../storage/storage.ts'
import { newTenant, userOf } from '../../storage/suite/samples.testkit.ts'
import { storing } from '../../storage/suite/sealed-log.testkit.ts'
import { erasedUser, randomLog } from './random-log.testkit.ts'
import { type SampleLog, trustedKey } from './sample-log.testkit.ts'
import { verifyStoredLog } from './stored-log.ts'
import { logRows, type Shell, storedTamperings } from './stored-tampering.testkit.ts'

const tenantIds = ['acme', 'other'] as const

export const randomLogs = (random: Random) => [randomLog('acme', random), randomLog('other', random)] as const

/** The logs of two tenants in a database, which a storage reads while someone else changes it. */
export class TamperedLogs {
  readonly #storage: Storage
  readonly #execute: (sql: string) => Promise<void> | void

  /** @param execute runs SQL statements in one transaction */
  constructor(storage: Storage, execute: (sql: string) => Promise<void> | void) {
    this.#storage = storage
    this.#execute = execute
  }

  async addTenants(): Promise<void> {
    for (const id of tenantIds) {
      const { users } = await newTenant(this.#storage, { id })
      for (let user = 0; user < 5; user++) await users.add(userOf({ id: `user-${user}` }), null)
    }
  }

  /** Replaces the stored logs; the user whose events are erased does not exist. */
  async store(logs: readonly SampleLog[]): Promise<void> {
    const statements = ['DELETE FROM events', 'DELETE FROM event_batches', 'DELETE FROM event_heads']
    for (const { tenantId, events, batches, head } of logs) {
      const isErased = events.some(({ personal }) => personal === null)
      const [from, to] = isErased ? [erasedUser, 'gone'] : ['gone', erasedUser]
      statements.push(`UPDATE users SET id = '${to}' WHERE id = '${from}' AND tenant_id = '${tenantId}'`)
      statements.push(storing(tenantId, { events, batches }).trimEnd().replace(/;$/, ''))
      statements.push(`DELETE FROM event_heads WHERE tenant_id = '${tenantId}'`)
      if (head !== null)
        statements.push(`INSERT INTO event_heads (tenant_id, batch, sequence, hash)
          VALUES ('${tenantId}', ${head.batch}, ${head.sequence}, '${head.hash}')`)
    }
    await this.#execute(statements.filter((statement) => statement !== '').join(';\n'))
  }

  /** What a verification of both logs reports. */
  async faults() {
    const all = []
    for (const tenantId of tenantIds) {
      const log = this.#storage.forTenant(tenantId).eventLog
      const result = await verifyStoredLog({ log, tenantId, publicKey: trustedKey, fromBatch: 1, onSlice: () => {} })
      // What the response requires.
      if (result.head) new Date(result.head.sealedAt).toISOString()
      for (const { batch, sequence = 0 } of result.faults)
        assert.ok(Number.isSafeInteger(batch) && Number.isSafeInteger(sequence), `${batch}, ${sequence}`)
      all.push(...result.faults)
    }
    return all
  }

  /**
   * Asserts that each of so many random tamperings is found, or refused by the database.
   * @param written see `logRows`
   * @returns how many were refused
   */
  async requireFound(count: number, shell: Shell, written: (column: string) => string): Promise<number> {
    const names = Object.keys(storedTamperings)
    let refused = 0
    for (let round = 0, found = 0; found < count; round++) {
      const random = seededRandom('stored tampering', round)
      await this.store(randomLogs(random))
      const before = await logRows(shell, written)
      const name = names[round % names.length]!
      try {
        await storedTamperings[name]!(shell, random)
      } catch (error) {
        assert.match(String(error), refusals)
        if ((await logRows(shell, written)) === before) {
          refused++
          found++
          continue
        }
      }
      const after = await logRows(shell, written)
      if (after === before) continue
      assert.ok((await this.faults()).length > 0, `round ${round}: ${name}\n${difference(before, after)}`)
      found++
    }
    return refused
  }
}

/** Of SQLite, then of PostgreSQL. */
const refusals =
  /constraint failed|cannot store|violates .* constraint|out of range|is of type|invalid (input|byte)|type "blob" does not/

function difference(before: string, after: string): string {
  const [old, changed] = [before, after].map((rows) => rows.split('\n'))
  return [
    ...old!.filter((row) => !changed!.includes(row)).map((row) => `- ${row}`),
    ...changed!.filter((row) => !old!.includes(row)).map((row) => `+ ${row}`),
  ].join('\n')
}
