import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyUses } from './key-uses.ts'

test('writes each use once, and keeps a use that could not be written unless a later one replaced it', async () => {
  const written: [string, number][][] = []
  let isAway = false
  const uses = createKeyUses({
    async touchKeys(noted) {
      if (isAway) throw new Error('the database is away')
      written.push([...noted])
    },
  })
  uses.record('a', 1)
  await uses.flush()
  await uses.flush()
  assert.deepEqual(written, [[['a', 1]]])

  isAway = true
  uses.record('a', 2)
  uses.record('b', 2)
  const failing = uses.flush()
  uses.record('b', 3)
  await assert.rejects(failing, /the database is away/)
  isAway = false
  await uses.flush()
  assert.deepEqual(written.slice(1), [
    [
      ['a', 2],
      ['b', 3],
    ],
  ])
})
