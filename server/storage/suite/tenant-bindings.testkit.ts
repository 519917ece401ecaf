import type { Statement } from '../statement.ts'

/** A condition that binds rows to a tenant, or a table's rows to those of another table of the same tenant. */
const bindings =
  /(?:\w+\.)?tenant_id = (?:\$\d+|\w+\.(?:tenant_id|id))|\b(?:\w+\.)?id = (?:\w+\.tenant_id|\$1(?= AND (?:\w+\.)?deleted_at))/g

/** A condition that is always true and has the same parameters, so that the statement stays valid. */
function truthOf(binding: string): string {
  const parameter = /\$\d+/.exec(binding)?.[0] ?? "'x'"
  return `CAST(${parameter} AS TEXT) = ${parameter}`
}

/** A statement without one of the conditions that bind it to a tenant. */
export interface UnboundStatement {
  readonly name: string
  /** The removed condition. */
  readonly binding: string
  readonly sql: string
}

/** Every statement without one of its bindings, for each binding. */
export function* eachUnbound(statements: readonly Statement[]): Generator<UnboundStatement> {
  for (const { name, sql } of statements) {
    for (const [index, match] of Array.from(sql.matchAll(bindings)).entries()) {
      const unbound = sql.slice(0, match.index) + truthOf(match[0]) + sql.slice(match.index + match[0].length)
      yield { name, binding: `${index + 1}. ${match[0]}`, sql: unbound }
    }
  }
}

/** The SQL of a statement without its bindings. */
export const withoutBindings = (sql: string): string => sql.replaceAll(bindings, truthOf)
