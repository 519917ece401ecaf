import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { operatorProbes } from '../suite/operator.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

/** A condition, or an alternative of one, of the statements on operators; `$1` stays in use, so that they remain valid. */
const conditions = /id = \$1|revoked_at IS NULL|expires_at IS NULL|tenant_ids IS NULL|last_used_at < \$2|id > \$1/g
const truthOf = (condition: string) => {
  const parameter = /\$\d/.exec(condition)?.[0]
  return parameter === undefined ? '1 = 1' : `CAST(${parameter} AS TEXT) = CAST(${parameter} AS TEXT)`
}

const mutants = registeredStatements()
  .filter(({ name }) => name.startsWith('operator.'))
  .flatMap(({ name, sql }) =>
    Array.from(sql.matchAll(conditions), ({ index, 0: condition }) => ({
      name,
      condition,
      sql: sql.slice(0, index) + truthOf(condition) + sql.slice(index + condition.length),
    })),
  )

describe('the storage suite detects that an operator statement lacks', () => {
  test('none of its conditions', () => assert.ok(mutants.length >= 18, String(mutants.length)))
  for (const mutant of mutants) {
    test(`${mutant.name}: ${mutant.condition}`, async () => {
      const rewrite = (name: string, sql: string) => (name === mutant.name ? mutant.sql : sql)
      const opened = await openTestStorage({ hooks: { rewrite } })
      let isDetected = false
      for (const probe of Object.values(operatorProbes)) {
        await opened.execute('DELETE FROM operators')
        isDetected ||= await probe(opened).then(
          () => false,
          () => true,
        )
      }
      await opened.close()
      assert.ok(isDetected, 'every check passes without it')
    })
  }
})
