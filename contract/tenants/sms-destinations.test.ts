import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SmsDestination } from './sms-destinations.ts'
import { DeliveryModule } from './tenant-modules.ts'

test('accepts countries, global ranges, and special types of numbers by country', () => {
  for (const written of ['FR', '+800', '+808', '+870', '+881', '+979', 'premium:GB', 'shared-cost:DE', 'uan:GB']) {
    assert.equal(SmsDestination.parse(written), written)
  }
})

test('rejects anything else with a message that names the format', () => {
  const hostile = [
    ...['', 'fr', 'FRA', 'F', ' FR', 'FR\n', 'FR,DE', '*', '.*', 'ＦＲ'],
    ...['881', '+88', '+8810', '+33', '+1', '00881', '+.81', '+881 ', '++881'],
    ...['premium', 'premium:', 'premium:gb', 'premium:+44', 'premium:GB:FR', 'Premium:GB', 'toll-free:GB', 'mobile:FR'],
    ...['premium:GB\n', 'FR|premium:GB', '__proto__:GB', `premium:${'G'.repeat(10_000)}`],
  ]
  for (const written of [...hostile, null, 881, {}, ['FR']]) {
    assert.equal(SmsDestination.safeParse(written).success, false, JSON.stringify(written))
  }
  const { error } = SmsDestination.safeParse('premium')
  assert.deepEqual(
    error?.issues.map(({ message }) => message),
    ['Give a country such as FR, a global range such as +881, or a type such as premium:GB'],
  )
})

test('accepts at most 300 destinations', () => {
  const list = (length: number) => ({ smsCountries: Array.from({ length }, () => 'FR') })
  assert.equal(DeliveryModule.safeParse(list(300)).success, true)
  assert.equal(DeliveryModule.safeParse(list(301)).success, false)
  assert.equal(DeliveryModule.safeParse({ smsCountries: 'FR' }).success, false)
})
