import { z } from 'zod'
import * as account from '../../../contract/accounts/account.ts'
import * as activity from '../../../contract/accounts/activity.ts'
import * as otp from '../../../contract/accounts/otp.ts'
import * as passwordReset from '../../../contract/accounts/password-reset.ts'
import * as profile from '../../../contract/accounts/profile.ts'
import * as signIn from '../../../contract/accounts/sign-in.ts'
import * as user from '../../../contract/accounts/user.ts'
import * as adminEvents from '../../../contract/admin/events.ts'
import * as importedPassword from '../../../contract/admin/imported-password.ts'
import * as keys from '../../../contract/admin/keys.ts'
import * as messages from '../../../contract/admin/messages.ts'
import * as tenants from '../../../contract/admin/tenants.ts'
import * as userLines from '../../../contract/admin/user-lines.ts'
import * as emailAddress from '../../../contract/email-address.ts'
import * as envelope from '../../../contract/envelope.ts'
import * as events from '../../../contract/events.ts'
import * as failure from '../../../contract/failure.ts'
import * as fieldDetail from '../../../contract/field-detail.ts'
import * as phoneNumber from '../../../contract/phone-number.ts'
import * as profileSchema from '../../../contract/profile-schema.ts'
import * as system from '../../../contract/system.ts'
import * as capabilities from '../../../contract/tenants/capabilities.ts'
import * as configuration from '../../../contract/tenants/tenant-configuration.ts'
import * as modules from '../../../contract/tenants/tenant-modules.ts'

/** A JSON Schema (2020-12) or another object of the document. */
export type JsonObject = { [key: string]: unknown }

/** Whether a schema describes a request or an answer. */
type Direction = 'input' | 'output'

/** Converts Zod schemas to JSON Schemas. Every schema that the contract exports becomes a component with its name. */
export interface SchemaCollection {
  /** Convert all outputs before any input: when both differ, the output has the plain name. */
  convert(schema: z.ZodType, direction: Direction): JsonObject
  /** `components.schemas`: the schemas referenced so far, by name. */
  components(): JsonObject
}

const exported = {
  ...importedPassword,
  ...userLines,
  ...user,
  ...signIn,
  ...account,
  ...activity,
  ...adminEvents,
  ...events,
  ...keys,
  ...messages,
  ...tenants,
  ...capabilities,
  ...emailAddress,
  ...envelope,
  ...failure,
  ...fieldDetail,
  ...otp,
  ...passwordReset,
  ...phoneNumber,
  ...profileSchema,
  ...profile,
  ...system,
  ...configuration,
  ...modules,
}

const named = new Map<string, z.ZodType>()
for (const [name, value] of Object.entries<unknown>(exported)) {
  if (value instanceof z.ZodType) named.set(name[0]!.toUpperCase() + name.slice(1), value)
}
const names = new Map<unknown, string>([...named].map(([name, schema]) => [schema, name]))

/** Values that the docs page fills in. */
const examples: Readonly<Record<string, string>> = {
  EmailAddress: 'ada@example.com',
  Locale: 'fr',
  NewPassword: 'correct horse battery',
  PhoneNumber: '+33612345678',
  Timestamp: '2026-01-31T12:00:00.000Z',
}

/** Zod's metadata of each schema (descriptions), and the names of the contract. */
const metadata = z.registry<z.core.GlobalMeta>()
metadata.get = (schema) => {
  const known = z.globalRegistry.get(schema)
  const id = names.get(schema)
  return (id === undefined ? known : { ...known, id }) as never
}

/** A new, empty collection. */
export function createSchemaCollection(): SchemaCollection {
  const components = new Map<string, JsonObject>()
  const goingOut = new Set<string>()
  const directed = new Map<string, boolean>()

  /** A schema whose input differs from its output gets a second name, unless it is never an output. */
  const nameFor = (name: string, direction: Direction): string => {
    if (direction === 'output' || !goingOut.has(name)) return name
    if (!directed.has(name)) directed.set(name, isDirected(name))
    return directed.get(name) ? `${name}Input` : name
  }

  return {
    convert(schema, direction) {
      const { $schema, $defs = {}, ...json } = toJsonSchema(schema, direction)
      const refer = (value: object) => withReferences(value, (name) => nameFor(name, direction))
      for (const [name, definition] of Object.entries($defs)) {
        if (direction === 'output') goingOut.add(name)
        components.set(nameFor(name, direction), refer(definition))
      }
      return refer(json)
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Whether a schema of the contract, with its references, differs between input and output. */
function isDirected(name: string): boolean {
  const schema = named.get(name)!
  return JSON.stringify(toJsonSchema(schema, 'input')) !== JSON.stringify(toJsonSchema(schema, 'output'))
}

function toJsonSchema(schema: z.ZodType, io: Direction) {
  return z.toJSONSchema(schema, {
    io,
    metadata,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      tidy(jsonSchema, io)
      const example = examples[names.get(zodSchema) ?? '']
      if (example !== undefined) jsonSchema.examples = [example]
      if (zodSchema instanceof z.ZodDiscriminatedUnion) entitle(jsonSchema, zodSchema.def)
    },
  })
}

/** Removes keywords that Zod adds for validators only. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  if (schema.format === 'date-time' || schema.type === 'integer') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
  if (JSON.stringify(schema.additionalProperties) === '{}') schema.additionalProperties = true
  // Answers may get more fields, and clients ignore unknown ones; request bodies are as strict as declared.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
}

/** The members of a union by their discriminator's value: `challenge`, `confirm`. */
function entitle(
  { oneOf = [] }: z.core.JSONSchema.BaseSchema,
  { discriminator, options }: z.core.$ZodDiscriminatedUnionDef,
): void {
  for (const [index, choice] of oneOf.entries()) {
    choice.title = [...(options[index]?._zod.propValues?.[discriminator] ?? [])].join(', ')
  }
}

function withReferences(value: object, nameOf: (name: string) => string): JsonObject {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    if (key !== '$ref' || typeof inner !== 'string') return inner
    return `#/components/schemas/${nameOf(inner.replace('#/$defs/', ''))}`
  })
}
