import { z } from 'zod'
import type { DeliveryMethod } from '../accounts/otp.ts'
import { http } from './http.ts'
import type { SenderKind } from './sender-kind.ts'
import { smtp } from './smtp.ts'
import { twilio } from './twilio.ts'

/** Every type of sender; `server/delivery/providers/provider-kinds.ts` lists their implementations. */
export const senderKinds = [smtp, twilio, http] as const

type Kind = (typeof senderKinds)[number]
type KindFor<M extends DeliveryMethod, K = Kind> = K extends Kind ? (M extends K['methods'][number] ? K : never) : never

const kindsFor = (method: DeliveryMethod): Kind[] =>
  senderKinds.filter(({ methods }) => (methods as readonly DeliveryMethod[]).includes(method))

type Schemas<M extends DeliveryMethod> = [KindFor<M>['settings'], ...KindFor<M>['settings'][]]
const schemasFor = <M extends DeliveryMethod>(method: M) =>
  kindsFor(method).map(({ settings }) => settings) as unknown as Schemas<M>

/** A sender of e-mail. */
export const EmailSender = z.discriminatedUnion('type', schemasFor('email'))
export type EmailSender = z.infer<typeof EmailSender>

/** A sender of SMS. */
export const SmsSender = z.discriminatedUnion('type', schemasFor('sms'))
export type SmsSender = z.infer<typeof SmsSender>

/** A sender of either method. */
export type SenderSettings = EmailSender | SmsSender

/** Fields that are encrypted at rest and never returned. */
export const secretFields = ({ type }: Pick<SenderSettings, 'type'>): readonly string[] =>
  senderKinds.find((kind) => kind.type === type)?.secrets ?? []

/** The settings of the server's environment that set up sending for all tenants: `SMTP_URL and MAIL_FROM`. */
export const environmentSettings = (method: DeliveryMethod): string =>
  kindsFor(method)
    .map(({ environment }: SenderKind) => new Intl.ListFormat('en-GB').format(environment))
    .filter((names) => names !== '')
    .join(', or ')

const inOrder = <T extends z.ZodType<SenderSettings>>(sender: T) =>
  z
    .array(sender)
    .max(5, { error: 'List at most 5 senders' })
    .superRefine((senders: readonly SenderSettings[], context) => {
      const seen = new Set<string>()
      for (const [index, { name }] of senders.entries()) {
        if (name !== undefined && seen.has(name))
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: 'Duplicate sender name; sender names must be unique',
          })
        if (name !== undefined) seen.add(name)
      }
    })

/** A tenant's e-mail senders in order of preference. */
export const EmailSenders = inOrder(EmailSender)
/** A tenant's SMS senders in order of preference. */
export const SmsSenders = inOrder(SmsSender)
