import type { TemplateKind } from '../../../contract/delivery-templates.ts'
import { carriesCode, mayCarryUndo } from './message-kinds.ts'

/** What a message is filled with. */
export interface MessageValues {
  /** A one-time password or an undo code; null for a notice without one. */
  readonly code: string | null
  /** Whole minutes a one-time password is valid for; null for notices. */
  readonly minutes: number | null
  /** The id that is entered with an undo code; null without one. */
  readonly id: string | null
  /** Whole hours an undo code is valid for; null without one. */
  readonly hours: number | null
  /** The tenant's name. */
  readonly tenant: string
  /** Masked. */
  readonly recipient: string
}

/** The variables of a template: these and no others. `locale` is the recipient's, whatever language the template is in. */
export interface TemplateVariables extends MessageValues {
  readonly kind: TemplateKind
  readonly locale: string
  /** The tenant's WebOTP domain; null when it has none. */
  readonly domain: string | null
}

/** The names a template of this kind may use. */
export const variablesFor = (kind: TemplateKind): readonly (keyof TemplateVariables)[] => [
  ...(carriesCode(kind) ? (['code', 'minutes'] as const) : []),
  ...(mayCarryUndo(kind) ? (['code', 'id', 'hours'] as const) : []),
  ...(['tenant', 'recipient', 'locale', 'kind', 'domain'] as const),
]

/** Whether a text contains all that its recipient has to enter: the code, and the id that belongs to an undo code. */
export function containsEntries(text: string, { kind, code, id }: TemplateVariables): boolean {
  if (carriesCode(kind)) return code !== null && text.includes(code)
  if (!mayCarryUndo(kind) || code === null || id === null) return true
  return text.includes(code) && text.includes(id)
}

/** As long as the contract lets a tenant's name be; nothing that fills a template is longer. */
export const LONGEST_VALUE = 200

/** Line ends and other control characters, and the marks that turn the direction of text around. */
const breaksLines = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const lineBreaks = new RegExp(`${breaksLines.source}+`, 'gu')

/**
 * Text that stays on one line, wherever it is put: in a header (threat C24), or above the last line of an SMS, which
 * browsers read as "this code is for that site".
 */
export function oneLine(text: string): string {
  const sound = text.toWellFormed()
  return (breaksLines.test(sound) ? sound.replace(lineBreaks, ' ') : sound).trim()
}

/** The text, or its beginning and `mark`, in at most `max` characters (UTF-16 units), no character cut in half. */
export function clip(text: string, max: number, mark = '…'): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - mark.length).replace(/[\ud800-\udbff]$/, '')}${mark}`
}

const atLeastOne = (amount: number): number => Math.max(1, Math.floor(amount) || 1)

/** Values as they may go into a message. */
export function cleanValues({ code, minutes, id, hours, tenant, recipient }: MessageValues): MessageValues {
  return {
    code: code === null ? null : clip(oneLine(code), LONGEST_VALUE),
    minutes: minutes === null ? null : atLeastOne(minutes),
    id: id === null ? null : clip(oneLine(id), LONGEST_VALUE),
    hours: hours === null ? null : atLeastOne(hours),
    tenant: clip(oneLine(tenant), LONGEST_VALUE),
    recipient: clip(oneLine(recipient), LONGEST_VALUE),
  }
}
