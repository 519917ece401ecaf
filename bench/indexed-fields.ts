import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import type { BenchOptions } from './compare.ts'
import { requestBytes } from './load.ts'
import { measureRound, medianRound, type Round } from './measure.ts'
import { spread } from './people.ts'
import { type Service, startService } from './service.ts'
import { createSignIns } from './sign-ins.ts'
import { row } from './table.ts'
import { adminKey } from './tenant.ts'

/** Few enough that publishing indexes them before it answers. */
const PROFILES = 1000

/**
 * `npm run bench -- indexed`: `PATCH /account/profile` of three fields without an index, and of three fields of which one is
 * unique and one searchable. Every update changes all three.
 */
export async function benchIndexedFields(options: BenchOptions): Promise<void> {
  await using service = await startService({ ...options, users: PROFILES, sessions: PROFILES })
  await addIndexedFields(service)
  const signIns = createSignIns(service)
  await signIns.renew()
  const next = spread(PROFILES)
  let updates = 0
  const variants = [
    { name: 'without', fields: ['field1', 'field2', 'field3'], rounds: [] as Round[] },
    { name: 'unique and searchable', fields: ['field1', 'handle', 'city'], rounds: [] as Round[] },
  ]
  for (let round = 0; round <= options.rounds; round++) {
    for (const { name, fields, rounds } of variants) {
      const request = () => {
        const values = fields.map((field) => [field, `value ${updates++}`])
        return requestBytes('PATCH', '/account/profile', signIns.headers(next()), Object.fromEntries(values))
      }
      const scenario = { name: `profile PATCH ${name}`, status: 200, prepare: async () => request, references: {} }
      const measured = await measureRound(service, scenario, request, options)
      // The first round warms up.
      if (round > 0) rounds.push(measured)
    }
  }
  console.log(`\n${options.rounds} rounds of ${options.seconds} s each, medians\n`)
  console.log(row('profile PATCH', 'updates/s', 'µs'))
  for (const { name, rounds } of variants) {
    const { requestsPerSecond, cpuMicros } = medianRound(rounds)
    console.log(row(`  ${name}`, requestsPerSecond.toFixed(0), cpuMicros.toFixed(1)))
  }
}

/** Publishes the tenant's schema again with two more fields. */
async function addIndexedFields({ baseUrl, tenant: { tenantId } }: Service): Promise<void> {
  const admin = createTenantryAdmin({ baseUrl, adminKey })
  const { version: _version, ...schema } = await admin.readProfileSchema({ tenantId })
  const { state } = await admin.publishProfileSchema(
    { tenantId },
    {
      ...schema,
      components: [
        ...schema.components,
        { name: 'handle', type: 'text', unique: true },
        { name: 'city', type: 'text', searchable: true },
      ],
    },
  )
  if (state !== 'current') throw new Error(`the schema with indexed fields is ${state}; expected current`)
}
