import type { TemplateKind } from '../../../contract/delivery-templates.ts'
import type { DeliveryMethod } from '../../../contract/otp.ts'
import { htmlLayout } from './html-layout.ts'
import type { Language, NoticeEmail, Words } from './languages/language.ts'
import { builtInLanguage } from './languages/languages.ts'
import { carriesCode } from './message-kinds.ts'
import type { RenderedParts } from './rendered-message.ts'
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
  { tenant, code, minutes }: MessageValues,
): RenderedParts {
  const language = builtInLanguage(locale)
  const words: Words = { tenant, code: code ?? '', minutes: language.minutes(minutes ?? 1) }
  if (method === 'email') return email(kind, language, words)
  const text = language.sms[kind]({ ...words, tenant: clip(tenant, LONGEST_SMS_NAME, '...') })
  return { subject: null, text, html: null, locale: language.tag }
}

function email(kind: TemplateKind, language: Language, words: Words): RenderedParts {
  const { subject, heading, preheader, blocks } = carriesCode(kind)
    ? codeEmail(language, language.codeEmails[kind], words)
    : noticeEmail(language.noticeEmails[kind], words)
  const { tenant } = words
  return {
    subject,
    text: `${blocks.map((block) => ('code' in block ? block.code : block.text)).join('\n\n')}\n`,
    // Laid out when it is asked for: the testing channel shows the text alone.
    get html() {
      return htmlLayout({ locale: language.tag, subject, preheader, tenant, heading, blocks })
    },
    locale: language.tag,
  }
}

const codeEmail = (
  { preheader, validity }: Language,
  { subject, heading, intro, notYou }: Language['codeEmails'][keyof Language['codeEmails']],
  words: Words,
) => ({
  subject: subject(words),
  heading: heading(words),
  preheader: preheader(words),
  blocks: [{ text: intro(words) }, { code: words.code }, { text: validity(words) }, { text: notYou(words) }],
})

const noticeEmail = ({ subject, heading, preheader, paragraphs }: NoticeEmail, words: Words) => ({
  subject: subject(words),
  heading: heading(words),
  preheader: preheader(words),
  blocks: paragraphs.map((paragraph) => ({ text: paragraph(words) })),
})
