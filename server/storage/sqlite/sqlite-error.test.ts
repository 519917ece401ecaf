import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf, mayBeCommitted } from './sqlite-error.ts'

const sqliteError = (errcode: number) => Object.assign(new Error('an error of SQLite'), { errcode })

test('result codes about the disk and locks are faults; those about constraints and SQL are not', () => {
  const kinds = {
    5: 'locked',
    261: 'locked',
    8: 'read-only',
    1032: 'read-only',
    13: 'full',
    4874: 'full',
    11: 'corrupt',
    26: 'corrupt',
  }
  const io = { 778: 'I/O', 266: 'I/O', 14: 'I/O', 1034: 'fsync', 1290: 'fsync', 8458: 'corrupt' }
  for (const [code, kind] of Object.entries({ ...kinds, ...io })) {
    assert.equal(faultOf(sqliteError(Number(code)))?.kind, kind, code)
  }
  for (const code of [1, 19, 787, 2067]) assert.equal(faultOf(sqliteError(code)), null, String(code))
  assert.equal(faultOf(new Error('another error')), null)
})

test('a COMMIT that failed to sync or update the index may be committed; one that failed to write is not', () => {
  const unknown = [1034, 1290, 4874, 5130]
  const certain = [778, 13, 5, 8, 11, 19]
  for (const code of unknown) assert.ok(mayBeCommitted(sqliteError(code)), String(code))
  for (const code of certain) assert.ok(!mayBeCommitted(sqliteError(code)), String(code))
  assert.ok(!mayBeCommitted(new Error('another error')))
})
