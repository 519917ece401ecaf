import type { TemplateKind } from '../../../contract/tenants/delivery-templates.ts'
import { carriesCode, mayCarryUndo } from './message-kinds.ts'

/** The values of a message. */
export interface MessageValues {
  /** A one-time password or an undo code; null for a notice without one. */
  readonly code: string | null
  /** Whole minutes a one-time password is valid for; null for notices. */
  readonly minutes: number | null
  /** The id to enter with an undo code; null without one. */
  readonly id: string | null
  /** Whole hours an undo code is valid for; null without one. */
  readonly hours: number | null
  /** The tenant's name. */
  readonly tenant: string
  /** Masked. */
  readonly recipient: string
}

/** All variables of a template. `locale` is the recipient's, regardless of the template's language. */
export interface TemplateVariables extends MessageValues {
  readonly kind: TemplateKind
  readonly locale: string
  /** The tenant's WebOTP domain; null if not configured. */
  readonly domain: string | null
}

/** The variables allowed in a template of this kind. */
export const variablesFor = (kind: TemplateKind): readonly (keyof TemplateVariables)[] => [
  ...(carriesCode(kind) ? (['code', 'minutes'] as const) : []),
  ...(mayCarryUndo(kind) ? (['code', 'id', 'hours'] as const) : []),
  ...(['tenant', 'recipient', 'locale', 'kind', 'domain'] as const),
]

/** Whether a text contains what the recipient must enter: the code, and the id of an undo code. */
export function containsEntries(text: string, { kind, code, id }: TemplateVariables): boolean {
  if (carriesCode(kind)) return code !== null && text.includes(code)
  if (!mayCarryUndo(kind) || code === null || id === null) return true
  return text.includes(code) && text.includes(id)
}

/** The maximum length of a tenant's name, which is the longest value. */
export const LONGEST_VALUE = 200

/** Line breaks, other control characters, and bidirectional formatting characters. */
const breaksLines = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const lineBreaks = new RegExp(`${breaksLines.source}+`, 'gu')

/**
 * Text on a single line. Line breaks could add a header (threat C24), or a last line to an SMS that browsers read as
 * "this code is for that site".
 */
export function oneLine(text: string): string {
  const sound = text.toWellFormed()
  return (breaksLines.test(sound) ? sound.replace(lineBreaks, ' ') : sound).trim()
}

/** The text, or its start and `mark`, in at most `max` UTF-16 units, without splitting a character. */
export function clip(text: string, max: number, mark = '…'): string {
  if (text.length <= max) return text
  return `${text.slice(0, max - mark.length).replace(/[\ud800-\udbff]$/, '')}${mark}`
}

const atLeastOne = (amount: number): number => Math.max(1, Math.floor(amount) || 1)

/** Values that are safe in a message. */
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
