import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { demoProfileSchema } from '../../demo/profile-schema.ts'
import { type LocalServer, startLocalServer } from '../support/local-server.ts'

const root = join(import.meta.dirname, '../..')
const readme = await readFile(join(root, 'README.md'), 'utf8')
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

/** The code blocks of a language under a heading. */
function blocksOf(heading: string, language: string): string[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  return blocks.filter(([, named]) => named === language).map(([, , block]) => block!)
}

let folder: string
let server: LocalServer
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-readme-'))
  server = await startLocalServer(folder, { PORT: '0' })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Runs a command in the server's folder, in a shell with `npm run -s tenantry` as package.json defines it. */
async function run(command: string): Promise<string> {
  assert.equal(scripts.tenantry, 'node launcher/launch.mjs cli/tenantry.ts')
  const tenantry = `"${process.execPath}" "${root}/launcher/launch.mjs" cli/tenantry.ts`
  const env = { PATH: process.env['PATH'], TENANTRY_URL: server.baseUrl }
  const script = command.replace('npm run -s tenantry --', tenantry)
  return (await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env })).stdout
}

test('README.md shows what npm start prints', () => {
  const [shown = ''] = blocksOf('Start', '')
  const withoutValues = (text: string) =>
    text
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '<url>')
      .replaceAll(/tk_pub_[\w…-]+/g, '<key>')
      .replaceAll(/(?<=admin key {3}|demo@example\.com {2})\S+/g, '<secret>')
  assert.equal(withoutValues(server.output()).trim(), withoutValues(shown).trim())
  assert.deepEqual(blocksOf('Start', 'sh'), ['npm ci\nnpm start\n'])
})

test('the tour of README.md works as written', async () => {
  const [, key = ''] = /tenant key\s+(\S+)/.exec(server.output()) ?? []
  const [, admin = ''] = /admin key\s+(\S+)/.exec(server.output()) ?? []
  const [tour = ''] = blocksOf('A tour with curl', 'sh')
  const commands = tour.replaceAll('\\\n', ' ').match(/^curl .*$/gm) ?? []
  assert.equal(commands.length, 6)
  const known: Record<string, string> = {}
  for (const command of commands) {
    const filled = command.replaceAll(
      /<(\w+)>/g,
      (_, name: string) => known[name] ?? assert.fail(`${name} is not known yet`),
    )
    const { data, error } = JSON.parse(await run(`KEY=${key}; ADMIN=${admin}; API=${server.baseUrl}; ${filled}`))
    assert.equal(error, undefined, command)
    for (const [name, value] of Object.entries({ ...data, ...data.messages?.at(-1) })) {
      if (name === 'id' && known['id'] !== undefined) continue
      if (typeof value === 'string') known[name] = value
    }
  }
})

test('the commands of README.md create a tenant', async () => {
  const commands = blocksOf('A tour with curl', 'sh')[1]?.trim().split('\n') ?? []
  assert.equal(commands.length, 4)
  await writeFile(join(folder, 'schema.json'), JSON.stringify(demoProfileSchema))
  let id = ''
  for (const command of commands) {
    const output = await run(command.replace('<id>', id))
    id ||= /\b[0-9A-HJKMNP-TV-Z]{26}\b/.exec(output)?.[0] ?? ''
    assert.notEqual(id, '', output)
  }
})
