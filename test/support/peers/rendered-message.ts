import fc from 'fast-check'
import type { RenderedMessage } from '../../../server/delivery/provider.ts'

/** Ten digits that do not occur by chance. */
export const canaryCode = '8301946275'

/** An e-mail with the canary code. */
export const renderedEmail = (changes: Partial<RenderedMessage> = {}): RenderedMessage => ({
  id: '01JD4Z8Q6W0000000000000000',
  tenantId: 'tnt_1',
  kind: 'otp',
  scope: 'otp_signin',
  method: 'email',
  recipient: 'mike@example.org',
  locale: 'en',
  subject: `${canaryCode} is your code`,
  text: `${canaryCode} is your code to sign in. It is valid for 10 min. Never share it.`,
  html: `<p>Your code: <b>${canaryCode}</b></p>`,
  from: null,
  createdAt: Date.UTC(2026, 10, 21, 8, 0, 0),
  ...changes,
})

/** An SMS with the canary code. */
export const renderedSms = (changes: Partial<RenderedMessage> = {}): RenderedMessage =>
  renderedEmail({ method: 'sms', recipient: '+33612345678', subject: null, html: null, ...changes })

/** A signal that is never aborted. */
export const neverAborted: AbortSignal = new AbortController().signal

/** Characters that are known to break headers, parsers or comparisons. */
const hostile = [
  '8',
  '3',
  ' ',
  '-',
  '.',
  '=',
  '\r',
  '\n',
  '\t',
  '\0',
  '\x7f',
  '\u2028',
  '\u200b',
  '\ufeff',
  '\ud800',
  '"',
]
const letters = ['a', 'A', ':', ',', ';', '<', '>', '@', '\\', '(', '=?', '?=', '\r\n.\r\n', 'é', 'İ', '字', '🙂', '３']

/** Texts of these characters and ordinary ones. */
export const hostileText = fc.string({ unit: fc.constantFrom(...hostile, ...letters), maxLength: 120 })
