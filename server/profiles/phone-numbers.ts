import { createRequire } from 'node:module'

/** What libphonenumber-js offers, with its smallest set of metadata. */
type PhoneNumbers = typeof import('libphonenumber-js/min')

const require = createRequire(import.meta.url)
let loaded: PhoneNumbers | undefined

/** The phone number library, loaded by the first schema that has a phone field: it takes some 50 ms, most schemas have none. */
export function phoneNumbers(): PhoneNumbers {
  loaded ??= require('libphonenumber-js/min') as PhoneNumbers
  return loaded
}
