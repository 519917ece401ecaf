import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importersOf, readSourceFiles } from '../support/source-files.ts'

/** Not `contract/`: the types of the client are named after what it exports. */
const isChecked = (path: string): boolean => /^(?:bench|cli|demo|server)\//.test(path)

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
  assert.deepEqual(unused, [], 'remove `export`, or what nothing uses')
})
