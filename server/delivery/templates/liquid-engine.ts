import type { Context, Liquid, Template } from 'liquidjs'
import { escapeHtml } from './escape-html.ts'
import { liquid } from './liquid.ts'
import { namedVariables } from './named-variables.ts'
import { explain, TemplateProblem } from './template-problem.ts'
import type { TemplateVariables } from './template-values.ts'

/** The parts of a message that are templates; only `html` escapes values. */
export type TemplatePart = 'subject' | 'text' | 'html' | 'sms'

/** A compiled template. */
export interface CompiledTemplate {
  /** See `namedVariables`. */
  variables(): Iterable<string>
  /** @throws TemplateProblem, which contains no value */
  render(variables: TemplateVariables): string
}

/** The allowed tags and filters: none that loop, store, read files or undo escaping (threat C25). */
export const allowedTags: readonly string[] = ['if', 'unless', 'case', 'comment', 'raw']
export const allowedFilters: readonly string[] = ['capitalize', 'default', 'downcase', 'strip', 'truncate', 'upcase']

/** The longest allowed part of 100,000 code points, in UTF-16 units. */
const LONGEST_SOURCE = 200_000
/**
 * Without loops, the time is proportional to the Liquid in a template: 20 µs per tag, 1 µs per character in it. There is no
 * limit in seconds, by which a busy machine would refuse what another accepts.
 */
const MOST_TAGS = 500
const MOST_TAG_CHARACTERS = 10_000
/** The longest output. Providers accept SMS of up to 1,600 characters. */
const longestOutput: Readonly<Record<TemplatePart, number>> = {
  subject: 2_000,
  text: 20_000,
  html: 200_000,
  sms: 1_500,
}

interface Engines {
  readonly plain: Liquid
  readonly html: Liquid
}
let engines: Engines | undefined

/** Created on first use, like the library. */
function engineFor(part: TemplatePart): Liquid {
  engines ??= { plain: lockedDown((text) => text), html: lockedDown(escapeHtml) }
  return part === 'html' ? engines.html : engines.plain
}

/**
 * Compiles a template.
 * @throws TemplateProblem that says what to change
 */
export function compileTemplate(source: string, part: TemplatePart): CompiledTemplate {
  const engine = engineFor(part)
  return inPlainWords(() => {
    const templates = parse(engine, source)
    return {
      variables: () => namedVariables(templates),
      render: (variables) => inPlainWords(() => render(engine, templates, variables, part)),
    }
  })
}

function parse(engine: Liquid, source: string): Template[] {
  const { Parser, Tokenizer, TypeGuards } = liquid()
  if (source.length > LONGEST_SOURCE) throw new TemplateProblem(`Keep it to ${LONGEST_SOURCE} characters`)
  const tokens = new Tokenizer(source, engine.options.operators).readTopLevelTokens(engine.options)
  const tags = tokens.filter(TypeGuards.isDelimitedToken)
  if (tags.length > MOST_TAGS) throw new TemplateProblem(`Use at most ${MOST_TAGS} {{ … }} and {% … %}`)
  if (tags.reduce((characters, tag) => characters + tag.size(), 0) > MOST_TAG_CHARACTERS)
    throw new TemplateProblem(`Keep what is inside {{ … }} and {% … %} to ${MOST_TAG_CHARACTERS} characters in all`)
  return new Parser(engine).parseTokens(tokens)
}

function render(engine: Liquid, templates: Template[], variables: TemplateVariables, part: TemplatePart): string {
  const limit = longestOutput[part]
  const output: string = engine.renderSync(templates, variables, { memoryLimit: limit })
  if (output.length > limit) throw new TemplateProblem(`Make it shorter: at most ${limit} characters may come out`)
  return output
}

function inPlainWords<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw explain(error, { allowedTags, allowedFilters })
  }
}

function lockedDown(asContent: (text: string) => string): Liquid {
  const engine = new (liquid().Liquid)({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {}, // No file is ever looked for, even if a tag that reads them came back.
    outputEscape: function (this: { readonly context: Context }, value: unknown) {
      const text = asContent(String(value ?? ''))
      this.context.memoryLimit.use(text.length)
      return text
    },
  })
  for (const tag of Object.keys(engine.tags)) if (!allowedTags.includes(tag)) delete engine.tags[tag]
  for (const filter of Object.keys(engine.filters))
    if (!allowedFilters.includes(filter)) engine.unregisterFilter(filter)
  return engine
}
