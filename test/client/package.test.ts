import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { type PackedClient, packClient, readText, runTool } from '../support/packed-client.ts'

const run = promisify(execFile)
let packed: PackedClient
before(async () => {
  packed = await packClient()
})
after(() => packed[Symbol.asyncDispose]())

describe('the package @tenantry/client', () => {
  test('contains the entries, what they share, the readme and the license', () => {
    const entries = ['admin', 'index', 'profile', 'react']
    const named = packed.files.filter((path) => !/^dist\/[\w-]+-[\w-]{6,}(?:\.d)?\.(?:js|ts)$/.test(path))
    assert.deepEqual(named.toSorted(), [
      'LICENSE',
      'README.md',
      ...entries.flatMap((entry) => [`dist/${entry}.d.ts`, `dist/${entry}.js`]),
      'package.json',
    ])
  })

  test('is what a copy of the example builds with, as the page of the example says', async () => {
    const example = join(import.meta.dirname, '../../examples/react')
    const page = await readText(example, 'README.md')
    assert.ok(page.includes(`\`${basename(packed.tarball)}\``), basename(packed.tarball))
    const paths = (await readdir(join(example, 'src'), { recursive: true })).map((path) => join('src', path))
    const files = [...paths.filter((path) => /\.\w+$/.test(path)), 'index.html', 'vite.config.ts', 'tsconfig.json']
    const texts = await Promise.all(files.map(async (path) => [path, await readText(example, path)] as const))
    const packages = ['react', 'react-dom', '@types/react', '@types/react-dom', 'vite', '@vitejs/plugin-react']
    const project = await packed.createProject(Object.fromEntries(texts), packages)
    await runTool('tsc', ['--noEmit', '-p', '.'], project)
    await runTool('vite', ['build', '--logLevel', 'warn'], project)
    assert.match(await readText(project, 'dist/index.html'), /<script type="module"/)
  })

  test('publint and "are the types wrong" find nothing', async () => {
    const project = await packed.createProject({})
    const installed = join(project, 'node_modules/@tenantry/client')
    assert.match(await runTool('publint', ['run', '--strict', installed], project), /All good!/)
    // Entries of ES modules cannot be resolved by `require` in Node 10 and 16.
    await runTool('attw', ['--profile', 'esm-only', '--no-emoji', packed.tarball], project)
  })

  test('has no dependencies, and imports neither Zod nor a module of Node', async () => {
    const project = await packed.createProject({})
    assert.deepEqual(await readdir(join(project, 'node_modules')), ['.package-lock.json', '@tenantry'])
    for (const file of packed.files.filter((path) => path.endsWith('.js') || path.endsWith('.d.ts'))) {
      const text = await readText(project, 'node_modules/@tenantry/client', file)
      const imported = [...text.matchAll(/^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]/gm)].map(
        ([, from]) => from!,
      )
      const allowed = file.startsWith('dist/react') ? /^(?:\.\/|react$)/ : /^\.\//
      assert.deepEqual(
        imported.filter((from) => !allowed.test(from)),
        [],
        file,
      )
    }
  })

  test('its React entry is marked as client code for apps with server components', async () => {
    const project = await packed.createProject({})
    assert.match(await readText(project, 'node_modules/@tenantry/client/dist/react.js'), /^'use client'/)
  })

  test('its declarations compile with TypeScript before 5.7, in which typed arrays have no parameters', async () => {
    const project = await packed.createProject({})
    for (const file of packed.files.filter((path) => path.endsWith('.d.ts')))
      assert.doesNotMatch(await readText(project, 'node_modules/@tenantry/client', file), /\bUint8Array</, file)
  })

  test('the entries share the error classes, and the place where a session is stored', async () => {
    const code = `import { TenantryError } from '@tenantry/client'
      import * as admin from '@tenantry/client/admin'
      console.log(TenantryError === admin.TenantryError)`
    const project = await packed.createProject({ 'app.js': code })
    assert.equal((await run(process.execPath, ['app.js'], { cwd: project })).stdout, 'true\n')
    const [core, react] = await Promise.all(
      ['index.js', 'react.js'].map(async (file) => {
        const text = await readText(project, 'node_modules/@tenantry/client/dist', file)
        return [...text.matchAll(/from "(\.\/[^"]+)"/g)].map(([, path]) => path!)
      }),
    )
    assert.ok(
      react!.some((path) => path.startsWith('./place-of') && core!.includes(path)),
      `${react}`,
    )
  })

  /** Upper limits in bytes, minified and compressed with gzip. */
  const sizes = {
    'the core': {
      code: `import { createSession, createTenantryClient, TenantryError } from '@tenantry/client'
        globalThis.app = [createSession, createTenantryClient, TenantryError]`,
      external: [],
      limit: 6_000,
    },
    'the operator’s client': { code: "export * from '@tenantry/client/admin'", external: [], limit: 5_000 },
    validateProfile: { code: "export * from '@tenantry/client/profile'", external: [], limit: 9_700 },
    'the React hooks': {
      code: "export * from '@tenantry/client/react'",
      external: ['react', /client\/dist\/(?!react)/],
      limit: 4_100,
    },
  }
  for (const [name, { code, external, limit }] of Object.entries(sizes)) {
    test(`${name}: at most ${limit} bytes minified and compressed`, async (t) => {
      const project = await packed.createProject({ 'entry.js': code })
      // Otherwise it warns of 'use client'.
      const bundle = await rolldown({ input: join(project, 'entry.js'), external, logLevel: 'silent' })
      const { output } = await bundle.generate({ format: 'esm', minify: true })
      // What a page loads before its first call; the code for lines is loaded with its first use.
      const [page] = output
      assert.deepEqual(
        page.imports.filter((path) => output.some(({ fileName }) => fileName === path)),
        [],
      )
      const bytes = gzipSync(page.code, { level: 9 }).length
      t.diagnostic(`${bytes} bytes`)
      assert.ok(bytes <= limit, `${bytes} bytes`)
    })
  }
})

describe('a new React app with Vite', () => {
  test('compiles with the settings of Vite and the stricter ones of `tsc --init`, and builds', async () => {
    const project = await packed.createProject(viteApp, viteAppPackages)
    const stricter = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
    await runTool('tsc', ['--singleThreaded', ...stricter, '-p', 'tsconfig.app.json'], project)
    await runTool('vite', ['build', '--logLevel', 'warn'], project)
    const assets = await readdir(join(project, 'dist/assets'))
    assert.ok(assets.some((file) => file.endsWith('.js')))
  })

  test('a wrong field does not compile', async () => {
    const app = viteApp['src/app.tsx'].replace('email: address', 'mail: address')
    const project = await packed.createProject({ ...viteApp, 'src/app.tsx': app }, viteAppPackages)
    await assert.rejects(runTool('tsc', ['-p', 'tsconfig.app.json'], project), /'mail' does not exist/)
  })
})

const viteAppPackages = [
  'typescript',
  'vite',
  '@vitejs/plugin-react',
  'react',
  'react-dom',
  '@types/react',
  '@types/react-dom',
]

/** As made by `npm create vite@latest -- --template react-ts`, plus an app that uses every entry. */
const viteApp = {
  'index.html': '<div id="root"></div><script type="module" src="/src/app.tsx"></script>',
  'vite.config.ts': "import react from '@vitejs/plugin-react'\nexport default { plugins: [react()] }\n",
  'tsconfig.app.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2023',
      useDefineForClassFields: true,
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      module: 'ESNext',
      types: ['vite/client'],
      // Stricter than Vite: the declarations of the package are checked as well.
      skipLibCheck: false,
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      moduleDetection: 'force',
      noEmit: true,
      jsx: 'react-jsx',
      strict: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
      noFallthroughCasesInSwitch: true,
      noUncheckedSideEffectImports: true,
    },
    include: ['src'],
  }),
  'src/app.tsx': `import { createSession, createTenantryClient, type PublicTenantConfiguration, TenantryError } from '@tenantry/client'
import type { TenantryAdmin } from '@tenantry/client/admin'
import { validateProfile } from '@tenantry/client/profile'
import { SessionProvider, useProfileForm, useSession, useTenantConfiguration } from '@tenantry/client/react'
import type { ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

const session = createSession(createTenantryClient({ baseUrl: 'http://localhost:4000', tenantKey: 'tk_pub_key' }))
export const lengthOf = ({ otp }: PublicTenantConfiguration): number => otp.length

export const idsOf = async (admin: TenantryAdmin): Promise<string[]> =>
  (await admin.listTenants()).items.map(({ id }) => id)

export const importFrom = (admin: TenantryAdmin, tenantId: string, file: Uint8Array) => admin.importUsers({ tenantId }, file)

export const adultsOf = (admin: TenantryAdmin, tenantId: string, city?: string) =>
  admin.listUsers({ tenantId }, { 'profile.city': city, 'profile.age.min': 18 })

/** The types of React before 18.2.8 take no other element. */
export const provider: ReactElement = SessionProvider({ session })

export async function forget(address: string, locale?: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    return (await session.client.resetPassword({ step: 'challenge', email: address, locale }, { signal })).id
  } catch (error) {
    return error instanceof TenantryError ? error.validation?.['email'] : undefined
  }
}

function App() {
  const { user, nextForm } = useSession()
  const { configuration } = useTenantConfiguration()
  const form = useProfileForm({ validate: validateProfile, form: nextForm ?? undefined })
  return (
    <p>
      {user?.email} {configuration?.auth.methods.join()} {form.fields.map(({ name }) => name)}
    </p>
  )
}

createRoot(document.body).render(
  <SessionProvider session={session}>
    <App />
  </SessionProvider>,
)
`,
}
