import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TemplateKind } from '../../contract/tenants/delivery-templates.ts'
import { languageTags } from '../../server/delivery/templates/languages/languages.ts'
import { variablesFor } from '../../server/delivery/templates/template-values.ts'
import {
  builtInLanguages,
  type TemplatePlace,
  type Templates,
  templateAt,
  templateFrom,
  variablesOf,
  withTemplate,
} from './own-templates.ts'

const place: TemplatePlace = { kind: 'otp_signin', channel: 'sms', language: 'fr' }

test('offers the languages that the server has texts in', () => {
  assert.deepEqual(builtInLanguages, languageTags)
})

test('adds, replaces and removes a template, and leaves nothing empty', () => {
  const one = withTemplate({}, place, { text: 'a' })!
  assert.deepEqual(one, { otp_signin: { sms: { fr: { text: 'a' } } } })
  const two = withTemplate(one, { ...place, language: 'de' }, { text: 'b' })!
  assert.deepEqual(templateAt(two, place), { text: 'a' })
  assert.deepEqual(withTemplate(two, place, { text: 'c' }), {
    otp_signin: { sms: { fr: { text: 'c' }, de: { text: 'b' } } },
  })
  assert.deepEqual(withTemplate(two, place, undefined), { otp_signin: { sms: { de: { text: 'b' } } } })
  assert.equal(withTemplate(one, place, undefined), undefined)
  const other: Templates = { reset_password: { email: { en: { subject: 's', text: 't' } } } }
  assert.deepEqual(withTemplate(withTemplate(other, place, { text: 'a' })!, place, undefined), other)
})

test('has no template in a language that is the name of an inherited member', () => {
  const templates = withTemplate({}, place, { text: 'a' })!
  for (const language of ['constructor', 'toString', '__proto__']) {
    assert.equal(templateAt(templates, { ...place, language }), undefined)
  }
})

test('begins with the text that is sent now', () => {
  const preview = {
    ...{ subject: '482913 is your code for Acme', text: 'Acme: 482913 is your code. It is valid for 10 minutes.' },
    ...{ html: null, locale: 'en', fallback: false },
  }
  assert.deepEqual(templateFrom(preview, { tenant: 'Acme', ttlSeconds: 600 }), {
    subject: '{{ code }} is your code for {{ tenant }}',
    text: '{{ tenant }}: {{ code }} is your code. It is valid for {{ minutes }} minutes.',
  })
  const ofStudio = { ...preview, subject: null, text: 'Studio 10: 482913 is valid for 10 minutes.' }
  assert.deepEqual(templateFrom(ofStudio, { tenant: 'Studio 10', ttlSeconds: 600 }), {
    text: '{{ tenant }}: {{ code }} is valid for {{ minutes }} minutes.',
  })
  const notice = { ...preview, subject: null, text: 'Your password was changed. 10 tries.' }
  assert.deepEqual(templateFrom(notice, { tenant: '', ttlSeconds: undefined }), { text: notice.text })
})

test('names the variables that the server allows', () => {
  for (const kind of TemplateKind.options) assert.deepEqual(variablesOf(kind), variablesFor(kind), kind)
})
