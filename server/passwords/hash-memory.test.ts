import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultHashMemoryMiB } from './hash-memory.ts'

const MIB = 2 ** 20

test('the default is 256 MiB, or half of what the container may use', () => {
  for (const [limit, expected] of [
    [0, 256], // no cgroup
    [2 ** 64, 256], // cgroup v2 without a limit
    [2 ** 63 - 4096, 256], // cgroup v1 without a limit
    [1024 * MIB, 256],
    [512 * MIB, 256],
    [511 * MIB, 255],
    [128 * MIB, 64],
    [20 * MIB, 19], // less than that, and no password could be hashed
  ] as const) {
    assert.equal(defaultHashMemoryMiB(limit), expected, String(limit))
  }
})

test('the limit of this process is asked for when none is given', () => {
  assert.equal(defaultHashMemoryMiB(), defaultHashMemoryMiB(process.constrainedMemory()))
})
