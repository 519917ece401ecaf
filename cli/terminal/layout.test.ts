import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from './layout.ts'

test('prints a table of more rows than a call has arguments', () => {
  const users = Array.from({ length: 200_000 }, (_, index) => ({ id: `user ${index}`, isGuest: index === 1 }))
  const lines = table(users, { ID: ({ id }) => id, GUEST: ({ isGuest }) => isGuest }, 'none').split('\n')
  assert.equal(lines.length, 200_001)
  assert.deepEqual(lines.slice(0, 3), ['ID           GUEST', 'user 0       no', 'user 1       yes'])
  assert.equal(lines.at(-1), 'user 199999  no')
})

test('aligns the columns of names that a terminal shows wider or narrower than their length', () => {
  const names = ['日本語テナント', '한국어', 'Ａ社', 'ｱｲｳ', 'e\u0301mile', '🚀', '𠮷野家', 'Demo']
  const lines = table(names, { NAME: (name) => name, END: () => '|' }, 'none').split('\n')
  assert.deepEqual(lines, [
    'NAME            END',
    '日本語テナント  |',
    '한국어          |',
    'Ａ社            |',
    'ｱｲｳ             |',
    'e\u0301mile           |',
    '🚀              |',
    '𠮷野家          |',
    'Demo            |',
  ])
})
