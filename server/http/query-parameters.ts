import { hasStrictQuery, type Operation } from '../../contract/operation.ts'
import { isParameterGroup } from '../../contract/parameter-group.ts'
import { maxIssues } from '../../contract/validation-messages.ts'
import { invalid } from '../core/service-error.ts'

type Query = Record<string, unknown>

/**
 * Reads the query of an operation as its schema expects it: groups of parameters as one member, and an empty parameter
 * outside of groups as absent, as well as a repeated one. Where the operation is strict, refuses unknown and empty
 * parameters, and leaves repeated ones as they were sent, so that their schema refuses them: without its filter a list would
 * have everything, and a change would affect everything.
 */
export function createQueryReader(operation: Operation): (given: Query) => Query {
  const { shape = {} } = operation.query ?? {}
  const names = Object.keys(shape)
  const groups = names.filter((name) => isParameterGroup(shape[name]!))
  const known = new Set(names.filter((name) => !groups.includes(name)))
  // Zod drops a member `__proto__`, so that the handler would not see it.
  const isOfGroup = (name: string) =>
    groups.some((group) => name.startsWith(`${group}.`) && name !== `${group}.__proto__`)
  const isStrict = hasStrictQuery(operation)
  return (given) => {
    if (isStrict) refuseUnusable(given, (name) => known.has(name), isOfGroup)
    if (groups.length === 0) return usable(given, isStrict)
    const entries = Object.entries(given)
    const query = usable(Object.fromEntries(entries.filter(([name]) => known.has(name))), isStrict)
    for (const group of groups) {
      const members = entries.filter(([name]) => name.startsWith(`${group}.`))
      // They stay as they were sent, so that their schema refuses repeated and empty ones.
      if (members.length > 0) query[group] = Object.fromEntries(members.map(([name, value]) => [rest(name), value]))
    }
    return query
  }
}

const rest = (name: string): string => name.slice(name.indexOf('.') + 1)

type HasName = (name: string) => boolean

function refuseUnusable(given: Query, isKnown: HasName, isOfGroup: HasName): void {
  const refused = Object.entries(given).flatMap(([name, value]) => {
    if (!isKnown(name)) return isOfGroup(name) ? [] : [[name, 'Unknown parameter']]
    return value === '' ? [[name, 'Empty parameter; send a value or leave it out']] : []
  })
  // A name may be `__proto__`, so that properties must be defined, not assigned.
  if (refused.length > 0) throw invalid(Object.fromEntries(refused.slice(0, maxIssues)))
}

function usable(query: Query, isStrict: boolean): Query {
  const isUsable = (value: unknown) => (isStrict || typeof value === 'string') && value !== ''
  return Object.fromEntries(Object.entries(query).filter(([, value]) => isUsable(value)))
}
