import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAll, judgeOf, REFUSED } from './schema.testkit.ts'

test('rejects a date that is not in the calendar (threat E02)', () => {
  assertAll({ type: 'date' }, null, ['2024-02-29', '1990-01-01'])
  assertAll({ type: 'date' }, 'Invalid date format', [
    '2024-02-30',
    '20240101',
    '+275760-09-14',
    'yesterday',
    '2024-01-01T00:00:00Z',
  ])
  assertAll({ type: 'datetime' }, null, ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.5+02:00'])
  assertAll({ type: 'datetime' }, 'Invalid date format', ['2024-02-29', '2024-02-29T12:00:00'])
  assertAll({ type: 'time' }, null, ['12:00', '12:00:00.5'])
  assertAll({ type: 'time' }, 'Invalid date format', ['noon', '25:00'])
})

test('accepts months, and weeks that the year has', () => {
  assertAll({ type: 'month' }, null, ['2024-02', '0001-12'])
  assertAll({ type: 'month' }, 'Invalid date format', ['', '2024-13', '2024-02-01', '2024-2', 'May 2024'])
  assertAll({ type: 'week' }, null, ['2020-W53', '2024-W01'])
  assertAll({ type: 'week' }, 'Invalid date format', ['', '2021-W53', '2024-W00', '2024-W1', '2024-01'])
  for (const type of ['month', 'week'] as const) {
    assertAll({ type }, 'Expected string, received number', [202_402])
    assertAll({ type }, 'Invalid string', ['2024-02\0', '\ud800'])
  }
})

test('includes min and max of months and weeks', () => {
  assertAll({ type: 'month', rules: { min: '2024-02', max: '2024-11' } }, null, ['2024-02', '2024-11'])
  assertAll({ type: 'month', rules: { min: '2024-02', max: '2024-11' } }, REFUSED, ['2024-01', '2025-02'])
  assertAll({ type: 'week', rules: { min: '2020-W53' } }, null, ['2020-W53', '2021-W01'])
  assertAll({ type: 'week', rules: { min: '2020-W53' } }, REFUSED, ['2020-W52'])
})

test('includes min and max in the range', () => {
  assertAll({ type: 'date', rules: { min: '2000-01-01', max: '2000-12-31' } }, null, ['2000-01-01', '2000-12-31'])
  assertAll({ type: 'date', rules: { min: '2000-01-01', max: '2000-12-31' } }, REFUSED, ['1999-12-31', '2001-01-01'])
  assertAll({ type: 'time', rules: { min: '09:00' } }, null, ['09:00', '09:00:00.000'])
  assertAll({ type: 'time', rules: { min: '09:00' } }, REFUSED, ['08:59:59.999999999'])
})

test('compares datetimes as instants, whatever their offsets', () => {
  const component = { type: 'datetime', rules: { min: '2024-06-01T12:00:00Z' } } as const
  assertAll(component, null, ['2024-06-01T14:00:00+02:00', '2024-06-01T07:00:00-05:00'])
  assertAll(component, REFUSED, ['2024-06-01T13:59:59+02:00', '2024-06-01T12:00:00+00:01'])
})

test('counts minAge and maxAge in whole years to the current day', () => {
  const judge = judgeOf({ type: 'date', rules: { minAge: 13, maxAge: 120 } })
  const birthday = Date.UTC(2025, 10, 21)
  assert.equal(judge('2012-11-21', birthday), null)
  assert.equal(judge('2012-11-21', birthday - 1), REFUSED)
  assert.equal(judge('1904-11-22', birthday), null)
  assert.equal(judge('1904-11-21', birthday), REFUSED)
  assertAll({ type: 'date', rules: { maxAge: 120 } }, null, ['1904-11-22', '2025-11-22'])
  assertAll({ type: 'date', rules: { maxAge: 120 } }, REFUSED, ['1904-11-21'])
  assertAll({ type: 'date', rules: { min: '2000-01-01', minAge: 13 } }, REFUSED, ['1999-12-31', '2012-11-22'])
})

test('rejects future days with minAge 0', () => {
  assertAll({ type: 'date', rules: { minAge: 0 } }, REFUSED, ['2025-11-22'])
  assertAll({ type: 'date', rules: { minAge: 0 } }, null, ['2025-11-21'])
})
