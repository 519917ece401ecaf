import type { Template, Token, Value } from 'liquidjs'
import { liquid } from './liquid.ts'

/**
 * Every variable in a template, including branches not taken, as written: `code`, `tenant.name`, `[kind]`. Ranges
 * (`(1..9)`) count as variables, so that they are rejected like unknown names.
 *
 * Replaces the engine's `analyze`, which looks up the line of each variable and takes seconds for thousands of them.
 */
export function* namedVariables(templates: Iterable<Template>): Generator<string> {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? [])
      yield* argument instanceof liquid().Value ? namedInValue(argument) : namedInToken(argument)
    // A generator because of partials. Those are not allowed here, so the first step is the last.
    const children = template.children?.(false, true).next()
    if (children?.done) yield* namedVariables(children.value)
  }
}

function* namedInValue({ initial, filters }: Value): Generator<string> {
  for (const token of initial.postfix) yield* namedInToken(token)
  for (const { args } of filters)
    for (const argument of args) yield* namedInToken(Array.isArray(argument) ? argument[1] : argument)
}

function* namedInToken(token: Token | undefined): Generator<string> {
  const { TypeGuards } = liquid()
  if (TypeGuards.isPropertyAccessToken(token) || TypeGuards.isRangeToken(token)) yield token.getText()
}
