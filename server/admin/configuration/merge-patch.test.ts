import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergePatch } from './merge-patch.ts'

test('passes every example of RFC 7396, appendix A', () => {
  for (const [target, patch, result] of [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]) {
    assert.deepEqual(mergePatch(target, patch), result)
  }
})

test('changes neither the target nor the patch', () => {
  const target = { a: { b: 1 }, c: [1] }
  const patch = { a: { b: null, d: { e: 1 } }, c: null }
  mergePatch(target, patch)
  assert.deepEqual(target, { a: { b: 1 }, c: [1] })
  assert.deepEqual(patch, { a: { b: null, d: { e: 1 } }, c: null })
})

test('does not change a prototype by a member named __proto__ or constructor', () => {
  const patch = JSON.parse('{"__proto__": {"polluted": 1}, "a": {"constructor": {"prototype": {"polluted": 1}}}}')
  const merged = mergePatch(mergePatch({}, patch), patch) as object
  assert.equal(Object.getPrototypeOf(merged), Object.prototype)
  assert.ok(Object.hasOwn(merged, '__proto__'))
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.equal((merged as Record<string, unknown>)['polluted'], undefined)
  assert.deepEqual(mergePatch({ toString: 1 }, { toString: null }), {})
  assert.deepEqual(mergePatch({}, { valueOf: { a: 1 } }), { valueOf: { a: 1 } })
})

test('changes nothing by applying any patch again, or an empty patch', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = mergePatch(target, patch)
      assert.deepEqual(mergePatch(once, patch), once)
      assert.deepEqual(
        mergePatch(target, {}),
        typeof target === 'object' && target && !Array.isArray(target) ? target : {},
      )
    }),
  )
})
