import type { DeliveryMethod } from '../../../contract/accounts/otp.ts'
import type { NoticeKind, TemplateKind } from '../../../contract/tenants/delivery-templates.ts'
import { type Block, htmlLayout } from './html-layout.ts'
import type { CodeEmail, Language, Words } from './languages/language.ts'
import { builtInLanguage } from './languages/languages.ts'
import type { MessageContent } from './message-content.ts'
import { carriesCode, mayCarryUndo, type UndoableKind } from './message-kinds.ts'
import { clip, type MessageValues } from './template-values.ts'

/** A longer name would cost a second SMS. Dots, not an ellipsis: that one is not in GSM 7 bit. */
const LONGEST_SMS_NAME = 30

/**
 * A message in the built-in words, in the language of the locale or else in English. Never throws: this is what is sent
 * when a tenant's own template fails.
 * @param values cleaned, see `cleanValues`.
 */
export function builtInMessage(
  kind: TemplateKind,
  method: DeliveryMethod,
  locale: string,
  { tenant, code, minutes, id, hours }: MessageValues,
): MessageContent {
  const language = builtInLanguage(locale)
  const words: Words = {
    tenant,
    code: code ?? '',
    minutes: language.minutes(minutes ?? 1),
    id: id ?? '',
    hours: language.hours(hours ?? 1),
  }
  const undone = mayCarryUndo(kind) && code !== null && id !== null ? kind : null
  if (method === 'email') return email(kind, undone, language, words)
  const phrase = undone === null ? language.sms[kind] : language.undo.sms[undone]
  const text = phrase({ ...words, tenant: clip(tenant, LONGEST_SMS_NAME, '...') })
  return { subject: null, text, html: null, locale: language.tag }
}

/** @param undone the kind whose undo code the message carries; null for a message without one. */
function email(kind: TemplateKind, undone: UndoableKind | null, language: Language, words: Words): MessageContent {
  const { subject, heading, preheader, blocks } = carriesCode(kind)
    ? codeEmail(language, language.codeEmails[kind], words)
    : noticeEmail(kind, undone, language, words)
  const { tenant } = words
  return {
    subject,
    text: `${blocks.map(plain).join('\n\n')}\n`,
    // Laid out when it is asked for: the testing channel shows the text alone.
    get html() {
      return htmlLayout({ locale: language.tag, subject, preheader, tenant, heading, blocks })
    },
    locale: language.tag,
  }
}

interface EmailParts {
  readonly subject: string
  readonly heading: string
  readonly preheader: string
  readonly blocks: readonly Block[]
}

/** A block in the text part: what is to be entered stands on its own line, under its label. */
function plain(block: Block): string {
  if ('text' in block) return block.text
  const value = 'code' in block ? block.code : block.reference
  return block.label === undefined ? value : `${block.label}\n${value}`
}

const codeEmail = (
  { preheader, validity }: Language,
  { subject, heading, intro, notYou }: CodeEmail,
  words: Words,
): EmailParts => ({
  subject: subject(words),
  heading: heading(words),
  preheader: preheader(words),
  blocks: [{ text: intro(words) }, { code: words.code }, { text: validity(words) }, { text: notYou(words) }],
})

function noticeEmail(kind: NoticeKind, undone: UndoableKind | null, language: Language, words: Words): EmailParts {
  const { subject, heading, happened, notYou } = language.noticeEmails[kind]
  return {
    subject: subject(words),
    heading: heading(words),
    preheader: language.noticePreheader,
    blocks: [
      { text: happened(words) },
      { text: language.wasYou },
      ...(undone === null ? [{ text: notYou(words) }] : undoBlocks(undone, language, words)),
    ],
  }
}

const undoBlocks = (kind: UndoableKind, { undo }: Language, words: Words): Block[] => [
  { text: undo.email[kind](words) },
  { code: words.code, label: undo.codeLabel },
  { reference: words.id, label: undo.idLabel },
  { text: undo.validity(words) },
  { text: undo.help(words) },
]
