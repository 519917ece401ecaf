import { z } from 'zod'
import { Condition } from './condition.ts'
import { LocalizedText } from './localized-text.ts'

/** How a client may show a field. A hint: it changes no rule. */
export const ComponentControl = z.enum([
  'dropdown',
  'radio',
  'checkboxes',
  'switch',
  'range',
  'stars',
  'textarea',
  'hidden',
  'avatar',
])
export type ComponentControl = z.infer<typeof ComponentControl>

/** One choice of a `select` or `multiselect`: the stored value and the displayed label. */
export const ComponentOption = z.strictObject({
  value: z.string(),
  label: LocalizedText.optional(),
  when: Condition.optional().meta({ description: 'The option can be chosen only while this holds.' }),
})
export type ComponentOption = z.infer<typeof ComponentOption>

const flag = (description: string) => z.boolean().optional().meta({ description })
const condition = (description: string) => Condition.optional().meta({ description })
const whole = z.int().optional()
const strings = z.array(z.string()).optional()

/** The members of every component. Defaults: not required, writable, readable, not write-once, no rules. */
const common = {
  name: z.string().meta({ description: 'Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names' }),
  label: LocalizedText.optional(),
  description: LocalizedText.optional(),
  placeholder: LocalizedText.optional(),
  control: ComponentControl.optional().meta({ description: 'How to show the field; a hint without effect on rules.' }),
  messages: z
    .record(z.string(), LocalizedText)
    .optional()
    .meta({ description: 'What a client shows when a rule is violated, by the rule of `error.details`.' }),
  required: flag('true: null is rejected, so a value that is set cannot be cleared'),
  writable: flag('false: only the operator can set the field; values from clients are ignored'),
  writeOnce: flag('true: clients cannot change the value once it is set'),
  readable: flag('false: the user reads null. With `writable: false` the field is the operator’s own note.'),
  sensitive: flag('true: never in events, webhooks or logs; in exports of users only with `sensitive=true`'),
  lockedWhen: condition('While it holds on the stored profile, clients cannot change the field.'),
  visibleWhen: condition('While it does not hold, the field does not exist: its value is cleared.'),
  requiredWhen: condition('While it holds, the field must have a value.'),
}
const indexed = {
  unique: flag('true: no two users of the tenant have the same value'),
  uniqueBy: z
    .enum(['folded', 'exact'])
    .optional()
    .meta({ description: 'exact: letter case distinguishes values. Default: folded.' }),
}
const searchable = { searchable: flag('true: the operator can search users by this field') }
const claims = {
  claim: flag('true: access tokens contain the value as `profile.<name>`'),
  claimFromUser: flag('true: the user may write a field that is a claim'),
}

const component = <T extends string, R extends z.ZodRawShape, M extends z.ZodRawShape>(type: T, rules: R, more: M) =>
  z.strictObject({ type: z.literal(type), ...common, rules: z.strictObject(rules).optional(), ...more })

const lengths = { minLength: whole, maxLength: whole, pattern: z.string().optional() }
const bounds = { min: z.string().optional(), max: z.string().optional() }
const numbers = { min: z.number().optional(), max: z.number().optional(), step: z.number().optional() }
const parts = { parts: strings, requiredParts: strings }
const options = { options: z.array(ComponentOption) }

/** One field of the profile, by its type. */
export const ProfileComponent = z.discriminatedUnion('type', [
  component('text', lengths, { ...indexed, ...searchable, ...claims }),
  component('multiline', lengths, claims),
  component('email', { domains: strings }, { ...indexed, ...searchable, ...claims }),
  component('phone', { countries: strings }, { ...indexed, ...searchable, ...claims }),
  component('url', { domains: strings }, { ...indexed, ...searchable, ...claims }),
  component('number', numbers, { ...searchable, ...claims }),
  component('integer', numbers, { ...indexed, ...searchable, ...claims }),
  component('boolean', { mustBeTrue: z.boolean().optional() }, { ...searchable, ...claims }),
  component('date', { ...bounds, minAge: whole, maxAge: whole }, { ...searchable, ...claims }),
  component('datetime', bounds, claims),
  component('time', bounds, claims),
  component('select', {}, { ...options, ...indexed, ...searchable, ...claims }),
  component('multiselect', { minItems: whole, maxItems: whole }, { ...options, ...searchable }),
  component(
    'list',
    {
      minItems: whole,
      maxItems: whole,
      itemMinLength: whole,
      itemMaxLength: whole,
      pattern: z.string().optional(),
      unique: z.boolean().optional(),
      items: z.enum(['text', 'email', 'phone', 'url', 'date']).optional(),
    },
    {},
  ),
  component('month', bounds, claims),
  component('week', bounds, claims),
  component('country', { in: strings }, { ...searchable, ...claims }),
  component('language', { in: strings }, { ...searchable, ...claims }),
  component('currency', { in: strings }, claims),
  component('timezone', { in: strings }, claims),
  component('name', { ...parts, maxLength: whole }, {}),
  component('address', { ...parts, countries: strings }, {}),
  component('consent', { version: z.string().optional(), mustBeTrue: z.boolean().optional() }, {}),
])
export type ProfileComponent = z.infer<typeof ProfileComponent>

/** The field types. */
export const ComponentType: z.ZodEnum<{ [T in ProfileComponent['type']]: T }> = z.enum(
  ProfileComponent.options.map(({ shape }) => shape.type.value) as [ProfileComponent['type']],
) as never
export type ComponentType = ProfileComponent['type']

/** The value of a profile field: a scalar, an array of strings, or an object, depending on its type. */
export const ProfileFieldValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.record(z.string(), z.union([z.string(), z.boolean()])),
])
export type ProfileFieldValue = z.infer<typeof ProfileFieldValue>
