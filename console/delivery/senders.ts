import { pastedText } from '../../contract/pasted-text.ts'
import { senderForms } from '../../contract/senders/generated/sender-forms.ts'
import type { SenderField } from '../../contract/senders/sender-form.ts'
import type { DeliveryMethod, DeliveryModule } from '../../packages/client/src/admin.ts'

export type Sender = NonNullable<DeliveryModule['email']>[number] | NonNullable<DeliveryModule['sms']>[number]
export type SenderType = Sender['type']

export const typesFor = (method: DeliveryMethod): SenderType[] =>
  (Object.keys(senderForms) as SenderType[]).filter((type) => senderForms[type].methods.includes(method))

/** Where a sender sends to, without secrets. */
export function destinationOf(sender: Sender): string {
  const { fields, destination } = senderForms[sender.type]
  const defaults = Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue]))
  const values: Readonly<Record<string, unknown>> = { ...defaults, ...sender }
  const names = (text: string) => Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
  const shown = destination.find((text) => names(text).every((name) => values[name] !== undefined)) ?? ''
  return shown.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** What is in the fields of a form; empty texts for what is not set. */
export type SenderValues = Readonly<Record<string, string>>

export const valuesOf = (sender: Sender): SenderValues =>
  Object.fromEntries([
    ['name', sender.name ?? ''],
    ...senderForms[sender.type].fields.map(({ name, isSecret }) => {
      const value = (sender as Readonly<Record<string, unknown>>)[name]
      return [name, isSecret || value === undefined ? '' : String(value)]
    }),
  ])

/**
 * The settings that a form stands for. The server judges them.
 * @param before the sender that is edited: what the form does not show is kept, also a secret that is not saved yet
 */
export function senderOf(type: SenderType, values: SenderValues, before?: Sender): Sender {
  const known = (before?.type === type ? before : {}) as Readonly<Record<string, unknown>>
  const given: Record<string, unknown> = { ...known, type }
  for (const { name, isSecret, isNumber } of [{ name: 'name' } as SenderField, ...senderForms[type].fields]) {
    const text = pastedText(values[name] ?? '')
    if (text !== '') given[name] = isNumber && /^\d+$/.test(text) ? Number(text) : text
    else if (!isSecret) delete given[name]
  }
  return given as unknown as Sender
}

const ids = new WeakMap<Sender, string>()
let count = 0

/** A name of a sender within this page. It stays when the sender moves; names of senders without one do not. */
export function idOf(sender: Sender): string {
  const known = ids.get(sender)
  if (known !== undefined) return known
  const id = `sender-${++count}`
  ids.set(sender, id)
  return id
}
