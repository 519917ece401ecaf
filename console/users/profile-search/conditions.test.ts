import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparisonsOf, conditionsIn, inWords, parametersOf, withoutComparison, withoutField } from './conditions.ts'

const inUrl = { q: 'a', 'profile.city.prefix': 'pa', 'profile.age.min': '18', 'profile.age.max': '30', 'profile.': '' }
const conditions = { 'city.prefix': 'pa', 'age.min': '18', 'age.max': '30' }

test('conditions stand in the URL as the API takes them, in their order', () => {
  assert.deepEqual(Object.entries(conditionsIn(inUrl)), Object.entries(conditions))
  assert.deepEqual(conditionsIn(parametersOf(conditions)), conditions)
  assert.deepEqual(conditionsIn({ 'profile.a': null, 'profile.b': 1, profile: 'x' }), { b: '1' })
})

test('both ends of a range are one comparison', () => {
  assert.deepEqual(
    comparisonsOf(conditions).map(({ field, operator }) => `${field} ${operator}`),
    ['city prefix', 'age range'],
  )
})

test('a field loses its conditions, and no other that begins with its name', () => {
  assert.deepEqual(withoutField({ ...conditions, ages: '1', age: '2' }, 'age'), { 'city.prefix': 'pa', ages: '1' })
})

test('says what a condition compares', () => {
  const words = (parameters: Record<string, string>) =>
    inWords(comparisonsOf(parameters)[0]!, 'Label', (value) => value.toUpperCase())
  assert.equal(words({ city: 'paris' }), 'Label is PARIS')
  assert.equal(words({ 'city.prefix': 'pa' }), 'Label begins with “PA”')
  assert.equal(words({ 'age.min': '18', 'age.max': '30' }), 'Label from 18 to 30')
  assert.equal(words({ 'age.min': '18' }), 'Label from 18')
  assert.equal(words({ 'age.max': '30' }), 'Label up to 30')
  assert.equal(words({ 'age.like': 'x' }), 'Label like X', 'the server refuses it')
})

test('takes one comparison away, and keeps a field with a name that every object inherits', () => {
  const conditions = { toString: 'a', 'age.min': '18', 'age.max': '30' }
  const range = comparisonsOf(conditions).find(({ field }) => field === 'age')!
  assert.deepEqual({ ...withoutComparison(conditions, range) }, { toString: 'a' })
})
