import type { ProfileSchemaInput } from '../contract/profile-schema.ts'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import type { BenchOptions } from './compare.ts'
import { measureRound, medianRound, type Round } from './measure.ts'
import { always } from './scenario.ts'
import { type Service, startService } from './service.ts'
import { row } from './table.ts'
import { adminKey } from './tenant.ts'

const FIELDS = 200

/** One tenant's schema. */
interface Variant {
  readonly name: string
  readonly key: Readonly<Record<string, string>>
  readonly bytes: number
  readonly rounds: Round[]
}

/**
 * `npm run bench -- conditions`: `GET /tenant-configuration` of two tenants with 200 fields each, one of which has a
 * condition on every field. The plain schema has descriptions that make it as large as the other.
 */
export async function benchConditions(options: BenchOptions): Promise<void> {
  await using service = await startService({ ...options, users: 10, sessions: 10 })
  const conditional = await addVariant(service, 'with conditions', conditionalSchema())
  const plain = await addVariant(service, 'without', plainSchema(conditional.bytes))
  for (let round = 0; round <= options.rounds; round++) {
    for (const variant of [plain, conditional]) {
      const scenario = {
        ...{ name: `configuration ${variant.name}`, status: 200 },
        prepare: async () => always('GET', '/tenant-configuration', variant.key),
        references: {},
      }
      const measured = await measureRound(service, scenario, await scenario.prepare(), options)
      // The first round warms up.
      if (round > 0) variant.rounds.push(measured)
    }
  }
  console.log(`\n${FIELDS} fields, ${options.rounds} rounds of ${options.seconds} s each, medians\n`)
  console.log(row('configuration', 'bytes', 'reads/s', 'µs'))
  for (const variant of [plain, conditional]) {
    const { requestsPerSecond, cpuMicros } = medianRound(variant.rounds)
    console.log(row(`  ${variant.name}`, `${variant.bytes}`, requestsPerSecond.toFixed(0), cpuMicros.toFixed(1)))
  }
}

async function addVariant({ baseUrl }: Service, name: string, schema: ProfileSchemaInput): Promise<Variant> {
  const admin = createTenantryAdmin({ baseUrl, adminKey })
  const { id: tenantId } = await admin.createTenant({ name })
  await admin.publishProfileSchema({ tenantId }, schema)
  const key = { 'x-tenant-key': (await admin.createTenantKey({ tenantId }, {})).key }
  const answer = await fetch(`${baseUrl}/tenant-configuration`, { headers: key })
  return { name, key, bytes: (await answer.arrayBuffer()).byteLength, rounds: [] }
}

const field = (index: number) => ({ name: `field${index}`, type: 'text' as const, label: `Field ${index}` })

const conditionalSchema = (): ProfileSchemaInput => ({
  components: Array.from({ length: FIELDS }, (_, index) => ({
    ...field(index),
    ...(index > 0 && {
      visibleWhen: {
        all: [
          { field: 'field0', in: ['a', 'b'] },
          { field: 'field0', set: true },
        ],
      },
    }),
  })),
})

/** The descriptions fill up to about the same size. */
function plainSchema(bytes: number): ProfileSchemaInput {
  const components = Array.from({ length: FIELDS }, (_, index) => field(index))
  const left = bytes - JSON.stringify(components).length - 100
  const description = 'x'.repeat(Math.max(1, Math.round(left / FIELDS) - ',"description":""'.length))
  return { components: components.map((component) => ({ ...component, description })) }
}
