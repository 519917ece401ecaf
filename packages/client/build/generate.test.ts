import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { test } from 'node:test'
import type { z } from 'zod'
import type { Operation } from '../../../contract/operation.ts'
import { type OperationName, type Operations, operations } from '../../../contract/operations.ts'
import type { AdminAnswers, AdminInputs, AdminOperations } from '../src/generated/admin-types.ts'
import type { Answers, Operations as CoreOperations, Inputs } from '../src/generated/types.ts'
import { generate } from './generate.ts'

test('the generated files are up to date; otherwise run npm run generate -w @tenantry/client', async () => {
  for (const [path, text] of await generate()) {
    assert.equal(readFileSync(path, 'utf8'), text, relative(process.cwd(), path))
  }
})

type Schema<S> = S extends z.ZodType ? S : never
type InputSchema<O extends Operation> = O extends { bodyShape: infer S }
  ? S
  : O extends { body: infer S }
    ? S
    : QueryOf<O>
type QueryOf<O> = O extends { query: infer S } ? S : never
type Equal<A, B> = [A, B] extends [B, A] ? true : { readonly differs: [A, B] }

type AllInputs = Inputs & AdminInputs
type AllAnswers = Answers & AdminAnswers
type InputDifferences = {
  [N in keyof AllInputs]: Equal<AllInputs[N], z.input<Schema<InputSchema<Operations[N]>>>>
}
type AnswerDifferences = { [N in OperationName]: Equal<AllAnswers[N], z.output<Operations[N]['output']>> }
type AllMethods = CoreOperations & AdminOperations
/** How many arguments come before the query. */
type Before<O extends Operation> = O extends { params: unknown } ? 1 : 0
type MayOmitQuery<N extends keyof AllMethods> =
  Before<Operations[N]> extends Parameters<AllMethods[N]>['length'] ? true : false
type QueryDifferences = {
  [N in keyof AllMethods]: Operations[N] extends { method: 'GET'; query: infer Q }
    ? Equal<MayOmitQuery<N>, Record<never, never> extends z.input<Schema<Q>> ? true : false>
    : true
}
type Differing<T> = { [N in keyof T]: T[N] extends true ? never : N }[keyof T]

test("the generated types equal the contract's", () => {
  // These lines do not compile when a generated type differs; the error names the operations. Generate the types again:
  // npm run generate -w @tenantry/client
  const inputs: [Differing<InputDifferences>] extends [never] ? true : Differing<InputDifferences> = true
  const answers: [Differing<AnswerDifferences>] extends [never] ? true : Differing<AnswerDifferences> = true
  const queries: [Differing<QueryDifferences>] extends [never] ? true : Differing<QueryDifferences> = true
  assert.ok(inputs && answers && queries)
})

test('exactly the operations with DELETE answer 204: the client accepts it from no other', () => {
  for (const [name, { method, status }] of Object.entries<Operation>(operations))
    assert.equal(status === 204, method === 'DELETE', name)
})
