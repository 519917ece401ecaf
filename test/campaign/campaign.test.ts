import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('a campaign prints its progress, then its report', async () => {
  const words = [join(import.meta.dirname, 'campaign.ts'), 'senders', '--rounds', '1', '--seed', '7']
  const { stdout } = await promisify(execFile)(process.execPath, words)
  assert.match(
    stdout,
    /^senders {2}round 1 of 1 after \d+:\d\d: \d+ messages checked\nsenders: 1 rounds \(seed 7\); \d+ messages sent .*\n$/,
  )
})
