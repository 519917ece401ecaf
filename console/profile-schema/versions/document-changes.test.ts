import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentChanges } from './document-changes.ts'

test('names what was added, removed and changed, with the members that differ', () => {
  const before = {
    components: [
      { name: 'a', type: 'text' as const, label: 'A' },
      { name: 'b', type: 'text' as const },
    ],
    presentation: [{ section: 's', fields: ['a'] }],
    forms: { signUp: { fields: ['a'] } },
  }
  const after = {
    components: [
      { name: 'a', type: 'text' as const, label: 'AA', required: true },
      { name: 'c', type: 'text' as const },
    ],
    presentation: [{ section: 's', fields: ['a', 'c'] }],
  }
  assert.deepEqual(documentChanges(before, after), [
    { kind: 'changed', what: 'field', name: 'a', members: ['label', 'required'] },
    { kind: 'removed', what: 'field', name: 'b', members: [] },
    { kind: 'added', what: 'field', name: 'c', members: [] },
    { kind: 'changed', what: 'section', name: 's', members: ['fields'] },
    { kind: 'removed', what: 'form', name: 'signUp', members: [] },
  ])
  assert.deepEqual(documentChanges(after, after), [])
})
