import { LruCache } from '../../core/lru-cache.ts'
import { type CompiledTemplate, compileTemplate, type TemplatePart } from './liquid-engine.ts'

/** The maximum of source characters in the cache. A compiled template needs about twenty times its size. */
const MOST_CHARACTERS = 1_000_000

/** A cache of compiled templates by source; evicts the least recently used. */
interface CompiledTemplates {
  /** @throws TemplateProblem, which is not cached */
  get(source: string, part: TemplatePart): CompiledTemplate
  /** Source characters in the cache. */
  readonly size: number
}

/** A cache limited by characters instead of entries, so that long templates of one tenant cannot fill the memory. */
export function createCompiledTemplates({ mostCharacters = MOST_CHARACTERS } = {}): CompiledTemplates {
  const held = new LruCache<CompiledTemplate>(mostCharacters, (_, key) => key.length)
  return {
    get size() {
      return held.size
    },
    get(source, part) {
      const key = `${part}:${source}`
      const known = held.get(key)
      if (known !== undefined) return known
      const compiled = compileTemplate(source, part)
      if (key.length <= mostCharacters) held.set(key, compiled)
      return compiled
    },
  }
}

/** Shared by all tenants, because compiled templates contain no values. */
export const compiledTemplates = createCompiledTemplates()
