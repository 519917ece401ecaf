import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChild } from '../../bench/child.ts'
import { freePort } from '../support/free-port.ts'

test('fails when the server is killed before it responds', async () => {
  const script = 'process.kill(process.pid, "SIGKILL")'
  await assert.rejects(startChild(await freePort(), ['-e', script], {}, '/healthz'), /ended before it responded$/)
})
