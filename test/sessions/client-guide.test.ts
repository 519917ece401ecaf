import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'

const root = join(import.meta.dirname, '../..')

/** How many blocks of code the guides have, and what their apps define themselves. */
const guides = {
  'docs/guides/sessions-in-browsers.md': {
    count: 5,
    app: `
declare function showHome(email: string | null): void
declare function showSignIn(message: string): void
declare function askForPassword(email: string | null, reason: string): Promise<string | null>
`,
  },
  'docs/guides/protecting-accounts.md': {
    count: 1,
    app: `
import type { StepUpProof, User } from '@tenantry/client'
declare const client: TenantryClient
declare const user: User
declare function askForProof(methods: User['methods']): Promise<StepUpProof>
`,
  },
}

test('the commands of the guide on sessions print what it shows', async () => {
  await using server = await startPageServer()
  await server.runPage(await readPage('docs/guides/sessions-in-browsers.md'))
})

for (const [path, { count, app }] of Object.entries(guides)) {
  test(`the code of ${path} compiles`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-guide-'))
    t.after(() => rm(folder, { recursive: true }))
    const blocks = blocksOf(await readPage(path))
    const code = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
    assert.equal(code.length, count)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'guide.ts'), app + code.join('\n'))
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: { '@tenantry/client': [join(root, 'packages/client/src/index.ts')] },
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: [],
      files: ['guide.ts'],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, '-p', folder], (_, stdout, stderr) => resolve(stdout + stderr))
    })
    assert.equal(output, '')
  })
}
