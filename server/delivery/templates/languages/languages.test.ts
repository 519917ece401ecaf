import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInMessage } from '../built-in-message.ts'
import { carriesCode, mayCarryUndo, templateKinds } from '../message-kinds.ts'
import { builtInLanguage, languageTags } from './languages.ts'

/** 3GPP TS 23.038 6.2.1, without the extension table: its characters count twice. */
const gsm7 = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/

const values = { code: '482913', minutes: 10, id: null, hours: null, tenant: 'Example', recipient: 'j***@e***.com' }
const undo = { ...values, code: '48291375', minutes: null, id: '01JZ8Q4W6N3T5V7X9Y2B4C6D8E', hours: 72 }
const undoable = templateKinds.filter(mayCarryUndo)

test('has built-in texts in six languages', () => {
  assert.deepEqual(languageTags, ['en', 'de', 'fr', 'es', 'vi', 'ja'])
})

for (const tag of languageTags) {
  test(`${tag}: uses the plural of the language for minutes and hours`, () => {
    const forms: Record<string, [string, string]> = {
      en: ['1 minute', '10 minutes'],
      de: ['1 Minute', '10 Minuten'],
      fr: ['1 minute', '10 minutes'],
      es: ['1 minuto', '10 minutos'],
      vi: ['1 phút', '10 phút'],
      ja: ['1分', '10分'],
    }
    assert.deepEqual([1, 10].map(builtInLanguage(tag).minutes), forms[tag])
    const hours: Record<string, [string, string]> = {
      en: ['1 hour', '72 hours'],
      de: ['1 Stunde', '72 Stunden'],
      fr: ['1 heure', '72 heures'],
      es: ['1 hora', '72 horas'],
      vi: ['1 giờ', '72 giờ'],
      ja: ['1時間', '72時間'],
    }
    assert.deepEqual([1, 72].map(builtInLanguage(tag).hours), hours[tag])
  })

  test(`${tag}: fits an SMS into one message`, () => {
    const inGsm7 = !['vi', 'ja'].includes(tag)
    const long = { ...values, code: '9182736450', minutes: 60, tenant: 'A name longer than thirty characters' }
    for (const kind of templateKinds) {
      const { text } = builtInMessage(kind, 'sms', tag, inGsm7 ? long : values)
      assert.equal(gsm7.test(text), inGsm7, text)
      assert.ok(text.length <= (inGsm7 ? 160 : 70), `${text.length}: ${text}`)
    }
  })

  test(`${tag}: fits an SMS with an undo code into two messages, and shows no digits without a code`, () => {
    const inGsm7 = !['vi', 'ja'].includes(tag)
    const long = { ...undo, tenant: 'A name longer than thirty characters' }
    for (const kind of undoable) {
      const { text } = builtInMessage(kind, 'sms', tag, inGsm7 ? long : undo)
      assert.equal(gsm7.test(text), inGsm7, text)
      // The concatenation header takes six bytes of each message (3GPP TS 23.040 9.2.3.24.1).
      assert.ok(text.length <= (inGsm7 ? 2 * 153 : 2 * 67), `${text.length}: ${text}`)
      for (const part of [undo.code, undo.id, builtInLanguage(tag).hours(72)]) assert.ok(text.includes(part), text)
      assert.doesNotMatch(builtInMessage(kind, 'sms', tag, { ...undo, code: null, id: null }).text, /\d/)
    }
  })

  test(`${tag}: shows undo code and id on separate lines of an e-mail, with their validity`, () => {
    for (const kind of undoable) {
      const { text, html } = builtInMessage(kind, 'email', tag, undo)
      for (const entry of [undo.code, undo.id]) {
        assert.match(text, new RegExp(`^${entry}$`, 'm'))
        assert.equal(html!.split(`>${entry}</span>`).length, 2)
      }
      assert.ok(text.includes(builtInLanguage(tag).hours(72)), text)
      const without = builtInMessage(kind, 'email', tag, { ...undo, code: null, id: null })
      assert.doesNotMatch(without.text, /\d/)
      assert.equal(without.subject, builtInMessage(kind, 'email', tag, undo).subject)
    }
  })

  test(`${tag}: names the tenant in every message, and the validity of every code`, () => {
    for (const kind of templateKinds) {
      for (const method of ['email', 'sms'] as const) {
        const { subject, text, html, locale } = builtInMessage(kind, method, tag, values)
        assert.equal(locale, tag)
        assert.equal(subject === null, method === 'sms')
        for (const part of [subject, text, html]) {
          if (part === null) continue
          assert.match(part, /Example/)
          assert.equal(part.normalize('NFC'), part)
        }
        assert.equal(text.includes(builtInLanguage(tag).minutes(10)), carriesCode(kind), text)
        assert.doesNotMatch(subject ?? '', /482913/)
      }
    }
  })
}

test('gives every kind of message a different text', () => {
  for (const tag of languageTags) {
    for (const method of ['email', 'sms'] as const) {
      const said = templateKinds.map((kind) => builtInMessage(kind, method, tag, values))
      const parts = [said.map(({ text }) => text), ...(method === 'email' ? [said.map(({ subject }) => subject)] : [])]
      for (const part of parts) assert.equal(new Set(part).size, templateKinds.length, part.join('\n'))
    }
  }
})

test('ignores region and script of a locale, and falls back to English', () => {
  for (const [locale, tag] of [
    ['de-AT', 'de'],
    ['es-419', 'es'],
    ['ja-Latn-JP', 'ja'],
    ['zh-Hant', 'en'],
    ['den', 'en'],
  ])
    assert.equal(builtInLanguage(locale!).tag, tag)
})
