import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionAfter } from './version-after.ts'

const today = '2026-11-23'
const afterOf = (current: string, ...taken: string[]) => versionAfter(current, taken, today)

test('leaves numbers to the server', () => {
  assert.equal(afterOf('1'), undefined)
  assert.equal(afterOf('42'), undefined)
})

test('counts a name up at its end', () => {
  assert.deepEqual(
    [afterOf('v9'), afterOf('1.2.3'), afterOf('r099'), afterOf('spring')],
    ['v10', '1.2.4', 'r100', 'spring-2'],
  )
  assert.equal(afterOf('v9', 'v10', 'v11'), 'v12')
})

test('names dates by today, and revisions of the same day by their number', () => {
  assert.deepEqual(
    [afterOf('2026-10'), afterOf('2026-11'), afterOf('2026-01-r2')],
    ['2026-11', '2026-11-r2', '2026-11'],
  )
  assert.deepEqual(
    [afterOf('2026-11-22'), afterOf('2026-11-23'), afterOf('2026-11-23-r2')],
    ['2026-11-23', '2026-11-23-r2', '2026-11-23-r3'],
  )
  assert.equal(afterOf('2026-11', '2026-11-r2'), '2026-11-r3')
  assert.equal(afterOf('2027-01-05'), '2027-01-05-r2')
})
