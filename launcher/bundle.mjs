import { realpathSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashLock } from '../server/startup/bundle.js'
import { replaceFolder, runBuild } from './build.mjs'

// `node launcher/bundle.mjs` builds the server and the command line tool into dist, which a start loads instead of a thousand
// files (docs/decisions/0045-bundle.md). npm runs it as "prepare" at the end of `npm ci`.

/** With a separator at the end. */
const root = join(realpathSync(fileURLToPath(new URL('..', import.meta.url))), sep)
const entries = { server: 'server/main.ts', cli: 'cli/run.ts' }

/**
 * The packages that become parts of the bundle, with what they depend on: those that a start loads. Others are loaded from where
 * they are: native ones, those whose files are required by a computed name (prom-client, jsonc-parser), and those that wait for
 * their first use.
 */
const bundled = new Set(
  'close-with-grace cli-progress commander fastify jose pino re2js standardwebhooks zod'.split(' '),
)

const isOwn = (path) => path.startsWith(root) && !path.includes(`${sep}node_modules${sep}`)
const packageOf = (name) => /^(@[^/]+\/)?[^/]+/.exec(name)[0]

/** Whether a module is loaded by its name instead of being a part of the bundle. */
function isExternal(name, importer) {
  if (name.startsWith('node:') || builtinModules.includes(name)) return true
  if (/^[./]|^[A-Za-z]:/.test(name) || importer === undefined) return false
  return isOwn(importer) ? !bundled.has(packageOf(name)) : false
}

/** Every file of the repository that a build reads, also one of which nothing remains in the bundle. */
const sources = new Set()

/** Paths stay relative to the source: those of workers, of the console, and of packages that are loaded with their first use. */
const keepPaths = {
  name: 'keep-paths',
  transform(code, path) {
    if (!isOwn(path)) return null
    const source = relative(root, path).replaceAll(sep, '/')
    sources.add(source)
    const url = `new URL(${JSON.stringify(`../${source}`)}, import.meta.url).href`
    return { code: code.replaceAll('import.meta.url', url), map: null }
  },
}

async function build() {
  const startedAt = Date.now()
  const lock = hashLock()
  const { rolldown } = await import('rolldown')
  const built = join(root, `.dist-${process.pid}`)
  await replaceFolder(join(root, 'dist'), built, async () => {
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
      platform: 'node',
      external: isExternal,
      plugins: [keepPaths],
      logLevel: 'warn',
    })
    // With one other character V8 keeps a whole file in two bytes each.
    await bundle.write({ dir: built, format: 'esm', keepNames: true, charset: 'ascii', comments: false })
    await bundle.close()
    const sizes = Object.fromEntries([...sources].sort().map((path) => [path, statSync(join(root, path)).size]))
    writeFileSync(join(built, 'sources.json'), JSON.stringify({ startedAt, lock, sources: sizes }))
  })
}

await runBuild('rolldown', 'launcher/bundle.mjs', build)
