import assert from 'node:assert/strict'
import type { TestService, TestTenant } from './service.ts'

/** All lines of an answer; rejects as the call does. */
export const read = <T>(lines: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(lines)

/** Imports lines to the end, and groups the results. */
export async function importInto(
  { admin }: Pick<TestService, 'admin'>,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  lines: Parameters<TestService['admin']['importUsers']>[1],
  query: Parameters<TestService['admin']['importUsers']>[2] = {},
) {
  const answer = await read(admin.importUsers({ tenantId }, lines, query))
  const last = answer.pop()
  assert.ok(last !== undefined && 'done' in last)
  return {
    counts: last.done,
    errors: answer.flatMap((line) => ('error' in line ? [line.error] : [])),
    progress: answer.flatMap((line) => ('progress' in line ? [line.progress] : [])),
  }
}
