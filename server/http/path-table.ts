import type { Operation } from '../../contract/operation.ts'

/** Which methods a path takes; asked only where no route matched. */
export interface PathTable {
  /** Sorted; empty for a path that no operation has. GET brings HEAD along. */
  methodsOf(path: string): string[]
}

/** Paths are compared as they are: case, slashes and encoding count (threat A23). */
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
