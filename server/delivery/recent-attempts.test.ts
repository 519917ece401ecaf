import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentAttempts } from './recent-attempts.ts'

const { signal } = new AbortController()
const failure = new Error('550')
const fail = () => Promise.reject(failure)

async function msOf(act: Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await act
  return performance.now() - begun
}

test('repeats duration and error of an attempt of the same tenant', async () => {
  const attempts = new RecentAttempts()
  await assert.rejects(attempts.keep('a', fail), failure)
  await assert.rejects(attempts.repeat('a', signal), failure)
  const sixtyMs = () => new Promise<void>((resolve) => void setTimeout(resolve, 60))
  await attempts.keep('b', sixtyMs)
  assert.ok((await msOf(attempts.repeat('b', signal))) >= 55)
})

test('repeats only the latest attempts', async () => {
  const attempts = new RecentAttempts()
  await assert.rejects(attempts.keep('a', fail), failure)
  for (let each = 0; each < 20; each++) await attempts.keep('a', async () => {})
  for (let each = 0; each < 50; each++) await attempts.repeat('a', signal)
})

test('repeats each of the latest attempts', async () => {
  const attempts = new RecentAttempts()
  for (let each = 0; each < 19; each++) await assert.rejects(attempts.keep('a', fail), failure)
  await attempts.keep('a', async () => {})
  const repeated = new Set<unknown>()
  // The one that succeeded is missing in one of 10^11 runs, those that failed in none.
  for (let each = 0; each < 500; each++) repeated.add(await attempts.repeat('a', signal).catch((error) => error))
  assert.deepEqual(repeated, new Set([failure, undefined]))
})

test('evicts the least recently used tenants', async () => {
  const attempts = new RecentAttempts()
  for (let tenant = 0; tenant <= 500; tenant++) await assert.rejects(attempts.keep(`${tenant}`, fail), failure)
  await assert.rejects(attempts.repeat('1', signal), failure)
  await attempts.repeat('0', signal)
})

test('succeeds after 100 ms without earlier attempts, or when aborted', async () => {
  const attempts = new RecentAttempts()
  assert.ok((await msOf(attempts.repeat('a', signal))) >= 90)
  await attempts.repeat('a', AbortSignal.abort())
})
