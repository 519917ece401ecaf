import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultHashMemoryMiB } from './hash-memory.ts'

const MIB = 2 ** 20

test('defaults to 256 MiB, or half of the container’s memory limit', () => {
  for (const [limit, expected] of [
    [0, 256], // no cgroup
    [2 ** 64, 256], // cgroup v2 without a limit
    [2 ** 63 - 4096, 256], // cgroup v1 without a limit
    [1024 * MIB, 256],
    [512 * MIB, 256],
    [511 * MIB, 255],
    [128 * MIB, 64],
    [20 * MIB, 19], // below that, no password could be hashed
  ] as const) {
    assert.equal(defaultHashMemoryMiB(limit), expected, String(limit))
  }
})

test('uses the memory limit of the process by default', () => {
  assert.equal(defaultHashMemoryMiB(), defaultHashMemoryMiB(process.constrainedMemory()))
})
