import { randomBytes } from 'node:crypto'

/** One entry of `TENANTRY_MASTER_KEYS`: an id and 32 bytes. */
export interface MasterKey {
  id: string
  key: Buffer
}

const KEY_BYTES = 32
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const HOW_TO_MAKE_ONE = 'Make one with: openssl rand -base64 32'

/** Names the entry by position and id, and never repeats the key. */
function refuse(entry: string, problem: string, remedy: string): never {
  throw new Error(`TENANTRY_MASTER_KEYS: ${entry} ${problem}. ${remedy}`)
}

function parseEntry(text: string, place: number): MasterKey {
  const colon = text.indexOf(':')
  const nth = `entry ${place}`
  if (text === '') refuse(nth, 'is empty', 'Remove the comma that makes it, or write kid:base64')
  if (colon < 0) refuse(nth, 'has no colon', 'Write kid:base64, for example k1:… with 32 random bytes in base64')
  const id = text.slice(0, colon).trim()
  if (!KEY_ID.test(id)) refuse(nth, 'has an id that is not 1 to 32 letters, digits, - or _', 'Write it like k1:…')
  const named = `${nth} ("${id}")`
  const encoded = text.slice(colon + 1).trim()
  if (!BASE64.test(encoded)) refuse(named, 'has a key that is not base64', HOW_TO_MAKE_ONE)
  const key = Buffer.from(encoded, 'base64')
  if (key.length !== KEY_BYTES)
    refuse(named, `has a key of ${key.length} bytes; ${KEY_BYTES} are needed`, HOW_TO_MAKE_ONE)
  return { id, key }
}

/**
 * Reads `kid:base64,kid:base64`: 32 bytes each, base64 or base64url, the current key first, white space around entries
 * ignored. Throws an Error that says which entry is invalid, why, and what to do.
 */
export function parseMasterKeys(text: string): MasterKey[] {
  if (text.trim() === '') throw new Error(`TENANTRY_MASTER_KEYS is empty; it needs kid:base64. ${HOW_TO_MAKE_ONE}`)
  const keys = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1))
  const places = new Map<string, number>()
  keys.forEach(({ id }, index) => {
    const earlier = places.get(id)
    if (earlier) refuse(`entry ${index + 1} ("${id}")`, `has the id of entry ${earlier}`, 'Give each key a unique id')
    places.set(id, index + 1)
  })
  return keys
}

/**
 * A `TENANTRY_MASTER_KEYS` text with one new key. Its id is the day of `now` (epoch milliseconds, UTC) with a random part, so
 * that no id returns with other bytes, even after its key was removed: `k20260131-5d0c91ab:…`.
 */
export function generateMasterKeys(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '')
  return `k${day}-${randomBytes(4).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}`
}
