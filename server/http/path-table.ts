import type { Operation } from '../../contract/operation.ts'

/** The methods that a path supports; used when no route matches. */
export interface PathTable {
  /** Sorted; empty for a path without operations. HEAD is included with GET. */
  methodsOf(path: string): string[]
}

/** Paths are compared exactly: case, slashes and encoding matter (threat A23). */
export function createPathTable(operations: readonly Operation[]): PathTable {
  const table = operations.map(({ method, path }) => ({ method, segments: path.split('/') }))
  return {
    methodsOf(path) {
      const segments = path.split('/')
      const methods = table.filter((row) => isMatch(row.segments, segments)).map(({ method }) => method as string)
      return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort()
    },
  }
}

const isMatch = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
