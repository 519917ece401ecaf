import { type BudgetName, budgets, type LimitName, limits, type ShareName, shares } from '../../contract/limits.ts'
import type { Quota } from './rate-limiter.ts'

/** Every limit, budget and share (in percent) by name, as this deployment has set it. */
export type LimitSettings = Readonly<Record<LimitName | BudgetName, Quota | 'off'> & Record<ShareName, number | 'off'>>

type Name = LimitName | BudgetName | ShareName

const DEFAULTS: Readonly<Record<Name, string>> = { ...limits, ...budgets, ...shares }
const KNOWN_NAMES = Object.keys(DEFAULTS) as Name[]

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const LONGEST_WINDOW = 31 * SECONDS.d
const LARGEST_QUOTA = 1_000_000
const WRITTEN_QUOTA = /^([0-9]{1,9})\/([0-9]{1,9})?([smhd])$/

/** `30/h` or `10/15m` as a quota; null when it is malformed or out of range. */
function parseQuota(text: string): Quota | null {
  const written = WRITTEN_QUOTA.exec(text)
  if (!written) return null
  const quota = Number(written[1])
  const windowSeconds = Number(written[2] ?? 1) * SECONDS[written[3] as keyof typeof SECONDS]
  const isInRange = quota >= 1 && quota <= LARGEST_QUOTA && windowSeconds >= 1 && windowSeconds <= LONGEST_WINDOW
  return isInRange ? { quota, windowSeconds } : null
}

/** Limits as they are set: `30/h`, `10/15m`, `10%` or `off`. */
export const writtenLimits = (limits: LimitSettings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [
      name,
      limit === 'off' ? 'off' : typeof limit === 'number' ? `${limit}%` : writtenQuota(limit),
    ]),
  )

function writtenQuota({ quota, windowSeconds }: Quota): string {
  const [unit, seconds] = Object.entries(SECONDS).findLast(([, seconds]) => windowSeconds % seconds === 0)!
  const count = windowSeconds / seconds
  return `${quota}/${count === 1 ? '' : count}${unit}`
}

const WRITTEN_SHARE = /^(100|[1-9][0-9]?)%$/

/** `10%` as 10; null for anything but an integer from 1 to 100. */
function parseShare(text: string): number | null {
  const written = WRITTEN_SHARE.exec(text)
  return written ? Number(written[1]) : null
}

const isShare = (name: Name): name is ShareName => Object.hasOwn(shares, name)

function isKnown(name: string): name is Name {
  return Object.hasOwn(DEFAULTS, name)
}

/** The problem with an entry; null when it is valid. */
function problemOf(name: string, value: string | undefined, seen: ReadonlyMap<string, unknown>): string | null {
  if (value === undefined) return `"${name}" has no value; use the form resend=30/h`
  if (seen.has(name)) return `"${name}" is set twice`
  if (name === 'all') return value === 'off' ? null : `"all" can only be off, not "${value}"`
  if (!isKnown(name)) return `unknown limit "${name}"`
  if (value === 'off') return null
  if (isShare(name)) {
    return parseShare(value) === null ? `${name}="${value}" is neither off nor a percentage from 1% to 100%` : null
  }
  const quota = parseQuota(value)
  if (name === 'sms-prefix-pause' && quota && quota.quota !== 1) {
    return `${name}="${value}" must be one per period, like 1/h or 1/30m`
  }
  if (quota) return null
  return `${name}="${value}" is neither off nor 1 to ${LARGEST_QUOTA} requests per period of up to 31 days, like 30/h or 10/15m (s, m, h, d)`
}

/**
 * Reads `TENANTRY_LIMITS`: `resend=30/h,verify=off,failed-passwords=10/15m`, over the defaults of `contract/limits.ts`.
 * A share is a percentage: `sms-prefix-verified=10%`. `all=off` turns off all that are not named.
 * @throws Error with the problem of each invalid entry and the known names
 */
export function parseLimits(text: string | undefined): LimitSettings {
  const given = new Map<string, string>()
  const problems: string[] = []
  for (const entry of (text ?? '').split(',')) {
    if (entry.trim() === '') continue
    const [name = '', value, ...more] = entry.split('=').map((part) => part.trim())
    const problem = problemOf(name, more.length > 0 ? [value, ...more].join('=') : value, given)
    if (problem) problems.push(problem)
    else given.set(name, value!)
  }
  if (problems.length > 0) {
    throw new Error(`TENANTRY_LIMITS: ${problems.join('; ')}. The limits are: ${KNOWN_NAMES.join(', ')}, and all=off`)
  }
  const setting = (name: Name): Quota | number | 'off' => {
    const value = given.get(name) ?? given.get('all') ?? DEFAULTS[name]
    const parsed = isShare(name) ? parseShare(value) : parseQuota(value)
    if (parsed === null && value !== 'off') throw new Error(`contract/limits.ts: ${name} is "${value}"`)
    return parsed ?? 'off'
  }
  return Object.fromEntries(KNOWN_NAMES.map((name) => [name, setting(name)])) as unknown as LimitSettings
}
