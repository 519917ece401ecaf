import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { addUsers, copies, incomplete, newDeployment, newFile } from './copy.testkit.ts'

test('an interrupted copy says what it leaves, and completes when repeated', async () => {
  const [path, target] = [await newDeployment(), newFile()]
  addUsers(path, 'a', 100_000)
  const words = ['copy', '--from', `sqlite:${path}`, '--to', `sqlite:${target}`]
  const child = spawn(process.execPath, [join(import.meta.dirname, '../tenantry.ts'), ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    // The first line is written before the first row.
    if (errors === '') child.kill('SIGINT')
    errors += text
  })
  assert.deepEqual(await once(child, 'close'), [1, null], errors)
  assert.match(
    errors,
    /\nThe target is incomplete, and no server starts on it\. Copy again to complete it\.\nInterrupted\.\n$/,
  )
  await assert.rejects(openSqliteStorage({ path: target }), incomplete('This database'))
  await copies('--from', `sqlite:${path}`, '--to', `sqlite:${target}`)
  await (await openSqliteStorage({ path: target })).close()
})
