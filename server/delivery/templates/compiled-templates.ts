import { type CompiledTemplate, compileTemplate, type TemplatePart } from './liquid-engine.ts'

/** The maximum of source characters in the cache. A compiled template needs about twenty times its size. */
const MOST_CHARACTERS = 1_000_000

/** A cache of compiled templates by source; evicts the least recently used. */
export interface CompiledTemplates {
  /** @throws TemplateProblem, which is not cached */
  get(source: string, part: TemplatePart): CompiledTemplate
  /** Source characters in the cache. */
  readonly size: number
}

/** A cache limited by characters instead of entries, so that long templates of one tenant cannot fill the memory. */
export function createCompiledTemplates({ mostCharacters = MOST_CHARACTERS } = {}): CompiledTemplates {
  const held = new Map<string, CompiledTemplate>()
  let size = 0

  return {
    get size() {
      return size
    },
    get(source, part) {
      const key = `${part}:${source}`
      const known = held.get(key)
      const compiled = known ?? compileTemplate(source, part)
      if (known === undefined) size += key.length
      else held.delete(key)
      held.set(key, compiled) // Last in the order of the map: the first is the one not used for longest.
      for (const oldest of held.keys()) {
        if (size <= mostCharacters) break
        held.delete(oldest)
        size -= oldest.length
      }
      return compiled
    },
  }
}

/** Shared by all tenants, because compiled templates contain no values. */
export const compiledTemplates = createCompiledTemplates()
