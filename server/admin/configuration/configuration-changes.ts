import type { z } from 'zod'
import { TenantModules } from '../../../contract/tenants/tenant-modules.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { Fact } from '../../events/event.ts'

type Changes = NonNullable<Fact['changes']>
type Change = Changes[string]
type Modules = Readonly<Record<string, unknown>>
/** What a walk needs of a schema of zod. */
interface Schema {
  readonly def: {
    readonly type: string
    readonly innerType?: Schema
    readonly shape?: Readonly<Record<string, Schema>>
    readonly options?: readonly Schema[]
    readonly element?: Schema
    readonly valueType?: Schema
    readonly values?: readonly unknown[]
  }
}

/** More paths than that are named by module and setting only: a row of the log stays small. */
const mostPaths = 200
const known = schemaOf(TenantModules).def.shape!

/**
 * The settings that differ, by their paths such as `otp.length`. Values before and after are shown of booleans, numbers and
 * closed lists of words only: any other setting may contain a secret or a name. A sender is named in place of its index.
 * @param secrets paths of secrets that differ; the modules have masks in their place
 * @returns null when nothing differs
 */
export function configurationChanges(before: Modules, after: Modules, secrets: readonly string[]): Changes | null {
  const found = new Map<string, Change>(secrets.map((path) => [path, {}]))
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined
    collect(schema, before[name], after[name], name, found)
  }
  if (found.size === 0) return null
  if (found.size <= mostPaths) return Object.fromEntries(found)
  return Object.fromEntries([...found.keys()].map((path) => [path.split('.', 2).join('.'), {}]))
}

function collect(
  given: Schema | undefined,
  before: unknown,
  after: unknown,
  path: string,
  found: Map<string, Change>,
): void {
  if (isSame(before, after)) return
  const schema = given && unwrapped(given)
  const members = schema && membersOf(schema, before, after)
  if (members === undefined) {
    found.set(path, isShown(schema) ? shown(before, after) : {})
    return
  }
  const size = found.size
  for (const { name, schema, before, after } of members) collect(schema, before, after, `${path}.${name}`, found)
  // The order of senders, or an object that came or went without members.
  if (found.size === size) found.set(path, {})
}

interface Member {
  readonly name: string
  readonly schema: Schema | undefined
  readonly before: unknown
  readonly after: unknown
}

/** The settings inside a setting; undefined when it has none. */
function membersOf({ def }: Schema, before: unknown, after: unknown): Member[] | undefined {
  const [old, now] = [membersByName(before), membersByName(after)]
  const named = (names: readonly string[], schemaFor: (name: string) => Schema | undefined) =>
    names.map((name) => ({ name, schema: schemaFor(name), before: old[name], after: now[name] }))
  const both = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  switch (def.type) {
    case 'object':
      return named(both, (name) => def.shape?.[name])
    case 'record':
      return named(both, () => def.valueType)
    case 'union': {
      const schema = def.options?.find((option) => isOfType(option, now['type'] ?? old['type']))
      return schema && membersOf(unwrapped(schema), before, after)
    }
    case 'array':
      return unwrapped(def.element!).def.type === 'union' ? named(both, () => def.element) : undefined
    default:
      return undefined
  }
}

/** The members of an object, or of a list by their own names. */
function membersByName(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {}
  if (!Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  return Object.fromEntries(value.map((item) => [String(item.name), item]))
}

const isOfType = (schema: Schema, type: unknown): boolean =>
  unwrapped(schema).def.shape?.['type']?.def.values?.includes(type) === true

const closed = new Set(['boolean', 'number', 'enum', 'literal'])

/** Whether its values may be recorded. */
function isShown(schema: Schema | undefined): boolean {
  if (schema === undefined) return false
  const { type, element } = schema.def
  return closed.has(type) || (type === 'array' && closed.has(unwrapped(element!).def.type))
}

const shown = (before: unknown, after: unknown): Change => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

/** Without `optional`, `nullable` and `default`. */
function unwrapped(schema: Schema): Schema {
  return schema.def.innerType === undefined ? schema : unwrapped(schema.def.innerType)
}

function schemaOf(schema: z.ZodType): Schema {
  return schema as unknown as Schema
}

const isSame = (before: unknown, after: unknown): boolean =>
  before === after || (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after))
