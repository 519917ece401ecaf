import { type CompiledTemplate, compileTemplate, type TemplatePart } from './liquid-engine.ts'

/** Characters of source whose compiled form is kept; compiled, a template takes some twenty times its size. */
const MOST_CHARACTERS = 1_000_000

/** Keeps compiled templates by their source, those used last. */
export interface CompiledTemplates {
  /** @throws TemplateProblem; failures are not kept. */
  get(source: string, part: TemplatePart): CompiledTemplate
  /** Characters of source held. */
  readonly size: number
}

/** A cache bounded by characters, not entries: a single tenant with long templates cannot fill the memory. */
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

/** The process's own: compiled templates hold no values and belong to nobody. */
export const compiledTemplates = createCompiledTemplates()
