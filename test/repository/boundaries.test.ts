import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, readSourceFiles, type SourceFile } from '../support/source-files.ts'

const files = readSourceFiles()
const production = files.filter(({ isTest }) => !isTest)

/** The rooms of the house (style.md), and what each may know of others: `runs` at run time, `types` as types alone. */
const rooms: Record<string, { runs: readonly string[]; types?: readonly string[] }> = {
  contract: { runs: [] },
  client: { runs: [], types: ['contract'] },
  cli: { runs: ['client', 'contract', 'kept secrets', 'maintenance'] },
  demo: { runs: ['client', 'kept secrets'], types: ['contract', 'services'] },
  bench: {
    // It ships with nobody, so it may start the databases that tests start.
    runs: ['client', 'basics', 'accounts', 'otp', 'passwords', 'secrets', 'storage', 'tenants', 'test'],
    types: ['contract', 'storage interface'],
  },

  // What handlers are given. It names types alone, so features may name it without needing each other to run.
  services: {
    runs: [],
    types: [
      ...['basics', 'secrets', 'limits', 'tenants', 'delivery', 'otp', 'passwords', 'accounts', 'identity-providers'],
      ...['metrics', 'storage interface', 'composition'],
    ],
  },
  basics: { runs: ['contract'], types: ['services', 'accounts', 'tenants', 'storage interface'] },
  secrets: { runs: [] },
  limits: { runs: ['contract', 'basics'] },
  'identity-providers': { runs: ['contract', 'basics'] },
  tenants: { runs: ['contract', 'basics', 'secrets'], types: ['accounts', 'delivery', 'storage interface'] },
  delivery: { runs: ['contract', 'basics', 'secrets'], types: ['tenants', 'storage interface'] },
  otp: {
    runs: ['contract', 'basics', 'secrets', 'limits', 'delivery', 'profiles'],
    types: ['services', 'accounts', 'tenants'],
  },
  passwords: { runs: ['contract', 'basics'], types: ['limits', 'tenants', 'storage interface'] },
  'password-reset': {
    runs: ['contract', 'basics', 'limits', 'otp', 'passwords', 'accounts'],
    types: ['services', 'storage interface'],
  },
  profiles: { runs: ['contract', 'basics', 'storage interface'], types: ['tenants'] },
  accounts: {
    runs: [
      ...['contract', 'basics', 'secrets', 'limits', 'otp', 'passwords', 'profiles', 'delivery', 'storage interface'],
    ],
    types: ['services', 'identity-providers', 'tenants'],
  },
  admin: {
    runs: ['contract', 'basics', 'tenants', 'accounts', 'delivery', 'passwords', 'profiles', 'storage interface'],
    types: ['secrets'],
  },

  http: {
    runs: ['contract', 'basics', 'secrets', 'limits', 'tenants', 'accounts'],
    types: ['services', 'storage interface'],
  },
  metrics: {
    runs: ['contract', 'basics', 'limits', 'http'],
    types: ['services', 'delivery', 'passwords', 'storage interface'],
  },
  'storage interface': { runs: ['basics'], types: ['tenants', 'accounts', 'otp', 'profiles', 'delivery', 'limits'] },
  storage: {
    runs: ['basics', 'storage interface'],
    types: ['contract', 'tenants', 'accounts', 'otp', 'profiles', 'delivery', 'limits'],
  },

  maintenance: {
    runs: ['accounts', 'delivery', 'otp', 'tenants', 'secrets', 'storage', 'kept secrets', 'composition'],
  },

  'kept secrets': { runs: ['secrets'], types: ['composition'] },
  composition: {
    runs: [
      ...['contract', 'basics', 'secrets', 'limits', 'tenants', 'delivery', 'otp', 'passwords', 'profiles', 'accounts'],
      ...['password-reset', 'identity-providers', 'admin', 'http', 'metrics', 'storage', 'kept secrets', 'demo'],
    ],
    types: ['services', 'storage interface'],
  },
}

/** Single arrows against the stream, each with its reason; without them no two features need each other to run. */
const exceptions: Record<string, string> = {
  'server/delivery/attempt-delivery.ts → server/otp/otp.ts':
    'what a sealed code is bound to is said once, by its owner',
  'server/tenants/require-capability.ts → server/accounts/restriction.ts':
    'whether a restriction of a user still holds is said once, by its owner',
}

const composition = ['settings', 'startup', 'housekeeping', 'system']

function roomOf(path: string): string {
  const [top = '', folder = '', file] = path.split('/')
  if (top !== 'server') return top
  if (path === 'server/settings/kept-secrets.ts') return 'kept secrets'
  if (path === 'server/services.ts') return 'services'
  if (file === undefined || composition.includes(folder)) return 'composition'
  if (path === 'server/storage/storage.ts') return 'storage interface'
  return folder === 'core' ? 'basics' : folder
}

interface Arrow {
  readonly from: string
  readonly to: string
  readonly kind: 'runs' | 'types'
  readonly text: string
}

const arrows: Arrow[] = production.flatMap(({ path, imports }) =>
  imports
    .filter((target) => target.path.endsWith('.ts') && !(`${path} → ${target.path}` in exceptions))
    .map(({ path: target, kind }) => ({ from: roomOf(path), to: roomOf(target), kind, text: `${path} → ${target}` }))
    .filter(({ from, to }) => from !== to),
)

test('the reader of imports sees every form of them', () => {
  const text = [
    "import a from './a.ts'",
    "import * as b from './b.ts'",
    "import type { C } from './c.ts'",
    "import { type D } from '../x/d.ts'",
    "import {\n  e,\n  f,\n} from './e.ts'",
    "export { g } from './g.ts'",
    "export type { H } from './h.ts'",
    "import './i.ts'",
    "const j = await import('./j.ts')",
    "import { z } from 'zod'",
  ].join('\n')
  const found = importsOf('x/file.ts', text).map(({ path, kind }) => `${path} ${kind}`)
  const types = ['x/c.ts types', 'x/h.ts types']
  const runs = ['x/a.ts', 'x/b.ts', 'x/d.ts', 'x/e.ts', 'x/g.ts', 'x/i.ts', 'x/j.ts'].map((path) => `${path} runs`)
  assert.deepEqual(found.sort(), [...types, ...runs].sort())
  assert.ok(arrows.length > 200, 'the repository has arrows to judge')
})

test('no room knows of another what it may not', () => {
  const forbidden = arrows.filter(({ from, to, kind }) => {
    const { runs = [], types = [] } = rooms[from] ?? {}
    return !runs.includes(to) && !(kind === 'types' && types.includes(to))
  })
  assert.deepEqual(
    forbidden.map(({ text, kind }) => `${text} (${kind})`),
    [],
  )
})

test('the table allows nothing that nobody needs, and every exception is one', () => {
  const used = new Set(arrows.map(({ from, to, kind }) => `${from} ${kind} ${to}`))
  const idle = Object.entries(rooms).flatMap(([from, { runs, types = [] }]) => [
    ...runs.filter((to) => !used.has(`${from} runs ${to}`)).map((to) => `${from} runs ${to}`),
    ...types.filter((to) => !used.has(`${from} types ${to}`)).map((to) => `${from} types ${to}`),
  ])
  assert.deepEqual(idle, [])
  const imports = new Set(production.flatMap(({ path, imports }) => imports.map((to) => `${path} → ${to.path}`)))
  for (const exception of Object.keys(exceptions)) assert.ok(imports.has(exception), `${exception} is gone`)
})

test('at run time the rooms need each other in one direction alone', () => {
  const visiting: string[] = []
  const done = new Set<string>()
  function visit(room: string): void {
    if (done.has(room)) return
    assert.ok(!visiting.includes(room), `a circle: ${[...visiting, room].join(' → ')}`)
    visiting.push(room)
    for (const { to } of arrows.filter(({ from, kind }) => from === room && kind === 'runs')) visit(to)
    visiting.pop()
    done.add(room)
  }
  for (const room of Object.keys(rooms)) visit(room)
})

test('what ships imports nothing that only tests have', () => {
  const tests = new Set(files.filter(({ isTest }) => isTest).map(({ path }) => path))
  const leaks = production
    .filter(({ path }) => !path.startsWith('bench/'))
    .flatMap(({ path, imports }) =>
      imports.filter((target) => tests.has(target.path)).map((target) => `${path} → ${target.path}`),
    )
  assert.deepEqual(leaks, [])
})

const offenders = (among: readonly SourceFile[], isWrong: (file: SourceFile) => boolean): string[] =>
  among.filter(isWrong).map(({ path }) => path)

test('no file only hands on what others export', () => {
  const reexport = /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'[^']+'/gm
  const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
  const isBarrel = ({ path, text }: SourceFile) =>
    path.endsWith('/index.ts') || (reexport.test(text) && text.replace(reexport, '').replace(comment, '').trim() === '')
  assert.deepEqual(offenders(files, isBarrel), [])
})

test('no name says nothing: utils, helpers, common, manager, Impl', () => {
  const emptyFile = /(^|[/-])(utils?|helpers?|managers?|impl)(\.test)?\.ts$|\/common(\.test)?\.ts$/i
  const emptyFolder = /\/(utils?|helpers?|common|managers?)\//i
  assert.deepEqual(
    offenders(files, ({ path }) => emptyFile.test(path) || emptyFolder.test(path)),
    [],
  )
  const declared = /\b(?:class|interface|type|function|const|let)\s+\w*(?:Utils?|Helpers?|Managers?|Impl)\b/
  assert.deepEqual(
    offenders(files, ({ text }) => declared.test(text)),
    [],
  )
})

test('the environment is read in one place of the server', () => {
  const mayRead = /^(cli|demo|bench|test)\//
  const readers = offenders(production, ({ path, text }) => !mayRead.test(path) && /process\.env/.test(text))
  assert.deepEqual(readers, ['server/startup/run.ts'])
  const run = files.find(({ path }) => path === 'server/startup/run.ts')
  assert.deepEqual(run?.text.match(/.*process\.env.*/g), ['  const config = readConfig(process.env)'])
})

/** Tests of one thing that would be harder to find in two files. */
const long: readonly string[] = [
  'client/client.test.ts',
  'test/http/request-checks.test.ts',
  'test/otp/resend-otp.test.ts',
]

test('no file is longer than 250 lines but the few tests named here', () => {
  const tooLong = offenders(files, ({ text }) => text.split('\n').length > 251)
  assert.deepEqual(
    tooLong.filter((path) => !long.includes(path)),
    [],
  )
})

test("a tenant's patterns never reach the built-in RegExp", () => {
  const profiles = files.filter(({ path }) => path.startsWith('server/profiles/'))
  assert.ok(profiles.length > 30)
  const builds = /\bRegExp\s*\(|\.(?:match|matchAll|search)\((?!\/)/
  assert.deepEqual(
    offenders(profiles, ({ text, isTest }) => !isTest && builds.test(text)),
    [],
  )
})
