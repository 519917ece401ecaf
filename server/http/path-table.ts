import type { Operation } from '../../contract/operation.ts'

/** A method of a path, as routes are declared: parameters are `:name`, and `*` as the last segment stands for any rest. */
interface PathMethod {
  readonly method: Operation['method'] | 'HEAD'
  readonly path: string
}

/** The methods that a path supports; used when no route matches. */
interface PathTable {
  add(row: PathMethod): void
  /** Sorted; empty for a path without a row. HEAD is included with GET. */
  methodsOf(path: string): string[]
}

/** Paths are compared exactly: case, slashes and encoding matter (threat A23). */
export function createPathTable(rows: readonly PathMethod[] = []): PathTable {
  const table = rows.map(rowOf)
  return {
    add: (row) => void table.push(rowOf(row)),
    methodsOf(path) {
      const segments = path.split('/')
      const methods = table.filter((row) => isMatch(row.segments, segments)).map(({ method }) => method as string)
      return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
    },
  }
}

const rowOf = ({ method, path }: PathMethod) => ({ method, segments: path.split('/') })

function isMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.at(-1) === '*') {
    const beginning = pattern.slice(0, -1)
    return segments.length >= pattern.length && isMatch(beginning, segments.slice(0, beginning.length))
  }
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}
