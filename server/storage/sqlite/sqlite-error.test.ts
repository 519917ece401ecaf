import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf, mayBeCommitted } from './sqlite-error.ts'

const sqliteError = (errcode: number) => Object.assign(new Error('as SQLite says it'), { errcode })

test('result codes of the disk and the lock are faults; those of constraints and SQL are not', () => {
  const kinds = {
    5: 'locked',
    261: 'locked',
    8: 'read-only',
    1032: 'read-only',
    13: 'full',
    11: 'corrupt',
    26: 'corrupt',
  }
  const io = { 778: 'I/O', 266: 'I/O', 14: 'I/O', 1034: 'fsync', 1290: 'fsync', 8458: 'corrupt' }
  for (const [code, kind] of Object.entries({ ...kinds, ...io })) {
    assert.equal(faultOf(sqliteError(Number(code)))?.kind, kind, code)
  }
  for (const code of [1, 19, 787, 2067]) assert.equal(faultOf(sqliteError(code)), null, String(code))
  assert.equal(faultOf(new Error('not of SQLite')), null)
})

test('after COMMIT a failed sync or index update leaves the outcome open, and a failed write does not', () => {
  const open = [1034, 1290, 4874, 5130]
  const certain = [778, 13, 5, 8, 11, 19]
  for (const code of open) assert.ok(mayBeCommitted(sqliteError(code)), String(code))
  for (const code of certain) assert.ok(!mayBeCommitted(sqliteError(code)), String(code))
  assert.ok(!mayBeCommitted(new Error('not of SQLite')))
})
