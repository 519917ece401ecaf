import { z } from 'zod'
import { operation } from '../operation.ts'

/** A query arrives as text. */
const days: z.ZodType<number, number | string> = z
  .string()
  .regex(/^([1-9]|[1-8]\d|90)$/)
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: 90 })

const StatisticsQuery = z.object({
  days: days.optional().describe('How many days, today included. Default: 30.'),
  timezone: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('The IANA time zone in which days begin, such as `Europe/Berlin`. Default: `UTC`.'),
})

const count = z.int().min(0)

const Totals = z.strictObject({
  users: count.describe('All users, with guests and suspended ones.'),
  guests: count,
  suspended: count,
  openSessions: count,
})

const StatisticsDay = z.strictObject({
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  signUps: count.describe('Accounts that people created; not guests, and not what operators create or import.'),
  signIns: count.describe('Sign-ins to existing accounts.'),
  codes: count.describe('One-time passwords that were issued or sent again.'),
  resets: count.describe('Passwords that were reset.'),
  messagesSent: count,
  messagesFailed: count.describe('Messages that were given up.'),
})
const Days = z.array(StatisticsDay).describe('Oldest first; days without anything have zeros.')

export const getTenantStatistics = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/statistics',
  summary: 'Read the statistics of a tenant',
  description:
    'Counts of each day, and what the tenant has now. Processes write their counts once a minute, and a killed process loses its last minute. `totals` is null until the rows of a tenant of an earlier version have been counted.',
  auth: 'admin',
  scope: 'tenants:read',
  params: z.object({ tenantId: z.string() }),
  query: StatisticsQuery,
  status: 200,
  output: z.strictObject({ totals: Totals.nullable(), days: Days }),
  errors: ['TENANT_NOT_FOUND'],
})

export const getStatistics = operation({
  method: 'GET',
  path: '/admin/statistics',
  summary: 'Read the statistics of the deployment',
  description:
    'The same for all tenants together, those deleted meanwhile included in the days. An operator bound to tenants gets the sum of those.',
  auth: 'admin',
  scope: 'tenants:read',
  reach: 'own',
  query: StatisticsQuery,
  status: 200,
  output: z.strictObject({ totals: z.strictObject({ tenants: count, ...Totals.shape }), days: Days }),
  errors: [],
})
