import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importersOf, readSourceFiles } from '../support/source-files.ts'

/**
 * Not `contract/`: the types of the client are named after what it exports. The tests in `test/` export nothing, but write
 * programs that do.
 */
const isChecked = (path: string): boolean =>
  /^(?:bench|cli|demo|server|test)\//.test(path) && !/^test\/.*\.test\.ts$/.test(path)

/** Exports that are imported otherwise, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'test/support/runner/run-files.ts: runFiles': 'imported by the program that test-processes.ts writes',
}

const declared = /^export (?:abstract |async )*(?:class|const|function\*?|interface|let|type) (\w+)/gm

test('every export is used by another file', () => {
  const files = readSourceFiles()
  const importers = importersOf(files)
  const unused = files
    .filter(({ path }) => isChecked(path))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(declared), ([, name]) => name!)
        .filter((name) => !importers(path).some((importer) => new RegExp(`\\b${name}\\b`).test(importer.text)))
        .map((name) => `${path}: ${name}`),
    )
    .filter((name) => !(name in exceptions))
  assert.deepEqual(unused, [], 'remove `export`, or what nothing uses')
})
