import { createRequire } from 'node:module'
import type Bowser from 'bowser'
import { LruCache } from '../core/lru-cache.ts'

/** Browsers of a service's users repeat, and parsing takes longer than the rest of an event. */
const known = new LruCache<string | null>(1_000)
const longest = 512

let parser: typeof Bowser | undefined
/** Loaded with the first event of a browser: a process that records none needs no parser. */
const load = (): typeof Bowser => createRequire(import.meta.url)('bowser') as typeof Bowser

/**
 * Browser and system of a `User-Agent`, such as `Chrome 142 on macOS`; for other clients their name and version, such as
 * `okhttp 5.1`. Null when the header is absent or tells neither.
 */
export function describeUserAgent(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === '') return null
  const text = userAgent.slice(0, longest)
  const cached = known.peek(text)
  if (cached !== undefined) return cached
  const described = describe(text)
  known.set(text, described)
  return described
}

function describe(text: string): string | null {
  parser ??= load()
  const { browser, os } = parser.parse(text)
  const major = browser.version?.split('.')[0]
  if (!browser.name || !os.name) return productOf(text)
  return `${browser.name}${major ? ` ${major}` : ''} on ${os.name}`
}

/** The first product of a client that is not a browser (RFC 9110 10.1.5), such as `okhttp/5.1.0`. */
function productOf(text: string): string | null {
  const [, name, major] = /^([A-Za-z][\w.-]{0,39})(?:\/(\d{1,5}(?:\.\d{1,5})?))?/.exec(text) ?? []
  if (name === undefined || name === 'Mozilla') return null
  return major === undefined ? name : `${name} ${major}`
}
