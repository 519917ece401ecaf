import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const { scripts, engines, optionalDependencies, workspaces } = JSON.parse(read('package.json'))
const bundled = JSON.parse(read('launcher/package.json'))

/** What cmd.exe or PowerShell does not understand, or understands in another way than sh. */
const notPortable = /^exec\b|^\w+=|\b(?:rm|cp|mv|mkdir|cat|export)\b|['`$\\;|<>*]|(?<!&)&(?!&)/

test('finds what only some shells understand', () => {
  const wrong = ['exec node x', 'A=b node x', 'rm -rf x', "node 'x'", 'node $X', 'node x; node y', 'node x & node y']
  for (const script of wrong) assert.match(script, notPortable, script)
  assert.doesNotMatch('npm run types && npm test -- --full', notPortable)
})

test('every script runs in the shells of Linux, macOS and Windows', () => {
  const packages = (workspaces as string[]).map((folder) => JSON.parse(read(`${folder}/package.json`)))
  const all = [scripts, ...packages.map((each) => each.scripts ?? {})].flatMap((each) => Object.values<string>(each))
  const commands = all.flatMap((script) => script.split(' && '))
  assert.deepEqual(
    commands.filter((command) => notPortable.test(command)),
    [],
  )
})

test('every script that runs a file of this repository uses the launcher', () => {
  // npm runs `prepare` also where nothing is installed: there it does nothing, and the launcher would miss a newer Node.
  const { prepare, ...others } = scripts
  assert.equal(prepare, 'node console/build.mjs && node launcher/bundle.mjs')
  const direct = Object.values<string>(others).filter(
    (script) =>
      /\bnode\b/.test(script) && !/^node (?:--\S+ )*launcher\/launch\.mjs \S+\.(?:ts|js)(?: [\w/]+)*$/.test(script),
  )
  assert.deepEqual(direct, [])
  assert.match(scripts.start, /server\/start\.js$/)
})

test('the launcher, package.json and the bundled Node agree on the version', () => {
  const [, major = ''] = /^>=(\d+)$/.exec(engines.node) ?? []
  assert.match(read('launcher/launch.mjs'), new RegExp(`^const neededMajor = ${major}$`, 'm'))
  // npm skips an optional dependency whose `engines` do not match its Node.
  assert.equal(bundled.engines.node, `<${major}`)
  assert.equal(optionalDependencies[bundled.name], 'file:launcher')
  const versions = Object.values<string>(bundled.optionalDependencies)
  assert.deepEqual([...new Set(versions)], [bundled.version])
  assert.equal(bundled.version.split('.')[0], major)
})
