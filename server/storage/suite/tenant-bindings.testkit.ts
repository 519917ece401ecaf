import type { Statement } from '../statement.ts'

/** A condition that binds rows to a tenant, or a table's rows to those of another table of the same tenant. */
const bindings =
  /(?:\w+\.)?tenant_id = (?:\$\d+|\w+\.(?:tenant_id|id))|\b(?:\w+\.)?id = (?:\w+\.tenant_id|\$1(?= AND (?:\w+\.)?deleted_at))/g

/** A condition that always holds and has the same parameters, so that what fails fails by what it finds. */
function truthOf(binding: string): string {
  const parameter = /\$\d+/.exec(binding)?.[0] ?? "'x'"
  return `CAST(${parameter} AS TEXT) = ${parameter}`
}

/** A statement without one of the conditions that bind it to a tenant. */
export interface UnboundStatement {
  readonly name: string
  /** Which condition is gone. */
  readonly binding: string
  readonly sql: string
}

/** Every statement with one of its bindings removed, each in turn. */
export function* eachUnbound(statements: readonly Statement[]): Generator<UnboundStatement> {
  for (const { name, sql } of statements) {
    for (const [index, match] of Array.from(sql.matchAll(bindings)).entries()) {
      const unbound = sql.slice(0, match.index) + truthOf(match[0]) + sql.slice(match.index + match[0].length)
      yield { name, binding: `${index + 1}. ${match[0]}`, sql: unbound }
    }
  }
}

/** A statement's SQL without any of its bindings. */
export const withoutBindings = (sql: string): string => sql.replaceAll(bindings, truthOf)
