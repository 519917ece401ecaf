import { type Template, type Token, TypeGuards, Value } from 'liquidjs'

/**
 * Every variable a template names, in branches not taken too, as written: `code`, `tenant.name`, `[kind]`; ranges
 * (`(1..9)`) count as one, so that they are refused like any other unknown name.
 *
 * Not the engine's own `analyze`: it looks up the line of each, which takes seconds where there are thousands.
 */
export function* namedVariables(templates: Iterable<Template>): Generator<string> {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? [])
      yield* argument instanceof Value ? namedInValue(argument) : namedInToken(argument)
    // Generators for the sake of partials, which are not allowed here: the first step is the last.
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
  if (TypeGuards.isPropertyAccessToken(token) || TypeGuards.isRangeToken(token)) yield token.getText()
}
