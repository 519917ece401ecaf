import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { normalisePhone } from '../../contract/phone-number.ts'
import { readConfiguration } from '../tenants/tenant-configuration.ts'
import { destinationProblem } from './sms-destination.ts'

const problem = (phone: string, smsCountries?: string[]) => {
  assert.equal(normalisePhone(phone), phone, `${phone} is not a number that requests can name`)
  const configuration = readConfiguration({ delivery: smsCountries === undefined ? {} : { smsCountries } })
  assert.deepEqual(configuration.delivery.smsCountries, smsCountries)
  return destinationProblem('sms', phone, { configuration })
}

const country = 'SMS to this country are not allowed'
const type = 'SMS to this type of number are not allowed'

const ordinary: [phone: string, listed: string][] = [
  ['+33612345678', 'FR'],
  ['+33142345678', 'FR'],
  ['+12025550123', 'US'],
  ['+14165550123', 'CA'],
  ['+447400123456', 'GB'],
  ['+447781123456', 'GG'],
  ['+4915123456789', 'DE'],
  ['+77012345678', 'KZ'],
  ['+2901234', 'SH'],
]

for (const [phone, listed] of ordinary) {
  test(`allows ${phone} unless a list leaves ${listed} out`, () => {
    assert.equal(problem(phone), null)
    assert.equal(problem(phone, [listed]), null)
    assert.equal(problem(phone, []), country)
    assert.equal(problem(phone, ['JP', `premium:${listed}`, '+881']), country)
  })
}

const special: [phone: string, listed: string, country: string | null][] = [
  ['+870773111632', '+870', null],
  ['+878101234567890', '+878', null],
  ['+881612345678', '+881', null],
  ['+88216123456', '+882', null],
  ['+882991234567', '+882', null],
  ['+883510001234567', '+883', null],
  ['+88812345678901', '+888', null],
  ['+979123456789', '+979', null],
  ['+80012345678', '+800', null],
  ['+80812345678', '+808', null],
  ['+19005550123', 'premium:US', 'US'],
  ['+33899123456', 'premium:FR', 'FR'],
  ['+41900123456', 'premium:CH', 'CH'],
  ['+449012345678', 'premium:GB', 'GB'],
  ['+39899123456', 'premium:IT', 'IT'],
  ['+33810123456', 'shared-cost:FR', 'FR'],
  ['+491805123456', 'shared-cost:DE', 'DE'],
  ['+445512345678', 'uan:GB', 'GB'],
  ['+447012345678', 'personal:GB', 'GB'],
  ['+4970012345678', 'personal:DE', 'DE'],
  ['+15002345678', 'personal:US', 'US'],
  ['+41860791234567', 'voicemail:CH', 'CH'],
]

for (const [phone, listed, home] of special) {
  test(`refuses ${phone} unless ${listed} is listed`, () => {
    assert.equal(problem(phone), type)
    assert.equal(problem(phone, []), type)
    const others = ['premium:JP', '+881', '+979', 'voicemail:GB'].filter((one) => one !== listed)
    assert.equal(problem(phone, [...others, ...(home === null ? [] : [home])]), type)
    assert.equal(problem(phone, [listed]), null)
    assert.equal(problem(phone, ['JP', listed, '+882']), null)
  })
}

test('refuses a premium number with further digits', () => {
  assert.equal(problem('+49900112345678'), type)
  assert.equal(problem('+4990011234567890'.slice(0, 16)), type)
  assert.equal(problem('+49900112345678', ['DE']), type)
})

test('allows numbers of ranges that the library does not know', () => {
  assert.equal(problem('+14005551234'), null)
  assert.equal(problem('+14005551234', ['US']), null)
})

test('allows every e-mail address', () => {
  const configuration = readConfiguration({ delivery: { smsCountries: [] } })
  assert.equal(destinationProblem('email', 'jane@example.com', { configuration }), null)
})

test('loads the complete metadata with the first SMS, not for e-mail', () => {
  const script = `
    const { destinationProblem } = await import(${JSON.stringify(new URL('./sms-destination.ts', import.meta.url).href)})
    const { default: { _cache } } = await import('node:module')
    const loaded = () => Object.keys(_cache).some((path) => path.includes('libphonenumber-js'))
    const steps = [loaded()]
    const tenant = { configuration: { delivery: {} } }
    destinationProblem('email', 'jane@example.com', tenant)
    steps.push(loaded())
    destinationProblem('sms', '+33612345678', tenant)
    process.stdout.write([...steps, loaded()].join(' '))`
  assert.equal(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    'false false true',
  )
})
