import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf } from './source-files.ts'

test('finds every form of import', () => {
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
})
