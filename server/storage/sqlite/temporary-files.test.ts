import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { test } from 'node:test'
import type { Stores } from '../storage.ts'
import { newTenant, userOf } from '../suite/samples.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

/** The temporary files of SQLite that this process has open. They are deleted when they are created. */
function temporaryFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.includes('etilqs_') ? [path] : []
    } catch {
      // The descriptor of the listing itself is closed by now.
      return []
    }
  })
}

/** Random ids, so that the rows of one write lie on many pages of each index. */
const addUsers = async (stores: Stores, count: number) => {
  for (let user = 0; user < count; user++) await stores.users.add(userOf({ id: randomUUID() }), null)
}

test('a group of 500 writes that undoes some of them opens no temporary file', async (t) => {
  if (process.platform !== 'linux') return t.skip('open files are listed on Linux only')
  const opened = await openTestStorage({ groupSize: 512 })
  const tenant = await newTenant(opened.storage)
  await tenant.write((tx) => addUsers(tx, 2_000))
  const found = new Set<string>()
  const results = await Promise.allSettled(
    Array.from({ length: 500 }, (_, index) =>
      tenant.write(async (tx) => {
        await addUsers(tx, index % 100 === 0 ? 100 : 1)
        for (const path of temporaryFiles()) found.add(path)
        if (index % 100 === 99) throw new Error('undone')
      }),
    ),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 495)
  assert.deepEqual([...found], [])
  await opened.close()
})
