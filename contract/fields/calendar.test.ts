import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ageInYears, readDate, readDatetime, readMonth, readTime, readWeek } from './calendar.ts'

test('reads every day from 0001 to 9999, in order', () => {
  const day = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(day, day, (one, other) => {
      const [first, second] = [one, other].map((date) => date.toISOString().slice(0, 10)) as [string, string]
      assert.equal(Math.sign(readDate(first)! - readDate(second)!), first < second ? -1 : first > second ? 1 : 0)
    }),
  )
})

test('reads only YYYY-MM-DD with a day of the calendar as a date', () => {
  for (const right of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '2025-04-30']) {
    assert.notEqual(readDate(right), undefined, right)
  }
  const wrong = ['', '2024-02-30', '2023-02-29', '1900-02-29', '2025-04-31', '2025-13-01', '2025-00-10', '2025-01-00']
  wrong.push(
    '20240101',
    '0000-01-01',
    '+275760-09-14',
    '2024-1-1',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-0１',
  )
  for (const text of wrong) assert.equal(readDate(text), undefined, text)
})

test('reads a datetime as the same instant as Date', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      (instant) => {
        assert.equal(readDatetime(instant.toISOString()), instant.getTime())
      },
    ),
  )
  assert.equal(readDatetime('2024-06-01T12:00:00+05:30'), Date.parse('2024-06-01T12:00:00+05:30'))
  assert.equal(readDatetime('2024-06-01T12:00:00.25-11:45'), Date.parse('2024-06-01T12:00:00.250-11:45'))
})

test('requires seconds and an offset in a datetime, and rejects leap seconds', () => {
  const wrong = [
    '',
    '2024-06-01',
    '2024-06-01T12:00Z',
    '2024-06-01T12:00:00',
    '2024-06-01 12:00:00Z',
    '2024-06-01t12:00:00z',
  ]
  wrong.push('2016-12-31T23:59:60Z', '2024-06-01T24:00:00Z', '2024-06-01T12:60:00Z', '2024-06-01T12:00:00.Z')
  wrong.push(
    '2024-06-01T12:00:00+24:00',
    '2024-06-01T12:00:00+0530',
    '2024-06-01T12:00:00.1234567890Z',
    '2024-02-30T12:00:00Z',
  )
  wrong.push(
    '2024-06-01T12:00:00ZZ',
    '2024-06-01T12:00:00Z+01:00',
    '2024-06-01T12:00:00+',
    '2024-06-01TZ',
    'Z',
    '+00:00',
  )
  for (const text of wrong) assert.equal(readDatetime(text), undefined, text)
})

test('reads YYYY-MM as a month', () => {
  assert.equal(readMonth('2024-02'), 202_402)
  assert.ok(readMonth('0001-01')! < readMonth('9999-12')!)
  for (const wrong of [
    '',
    '2024',
    '2024-2',
    '2024-00',
    '2024-13',
    '0000-01',
    '2024-02-01',
    '2024/02',
    ' 024-02',
    '-024-02',
  ])
    assert.equal(readMonth(wrong), undefined, wrong)
})

test('reads YYYY-Www as a week that its year has', () => {
  assert.equal(readWeek('2024-W02'), 202_402)
  for (const wrong of [
    '',
    '2024-W2',
    '2024-w02',
    '2024W02',
    '2024-W00',
    '2024-W54',
    '0000-W01',
    '2024-W02-1',
    '2024-W0x',
  ])
    assert.equal(readWeek(wrong), undefined, wrong)
  // The last week of a year is the one of 28 December.
  for (let year = 1; year <= 9999; year++) {
    const day = new Date(0)
    day.setUTCFullYear(year, 11, 28)
    const thursday = day.getTime() + (4 - (day.getUTCDay() || 7)) * 86_400_000
    const newYear = new Date(0).setUTCFullYear(year, 0, 1)
    const weeks = Math.floor((thursday - newYear) / (7 * 86_400_000)) + 1
    const text = `${String(year).padStart(4, '0')}-W53`
    assert.equal(readWeek(text) !== undefined, weeks === 53, text)
  }
})

test('reads HH:MM and HH:MM:SS with a fraction as a time', () => {
  assert.equal(readTime('09:30'), 34_200_000)
  assert.equal(readTime('23:59:59.999'), 86_399_999)
  assert.equal(readTime('00:00:00.000000001'), 0.000001)
  for (const wrong of ['', '9:30', '24:00', '12:60', '12:00:60', '12:00:', '12:00:00.', '12:00:0', '12:00Z', '-1:00']) {
    assert.equal(readTime(wrong), undefined, wrong)
  }
})

test('increases an age on the birthday in UTC, on 1 March for 29 February', () => {
  const age = (birth: string, now: string) => ageInYears(readDate(birth)!, Date.parse(now))
  assert.equal(age('2012-11-21', '2025-11-20T23:59:59.999Z'), 12)
  assert.equal(age('2012-11-21', '2025-11-21T00:00:00Z'), 13)
  assert.equal(age('2012-02-29', '2025-02-28T12:00:00Z'), 12)
  assert.equal(age('2012-02-29', '2025-03-01T00:00:00Z'), 13)
  assert.equal(age('2025-11-22', '2025-11-21T12:00:00Z'), -1)
  assert.equal(age('2024-12-31', '2025-01-01T00:00:00Z'), 0)
})
