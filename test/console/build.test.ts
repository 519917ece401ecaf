import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'

const build = join(import.meta.dirname, '../../console/build.mjs')
const run = promisify(execFile)

/** Stands for vite: writes what main.tsx says, and fails where it says so. */
const vite = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
export async function build({ root, configFile, build: { outDir } }) {
  const text = readFileSync(root + '/main.tsx', 'utf8')
  mkdirSync(outDir + '/assets', { recursive: true })
  if (text.includes('fail')) throw new Error('cannot be built')
  writeFileSync(outDir + '/index.html', '<!doctype html>')
  writeFileSync(outDir + '/assets/main.js', text.repeat(50) + process.env.NODE_ENV)
}
`

/** A repository of a few files. */
class Repository implements AsyncDisposable {
  readonly folder: string
  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(files: Readonly<Record<string, string>>): Promise<Repository> {
    const made = new Repository(await mkdtemp(join(tmpdir(), 'tenantry-build-')))
    await mkdir(join(made.folder, 'console'))
    await cp(build, join(made.folder, 'console/build.mjs'))
    await cp(join(build, '../../launcher/build.mjs'), join(made.folder, 'launcher/build.mjs'))
    for (const [path, text] of Object.entries(files)) await made.write(path, text)
    return made
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true })
    await writeFile(join(this.folder, path), text)
  }

  readonly read = (path: string): Promise<Buffer> => readFile(join(this.folder, path))
  readonly list = async (path: string): Promise<string[]> => (await readdir(join(this.folder, path))).toSorted()
  readonly build = () => run(process.execPath, ['console/build.mjs'], { cwd: this.folder })

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true })
  }
}

const sources = {
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'contract/errors.ts': 'export {}',
  'packages/client/src/admin.ts': 'export {}',
  'console/vite.config.ts': 'export {}',
  'console/main.tsx': 'let first;',
}
const installed = {
  'node_modules/vite/package.json': '{"name":"vite","type":"module","main":"index.js"}',
  'node_modules/vite/index.js': vite,
}

test('does nothing and succeeds without vite, as after "npm ci --omit=dev"', async () => {
  await using repository = await Repository.create(sources)
  assert.deepEqual(await repository.build(), { stdout: '', stderr: '' })
  assert.deepEqual(await repository.list('console'), ['build.mjs', 'main.tsx', 'vite.config.ts'])
})

test('does nothing and succeeds without the sources of the console', async () => {
  await using repository = await Repository.create(installed)
  await repository.build()
  assert.deepEqual(await repository.list('console'), ['build.mjs'])
})

test('builds for production, and compresses', async () => {
  await using repository = await Repository.create({ ...sources, ...installed })
  await repository.build()
  const text = (await repository.read('console/dist/assets/main.js')).toString()
  assert.match(text, /production$/)
  assert.equal(brotliDecompressSync(await repository.read('console/dist/assets/main.js.br')).toString(), text)
  assert.deepEqual(await repository.list('console/dist'), ['.sources', 'assets', 'index.html'])
})

test('builds again only after a source has changed, appeared or gone', async () => {
  await using repository = await Repository.create({ ...sources, ...installed })
  const builds = async () => {
    await rm(join(repository.folder, 'console/dist/index.html'), { force: true })
    await repository.build()
    return (await repository.list('console/dist')).includes('index.html')
  }
  assert.equal(await builds(), true)
  assert.equal(await builds(), false)
  for (const path of [
    'console/main.tsx',
    'contract/errors.ts',
    'packages/client/src/admin.ts',
    'console/shell/new.tsx',
  ]) {
    await repository.write(path, 'let second;')
    assert.equal(await builds(), true, path)
    assert.equal(await builds(), false)
  }
  await rm(join(repository.folder, 'console/shell/new.tsx'))
  assert.equal(await builds(), true)
  await repository.write('console/main.test.ts', 'a test')
  assert.equal(await builds(), false)
})

test('a failed build fails the command, and leaves the last one', async () => {
  await using repository = await Repository.create({ ...sources, ...installed })
  await repository.build()
  await repository.write('console/main.tsx', 'fail')
  await assert.rejects(repository.build(), /cannot be built/)
  assert.match((await repository.read('console/dist/assets/main.js')).toString(), /^let first/)
  assert.deepEqual(await repository.list('console'), ['build.mjs', 'dist', 'main.tsx', 'vite.config.ts'])
})
