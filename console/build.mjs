import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { replaceFolder, runBuild } from '../launcher/build.mjs'

// `node console/build.mjs` builds the console into console/dist, and compresses it. npm runs it as "prepare" at the end of
// `npm ci`.

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'console')
const target = join(folder, 'dist')
/** Everything that the result depends on. */
const sources = ['console', 'packages/client/src', 'contract', 'package-lock.json', 'tsconfig.json']
const isIgnored = (path) => /(^|[/\\])(dist|node_modules|\.build-\d+)([/\\]|$)|\.(test|testkit)\.tsx?$/.test(path)

/** SHA-256 of all sources with their paths. Dates would not do: a checkout changes them, and a deleted file has none. */
function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    const names = source.includes('.') ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
    for (const name of names.filter((each) => !isIgnored(each))) {
      const file = name === '' ? path : join(path, name)
      // Folders cannot be read, and need not be.
      const content = readIfFile(file)
      if (content !== null) hash.update(`${source}/${name}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex')
}

function readIfFile(path) {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error.code === 'EISDIR') return null
    throw error
  }
}

/** Where the hash of the sources that dist was built from is kept. */
const hashFile = '.sources'
const isBuiltFrom = (hash) => readIfThere(join(target, hashFile)) === hash
const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null)

/** Writes `x.js.br` beside `x.js`. Fonts are compressed already, and the page is answered with a new nonce each time. */
async function compress(built) {
  const names = await readdir(built, { recursive: true })
  const compressed = names.filter((name) => /\.(js|css|svg|json)$/.test(name) && !name.startsWith('.'))
  await Promise.all(
    compressed.map(async (name) => {
      const path = join(built, name)
      const content = await readFile(path)
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
    }),
  )
}

async function build(hash) {
  // Otherwise React's development version is built where the variable is set.
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  const built = join(folder, `.build-${process.pid}`)
  await replaceFolder(target, built, async () => {
    await vite.build({
      root: folder,
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: built, emptyOutDir: true },
    })
    await compress(built)
    await writeFile(join(built, hashFile), hash)
  })
}

if (existsSync(join(folder, 'vite.config.ts'))) {
  await runBuild('vite', 'console/build.mjs', async () => {
    const hash = hashSources()
    if (!isBuiltFrom(hash)) await build(hash)
  })
}
