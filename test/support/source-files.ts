import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** A TypeScript file of the repository and its imports of other such files. */
export interface SourceFile {
  /** From the repository's root: `server/otp/otp.ts`. */
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
  /** A test, or code that only tests use. */
  readonly isTest: boolean
}

/** `types`: an `import type`, which type stripping removes. */
interface Import {
  readonly path: string
  readonly kind: 'types' | 'runs'
}

const root = join(import.meta.dirname, '../..')
const folders = ['contract', 'packages', 'server', 'cli', 'demo', 'bench', 'test', 'console']

/** Every .ts and .tsx file of the repository. */
export function readSourceFiles(): SourceFile[] {
  return folders.flatMap((folder) => filesIn(folder)).map(readSourceFile)
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    const isSource = (name: string) => /\.tsx?$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name)
    return names.filter(isSource).map((name) => `${folder}/${name}`)
  } catch {
    return []
  }
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const isTest = path.startsWith('test/') || /\.(test|testkit)\.ts$/.test(path)
  return { path, text, isTest, imports: importsOf(path, text) }
}

const staticImport =
  /^(?:import|export)\s+(type\s+)?((?:[\w*$]+(?:\s+as\s+\w+)?\s*,?\s*)?(?:\{[^}]*\}\s*)?)from\s+'([^']+)'/gm
const otherImport = /\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm

/** The relative imports of a file. As in Node's type stripping, `import { type A }` runs the imported file. */
export function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = []
  const add = (target: string | undefined, kind: Import['kind']) => {
    if (target?.startsWith('.')) imports.push({ path: normalize(join(dirname(path), target)), kind })
  }
  for (const [, type, , target] of text.matchAll(staticImport)) add(target, type === undefined ? 'runs' : 'types')
  for (const [, dynamic, bare] of text.matchAll(otherImport)) add(dynamic ?? bare, 'runs')
  return imports
}

/** Finds the files that import a file. */
export function importersOf(files: readonly SourceFile[]): (path: string) => readonly SourceFile[] {
  const importers = new Map<string, SourceFile[]>()
  for (const file of files)
    for (const { path } of file.imports) importers.set(path, [...(importers.get(path) ?? []), file])
  return (path) => importers.get(path) ?? []
}

/** These files and those that run one of them, directly or indirectly, by path. */
export function pathsThatRun(files: readonly SourceFile[], paths: Iterable<string>): ReadonlySet<string> {
  const importers = importersOf(files)
  const found = new Set(paths)
  // The iteration includes what is added meanwhile.
  for (const path of found) {
    for (const importer of importers(path)) {
      if (importer.imports.some((one) => one.path === path && one.kind === 'runs')) found.add(importer.path)
    }
  }
  return found
}
