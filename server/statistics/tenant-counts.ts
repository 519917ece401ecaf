import type { Suspension } from '../accounts/restriction.ts'

/** What is counted as it happens. */
export interface Acts {
  /** Accounts that people created themselves; not guests, and not what operators create or import. */
  readonly signUps: number
  readonly signIns: number
  /** One-time passwords that were issued or sent again. */
  readonly codes: number
  /** Passwords that were reset. */
  readonly resets: number
  readonly messagesSent: number
  readonly messagesFailed: number
}

export const noActs = { signUps: 0, signIns: 0, codes: 0, resets: 0, messagesSent: 0, messagesFailed: 0 } satisfies Acts
export const actNames = Object.keys(noActs) as (keyof Acts)[]

/** What a tenant has now. */
export interface Totals {
  /** All of them: with guests and suspended users. */
  readonly users: number
  readonly guests: number
  readonly suspended: number
  readonly openSessions: number
}

/** Acts of half an hour that began at these epoch milliseconds. */
export interface HalfHour extends Acts {
  readonly at: number
}

/** Acts of a tenant in a half hour, to be added to those that are stored. */
export interface TenantHalfHour extends HalfHour {
  readonly tenantId: string
}

/** By how much a tenant's totals changed. */
export interface TotalsChange extends Totals {
  readonly tenantId: string
}

/** Totals that are to be counted again, and when that was due. */
export interface DueTotals {
  readonly tenantId: string
  /** Epoch milliseconds; changes whenever the totals change, so it tells whether they did while they were counted. */
  readonly recountAt: number
}

/** Some of a tenant's users. */
export interface CountedUsers extends Pick<Totals, 'users' | 'guests'> {
  /** Also those that have expired. */
  readonly suspensions: readonly Suspension[]
  /** The last id; null when no user follows. */
  readonly last: string | null
}

/** Some of a tenant's sessions. */
export interface CountedSessions extends Pick<Totals, 'openSessions'> {
  /** When the first of them expires unless it is refreshed; null without one. */
  readonly expiresAt: number | null
  /** The last id; null when no session follows. */
  readonly last: string | null
}

/** The counts of one tenant. */
export interface TenantCountStore {
  /** The half hours since `at` in which something happened, oldest first. */
  halfHoursSince(at: number): Promise<HalfHour[]>
  /** null until they have been counted. */
  totals(): Promise<Totals | null>
  /** Counts up to `limit` users after an id. */
  countUsers(after: string, limit: number): Promise<CountedUsers>
  /** Counts the live ones of up to `limit` sessions after an id; not those of deleted users. */
  countSessions(after: string, limit: number, now: number): Promise<CountedSessions>
}

/** The counts of all tenants. What is added counts at most once: it is lost when the result of its COMMIT is unknown. */
export interface CountDirectory {
  /** Adds what happened at tenants that still exist. */
  addActs(halfHours: readonly TenantHalfHour[]): Promise<void>
  /** Adds what happened in the deployment. */
  addOwnActs(halfHours: readonly HalfHour[]): Promise<void>
  /** Changes totals that have been counted before, and has them counted again when they rest. */
  addTotals(changes: readonly TotalsChange[], now: number): Promise<void>
  halfHoursSince(at: number): Promise<HalfHour[]>
  /** The sum of all tenants whose totals are known. */
  totals(): Promise<Totals>
  /** Has the totals of tenants counted that have none: of an earlier version. */
  addMissingTotals(): Promise<void>
  /**
   * Leases up to `limit` tenants whose totals are due until `leaseUntil`.
   * @returns them with the due time of the lease
   */
  claimDue(now: number, leaseUntil: number, limit: number): Promise<DueTotals[]>
  /**
   * Stores totals that were counted at `now`, and when they are to be counted again; false when they changed since the
   * lease, and those before were counted less than a day ago.
   */
  replaceTotals(due: DueTotals, totals: Totals, now: number, next: number): Promise<boolean>
}

/** Days begin at a half hour in every time zone but three, which are 45 minutes off: there, 15 minutes later. */
export const halfHourMs = 30 * 60_000
/** How long counts of half hours are kept. */
export const keptCountsMs = 92 * 86_400_000
