import { z } from 'zod'
import type { FieldDetail as CheckedDetail } from './fields/field-problem.ts'

const detail = <R extends string, P extends z.ZodRawShape>(rule: R, parameters: P) =>
  z.strictObject({ rule: z.literal(rule), ...parameters })
const texts = z.array(z.string())
const bound = z.union([z.number(), z.string()])

/** The rule that a profile field violates, with the rule's parameters. A closed set; `contract/fields/` makes them. */
export const FieldDetail = z.discriminatedUnion('rule', [
  detail('type', { expected: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']) }),
  detail('characters', {}),
  detail('format', { format: z.string() }),
  detail('minLength', { minLength: z.int() }),
  detail('maxLength', { maxLength: z.int(), part: z.string().optional() }),
  detail('itemMinLength', { itemMinLength: z.int() }),
  detail('itemMaxLength', { itemMaxLength: z.int() }),
  detail('minItems', { minItems: z.int() }),
  detail('maxItems', { maxItems: z.int() }),
  detail('uniqueItems', {}),
  detail('items', { items: z.string() }),
  detail('pattern', {}),
  detail('min', { min: bound }),
  detail('max', { max: bound }),
  detail('step', { step: z.number() }),
  detail('minAge', { minAge: z.int() }),
  detail('maxAge', { maxAge: z.int() }),
  detail('domains', { domains: texts }),
  detail('countries', { countries: texts }),
  detail('in', { in: texts }),
  detail('options', { options: texts }),
  detail('requiredParts', { parts: texts }),
  detail('mustBeTrue', {}),
  detail('version', { version: z.string() }),
  detail('required', {}),
  detail('requiredWhen', {}),
  detail('writeOnce', {}),
  detail('lockedWhen', {}),
  detail('writable', {}),
  detail('unique', {}),
])
export type FieldDetail = z.infer<typeof FieldDetail>

type Mutable<T> = T extends readonly (infer I)[] ? I[] : { -readonly [K in keyof T]: Mutable<T[K]> }
type Equal<A, B> = [A, B] extends [B, A] ? true : { readonly differs: [Exclude<A, B>, Exclude<B, A>] }
/** Does not compile when the two sets differ; the error names the members that do. */
true satisfies Equal<Mutable<CheckedDetail>, FieldDetail>
