import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { findNode, type PackedClient, packClient, runTool } from '../support/packed-client.ts'
import { startTestService, type TestService } from '../support/service.ts'

const run = promisify(execFile)
let packed: PackedClient
let service: TestService
before(async () => {
  packed = await packClient()
  service = await startTestService()
})
after(async () => {
  await packed[Symbol.asyncDispose]()
  await service.close()
})

describe('a plain Node project', () => {
  for (const major of [20, 24]) {
    test(`calls a started server with Node ${major}`, async (t) => {
      const node = await findNode(major)
      if (node === undefined) return t.skip(`no Node ${major} on the PATH`)
      const { key } = await service.addTenant()
      const project = await packed.createProject({ 'app.js': nodeApp })
      const { stdout } = await run(node, ['app.js', service.baseUrl, key], { cwd: project })
      assert.deepEqual(JSON.parse(stdout), {
        methods: ['password', 'otp'],
        issued: true,
        refused: 'INVALID_CREDENTIALS',
        signedIn: 'signedIn',
        email: `ada-${major}@example.com`,
        after: 'signedOut',
      })
    })
  }

  test('compiles with the types of Node alone, without those of browsers', async () => {
    const entries = ['', '/admin', '/profile'].map((entry) => `export * from '@tenantry/client${entry}'`)
    const project = await packed.createProject({ 'app.ts': entries.join('\n') }, ['typescript', '@types/node'])
    // Without skipLibCheck, the declarations of the package are checked as well.
    const settings = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022', '--types', 'node']
    await runTool('tsc', [...settings, '--module', 'nodenext', 'app.ts'], project)
  })

  test('passes a function as `fetch` with the types of Bun, whose own has a property', async () => {
    const code = `import { createTenantryClient } from '@tenantry/client'
import { createTenantryAdmin } from '@tenantry/client/admin'
declare global {
  namespace fetch {
    const preconnect: (url: string) => void
  }
}
for (const create of [createTenantryClient, createTenantryAdmin]) {
  create({ baseUrl: 'http://localhost:4000', fetch })
  create({ baseUrl: 'http://localhost:4000', fetch: (input, init) => fetch(input, { ...init, keepalive: true }) })
}
`
    const project = await packed.createProject({ 'app.ts': code }, ['typescript', '@types/node'])
    await runTool('tsc', ['--noEmit', '--strict', '--types', 'node', '--module', 'nodenext', 'app.ts'], project)
  })
})

const nodeApp = `import { createSession, createTenantryClient, TenantryError } from '@tenantry/client'
const [, , baseUrl, tenantKey] = process.argv
const email = 'ada-' + process.versions.node.split('.')[0] + '@example.com'
const session = createSession(createTenantryClient({ baseUrl, tenantKey }))
const { client } = session
const { auth } = await client.getTenantConfiguration()
const { id } = await client.issueOtp({ scope: 'otp_signin', email })
let refused
try {
  await client.signIn({ method: 'password', email, password: 'wrong password' })
} catch (error) {
  if (error instanceof TenantryError) refused = error.code
}
await client.signUp({ method: 'password', email, password: 'correct horse battery' })
const signedIn = session.state.status
const account = await client.getAccount()
await session.signOut()
console.log(JSON.stringify({ methods: auth.methods, issued: typeof id === 'string', refused, signedIn, email: account.email, after: session.state.status }))
`
