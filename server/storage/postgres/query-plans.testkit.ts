import { registeredStatements } from '../statement.ts'
import type { PostgresForTests } from './postgres.testkit.ts'

interface Plan {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** The plan of a statement: for these parameters, and for any, which a connection uses after some executions. */
export async function plansOf(
  postgres: Pick<PostgresForTests, 'execute'>,
  name: string,
  parameters: readonly (string | number)[],
): Promise<Plan[]> {
  const { sql } = registeredStatements().find((one) => one.name === name)!
  const types = parameters.map((value) => (typeof value === 'number' ? 'bigint' : 'text')).join(', ')
  const values = parameters.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')
  const plans: Plan[] = []
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    const [row] = await postgres.execute(
      `SET plan_cache_mode = ${mode}; PREPARE one(${types}) AS ${sql}; EXPLAIN (FORMAT JSON) EXECUTE one(${values})`,
    )
    plans.push((row!['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan)
    await postgres.execute('DEALLOCATE one')
  }
  return plans
}
