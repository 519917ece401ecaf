import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourceFiles, type SourceFile } from '../support/source-files.ts'

const files = readSourceFiles()
const production = files.filter(({ isTest }) => !isTest)

const offenders = (among: readonly SourceFile[], isWrong: (file: SourceFile) => boolean): string[] =>
  among.filter(isWrong).map(({ path }) => path)

test('no file only re-exports what other files export, except the entries of a package', () => {
  const reexport = /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'[^']+'/gm
  const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
  const isBarrel = ({ path, text }: SourceFile) =>
    (reexport.test(text) || path.endsWith('/index.ts')) && text.replace(reexport, '').replace(comment, '').trim() === ''
  assert.deepEqual(offenders(files, isBarrel), ['packages/client/src/index.ts', 'packages/client/src/react.ts'])
})

test('no file or declaration is named utils, helpers, common, manager or Impl', () => {
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

test('the server reads the environment in one place', () => {
  const mayRead = /^(cli|demo|bench|test)\/|^console\/vite\.config\.ts$/
  const readers = offenders(production, ({ path, text }) => !mayRead.test(path) && /process\.env/.test(text))
  assert.deepEqual(readers, ['server/startup/run.ts'])
  const run = files.find(({ path }) => path === 'server/startup/run.ts')
  assert.deepEqual(run?.text.match(/.*process\.env.*/g), [
    "  const envFile = applyEnvFile(process.env, '.')",
    // libuv reads the size of its thread pool from the environment.
    '  sizeThreadPool(process.env)',
    '  const config = readConfig(process.env)',
  ])
})

/** Tests of one subject that would be harder to find in two files. */
const longTests: readonly string[] = [
  'packages/client/src/client.test.ts',
  'test/client/example.test.ts',
  'test/http/request-checks.test.ts',
  'test/otp/resend-otp.test.ts',
]

test('no file is longer than 250 lines, except generated ones and the tests named here', () => {
  const tooLong = offenders(files, ({ path, text }) => !path.includes('/generated/') && text.split('\n').length > 251)
  assert.deepEqual(
    tooLong.filter((path) => !longTests.includes(path)),
    [],
  )
})

test('patterns of tenants never reach the built-in RegExp, except those that the client finds linear', () => {
  const judging = /^(?:server\/profiles|contract\/fields|packages\/client\/src\/profile)\//
  const profiles = files.filter(({ path }) => judging.test(path) && !path.endsWith('/native-pattern.ts'))
  assert.ok(profiles.length > 50)
  const builds = /\bRegExp\s*\(|\.(?:match|matchAll|search)\((?!\/)/
  assert.deepEqual(
    offenders(profiles, ({ text, isTest }) => !isTest && builds.test(text)),
    [],
  )
})
