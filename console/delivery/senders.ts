import type { DeliveryMethod, DeliveryModule } from '../../packages/client/src/admin.ts'

export type Sender = NonNullable<DeliveryModule['email']>[number] | NonNullable<DeliveryModule['sms']>[number]
export type SenderType = Sender['type']

/** A setting of a sender. */
export interface SenderField {
  readonly name: string
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  /** Never shown: an empty field keeps what is stored. */
  readonly isSecret?: true
  readonly isNumber?: true
}

interface SenderKind {
  readonly label: string
  readonly methods: readonly DeliveryMethod[]
  readonly fields: readonly SenderField[]
}

/** What the server answers in place of a secret, and takes as "the one that is stored". */
export const keptSecret = '••••'

export const senderKinds: Readonly<Record<SenderType, SenderKind>> = {
  smtp: {
    label: 'SMTP server',
    methods: ['email'],
    fields: [
      { name: 'host', label: 'Host', placeholder: 'smtp.example.com' },
      { name: 'port', label: 'Port', placeholder: '587', description: '587 or 465', isNumber: true },
      { name: 'user', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
    ],
  },
  twilio: {
    label: 'Twilio',
    methods: ['sms'],
    fields: [
      { name: 'accountSid', label: 'Account SID', placeholder: 'AC…' },
      { name: 'authToken', label: 'Auth token', isSecret: true },
      { name: 'from', label: 'From', placeholder: '+33612345678', description: 'A number, a short code or a name.' },
      { name: 'messagingServiceSid', label: 'Messaging service SID', description: 'In place of From.' },
    ],
  },
  http: {
    label: 'Your own gateway (signed HTTP)',
    methods: ['email', 'sms'],
    fields: [
      { name: 'url', label: 'URL', placeholder: 'https://gateway.example.com/messages' },
      { name: 'secret', label: 'Signing secret', description: 'whsec_ and base64', isSecret: true },
    ],
  },
}

export const typesFor = (method: DeliveryMethod): SenderType[] =>
  (Object.keys(senderKinds) as SenderType[]).filter((type) => senderKinds[type].methods.includes(method))

/** Where a sender sends to, without secrets. */
export function destinationOf(sender: Sender): string {
  if (sender.type === 'smtp') return `${sender.host}:${sender.port ?? 587}`
  if (sender.type === 'http') return sender.url
  return sender.from ?? sender.messagingServiceSid ?? sender.accountSid
}

/** What is in the fields of a form; empty texts for what is not set. */
export type SenderValues = Readonly<Record<string, string>>

export const valuesOf = (sender: Sender): SenderValues =>
  Object.fromEntries([
    ['name', sender.name ?? ''],
    ...senderKinds[sender.type].fields.map(({ name, isSecret }) => {
      const value = (sender as Readonly<Record<string, unknown>>)[name]
      return [name, isSecret || value === undefined ? '' : String(value)]
    }),
  ])

/**
 * The settings that a form stands for. The server judges them.
 * @param before the sender that is edited: what the form does not show is kept, also a secret
 */
export function senderOf(type: SenderType, values: SenderValues, before?: Sender): Sender {
  const known = (before?.type === type ? before : {}) as Readonly<Record<string, unknown>>
  const given: Record<string, unknown> = { ...known, type }
  for (const { name, isSecret, isNumber } of [{ name: 'name' } as SenderField, ...senderKinds[type].fields]) {
    const text = (values[name] ?? '').trim()
    if (text !== '') given[name] = isNumber && /^\d+$/.test(text) ? Number(text) : text
    else if (isSecret && known[name] !== undefined) given[name] = keptSecret
    else delete given[name]
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
