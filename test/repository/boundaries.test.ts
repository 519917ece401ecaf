import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles } from '../support/source-files.ts'

const files = readSourceFiles()
const production = files.filter(({ isTest }) => !isTest)

/** The features whose rows are stored. */
const stored = ['tenants', 'accounts', 'otp', 'profiles', 'delivery', 'events', 'limits', 'operators', 'statistics']

/** The modules, and which other modules each may import: `runs` at run time, `types` only with `import type`. */
const modules: Record<string, { runs: readonly string[]; types?: readonly string[] }> = {
  // The checks of profile values and the delta of a schema run in the server and in browsers. Whatever may import the contract may import them.
  fields: { runs: [] },
  contract: { runs: ['fields'] },
  client: { runs: ['fields'] },
  'client build': { runs: ['contract'] },
  cli: { runs: ['basics', 'client', 'contract', 'events', 'kept secrets', 'maintenance'] },
  // Of the contract only what runs without zod: test/console/budgets.test.ts.
  console: { runs: ['client', 'contract'] },
  demo: { runs: ['client', 'kept secrets'], types: ['contract', 'services'] },
  bench: {
    // Benchmarks are not part of the service, so they may start the databases that tests start.
    runs: [
      'contract',
      'client',
      'basics',
      'accounts',
      'events',
      'otp',
      'passwords',
      'profiles',
      'secrets',
      'statistics',
      'storage',
      'tenants',
      'test',
    ],
    types: ['contract', 'storage interface'],
  },

  // What handlers are given. It names types alone, so features may name it without needing each other to run.
  services: {
    runs: [],
    types: [
      ...[
        'basics',
        'secrets',
        'limits',
        'tenants',
        'delivery',
        'otp',
        'passwords',
        'profiles',
        'accounts',
        'events',
        'identity-providers',
        'operators',
      ],
      ...['contract', 'metrics', 'statistics', 'storage interface', 'composition'],
    ],
  },
  basics: { runs: ['contract'], types: ['services', 'accounts', 'operators', 'tenants', 'storage interface'] },
  secrets: { runs: ['basics'] },
  limits: { runs: ['contract', 'basics'] },
  'identity-providers': { runs: ['contract', 'basics'] },
  tenants: { runs: ['contract', 'basics', 'secrets', 'profiles'], types: ['delivery', 'storage interface'] },
  events: { runs: ['contract', 'basics', 'limits', 'secrets'], types: ['tenants', 'storage interface'] },
  operators: {
    runs: ['contract', 'basics', 'events', 'limits', 'secrets'],
    types: ['storage interface', 'tenants'],
  },
  delivery: { runs: ['contract', 'basics', 'events', 'secrets'], types: ['tenants', 'storage interface'] },
  otp: {
    runs: ['contract', 'basics', 'secrets', 'limits', 'delivery', 'events', 'profiles'],
    types: ['services', 'storage interface'],
  },
  passwords: { runs: ['contract', 'basics'], types: ['limits', 'storage interface'] },
  statistics: { runs: ['accounts'], types: ['basics', 'storage interface'] },
  'password-reset': {
    runs: ['basics', 'events', 'limits', 'otp', 'passwords', 'accounts'],
    types: ['contract', 'services', 'storage interface'],
  },
  profiles: { runs: ['contract', 'basics', 'events', 'storage interface'], types: ['accounts', 'tenants'] },
  accounts: {
    runs: [
      ...['contract', 'basics', 'secrets', 'limits', 'otp', 'passwords', 'profiles', 'delivery', 'events'],
      'storage interface',
    ],
    types: ['services', 'identity-providers', 'statistics', 'tenants'],
  },
  admin: {
    runs: [
      ...['contract', 'basics', 'tenants', 'accounts', 'delivery', 'events', 'operators', 'passwords', 'profiles'],
      ...['otp', 'statistics', 'storage interface'],
    ],
    types: ['secrets', 'services'],
  },

  http: {
    runs: ['contract', 'basics', 'secrets', 'limits', 'operators', 'tenants', 'accounts'],
    types: ['services', 'events', 'storage interface'],
  },
  metrics: {
    runs: ['contract', 'basics', 'http'],
    types: ['services', 'delivery', 'events', 'limits', 'passwords', 'storage interface'],
  },
  'storage interface': { runs: ['basics'], types: stored },
  storage: { runs: ['basics', 'storage interface'], types: ['contract', ...stored] },

  maintenance: {
    runs: [
      ...['basics', 'accounts', 'delivery', 'events', 'otp', 'tenants', 'secrets', 'storage', 'kept secrets'],
      'composition',
    ],
  },

  'kept secrets': { runs: ['basics', 'secrets'], types: ['composition'] },
  composition: {
    runs: [
      ...['contract', 'basics', 'secrets', 'limits', 'tenants', 'delivery', 'otp', 'passwords', 'profiles', 'accounts'],
      ...['password-reset', 'identity-providers', 'events', 'operators', 'admin', 'http', 'metrics', 'storage'],
      'statistics',
      'kept secrets',
      'demo',
    ],
    types: ['services', 'storage interface'],
  },
}

/** Single imports beyond the table, with the reason. Without them no two features import each other at run time. */
const exceptions: Record<string, string> = {
  'server/delivery/attempt-delivery.ts → server/otp/otp.ts':
    'the context that a sealed code is bound to is defined once, with the code',
}

/** The folders that put the features and technology together, as the files of `server/` itself do. */
const composition = ['settings', 'startup', 'housekeeping', 'system']

function moduleOf(path: string): string {
  const [top = '', folder = '', file] = path.split('/')
  if (path.startsWith('contract/fields/') || path === 'contract/profile-schema-delta.ts') return 'fields'
  if (top === 'packages') return file === 'build' ? `${folder} build` : folder
  if (top !== 'server') return top
  if (/^server\/settings\/(?:env-file|kept-secrets|local-server|sqlite-url)\.ts$/.test(path)) return 'kept secrets'
  if (path === 'server/services.ts') return 'services'
  if (file === undefined || composition.includes(folder)) return 'composition'
  if (path === 'server/storage/storage.ts') return 'storage interface'
  return folder === 'core' ? 'basics' : folder
}

/** An import of one module by another. */
interface ModuleImport {
  readonly from: string
  readonly to: string
  readonly kind: 'runs' | 'types'
  readonly text: string
}

const moduleImports: ModuleImport[] = production.flatMap(({ path, imports }) =>
  imports
    .filter((target) => target.path.endsWith('.ts') && !(`${path} → ${target.path}` in exceptions))
    .map(({ path: target, kind }) => ({
      from: moduleOf(path),
      to: moduleOf(target),
      kind,
      text: `${path} → ${target}`,
    }))
    .filter(({ from, to }) => from !== to),
)

test('the imports of the repository are found', () => {
  assert.ok(moduleImports.length > 200)
})

test('modules import only what the table allows', () => {
  const forbidden = moduleImports.filter(({ from, to, kind }) => {
    const { runs = [], types = [] } = modules[from] ?? {}
    const allowed = kind === 'types' ? [...runs, ...types] : runs
    return !allowed.includes(to) && !(to === 'fields' && allowed.includes('contract'))
  })
  assert.deepEqual(
    forbidden.map(({ text, kind }) => `${text} (${kind})`),
    [],
  )
})

test('the table and the exceptions allow no import that does not exist', () => {
  const used = new Set(moduleImports.map(({ from, to, kind }) => `${from} ${kind} ${to}`))
  const unused = Object.entries(modules).flatMap(([from, { runs, types = [] }]) => [
    ...runs.filter((to) => !used.has(`${from} runs ${to}`)).map((to) => `${from} runs ${to}`),
    ...types.filter((to) => !used.has(`${from} types ${to}`)).map((to) => `${from} types ${to}`),
  ])
  assert.deepEqual(unused, [])
  const imports = new Set(production.flatMap(({ path, imports }) => imports.map((to) => `${path} → ${to.path}`)))
  for (const exception of Object.keys(exceptions))
    assert.ok(imports.has(exception), `${exception} no longer exists; remove the exception`)
})

test('modules do not import each other in a cycle at run time', () => {
  const runs = moduleImports.filter(({ kind }) => kind === 'runs')
  requireNoCycle(Object.keys(modules), (name) => runs.filter(({ from }) => from === name).map(({ to }) => to))
})

test('files do not import each other in a cycle, not even types', () => {
  const imports = new Map(files.map(({ path, imports: of }) => [path, of.map((target) => target.path)]))
  requireNoCycle(imports.keys(), (path) => imports.get(path) ?? [])
})

function requireNoCycle(names: Iterable<string>, importsOf: (name: string) => readonly string[]): void {
  const visiting: string[] = []
  const done = new Set<string>()
  function visit(name: string): void {
    if (done.has(name)) return
    const start = visiting.indexOf(name)
    assert.equal(start, -1, `a cycle: ${[...visiting.slice(start), name].join(' → ')}`)
    visiting.push(name)
    for (const to of importsOf(name)) visit(to)
    visiting.pop()
    done.add(name)
  }
  for (const name of names) visit(name)
}

test('production code imports no test code', () => {
  const tests = new Set(files.filter(({ isTest }) => isTest).map(({ path }) => path))
  const leaks = production
    .filter(({ path }) => !path.startsWith('bench/'))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => tests.has(target.path)).map((target) => `${path} → ${target.path}`),
    )
  assert.deepEqual(leaks, [])
})
