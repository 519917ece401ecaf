import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DeliveryTemplates, NoticeKind } from '../../../contract/tenants/delivery-templates.ts'
import { anyText } from '../../../test/support/any-text.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { carriesCode, mayCarryUndo, templateKinds } from './message-kinds.ts'
import { type MessageRequest, renderMessage } from './render-message.ts'

const values = { code: '482913', minutes: 10, id: null, hours: null, tenant: 'Example', recipient: 'j***@e***.com' }
const undo = { ...values, code: '48291375', minutes: null, id: '01JZ8Q4W6N3T5V7X9Y2B4C6D8E', hours: 72 }
const render = (changes: Partial<MessageRequest> = {}) =>
  renderMessage({
    kind: 'otp_signin',
    method: 'sms',
    locale: 'en',
    values,
    tenantTemplates: null,
    webOtpDomain: null,
    ...changes,
  })
const sms = (texts: Record<string, string>): DeliveryTemplates => ({
  otp_signin: { sms: Object.fromEntries(Object.entries(texts).map(([locale, text]) => [locale, { text }])) },
})
const email = (subject: string, text: string, html?: string): DeliveryTemplates => ({
  otp_signin: { email: { en: { subject, text, html } } },
})
const times = (part: string | null, code: string) => (part ?? '').split(code).length - 1

test('the nearest text wins: locale, language, the tenant’s default, built-in language, English', () => {
  const own = sms({ 'de-AT': 'AT {{ code }}', de: 'DE {{ code }}', 'pt-BR': 'BR {{ code }}', pt: 'PT {{ code }}' })
  const said = (locale: string, tenantDefaultLocale: string | null) =>
    render({ locale, tenantTemplates: own, tenantDefaultLocale })
  assert.equal(said('de-AT', 'pt').text, 'AT 482913')
  assert.equal(said('de-CH', 'pt').text, 'DE 482913')
  assert.equal(said('fr', 'pt-BR').text, 'BR 482913')
  assert.equal(said('fr', 'pt-AO').text, 'PT 482913')
  assert.match(said('fr-CA', null).text, /est votre code/)
  assert.match(said('zh', 'it').text, /is your sign-in code/)
  assert.deepEqual(
    [said('de-CH', 'pt'), said('fr', 'pt-AO'), said('fr-CA', null), said('zh', 'it')].map(({ locale }) => locale),
    ['de', 'pt', 'fr', 'en'],
  )
})

test('a text for another method or kind is not taken', () => {
  const own = sms({ en: 'own {{ code }}' })
  assert.match(render({ kind: 'reset_password', tenantTemplates: own }).text, /reset your password/)
  assert.match(render({ method: 'email', tenantTemplates: own }).text, /Enter this code to sign in/)
})

test('an SMS ends with the WebOTP line when the tenant has a domain and there is a code', () => {
  const line = /[^\n]\n\n@app\.example\.com #482913$/
  assert.match(render({ webOtpDomain: 'app.example.com' }).text, line)
  assert.match(render({ webOtpDomain: 'app.example.com', tenantTemplates: sms({ en: '{{ code }}\r\n' }) }).text, line)
  // An undo code is entered in an app, days later: no browser must offer it to a site.
  for (const kind of NoticeKind.options)
    assert.doesNotMatch(render({ webOtpDomain: 'app.example.com', kind, values: undo }).text, /@/)
  assert.doesNotMatch(render({ webOtpDomain: 'app.example.com', method: 'email' }).text, /@app/)
})

test('a tenant’s text that fails gives way to the built-in one, and the result says so', () => {
  for (const text of [
    '{{ x }}',
    '{{',
    'no code',
    '{{ tenant }}'.repeat(400),
    '{% for i in (1..9) %}',
    '{{ code | raw }}',
  ]) {
    const { fallback, locale, ...parts } = render({
      locale: 'de',
      tenantTemplates: sms({ en: text }),
      tenantDefaultLocale: 'en',
    })
    assert.deepEqual({ fallback, locale }, { fallback: true, locale: 'de' }, text)
    assert.match(parts.text, /482913 ist Ihr Anmeldecode/)
  }
  assert.equal(render({ method: 'email', tenantTemplates: email('Hi', '{{ code }}', '<p></p>') }).fallback, true)
  assert.equal(
    render({ method: 'email', tenantTemplates: email('{% if domain %}x{% endif %}', '{{ code }}') }).fallback,
    true,
  )
  assert.equal(render({ tenantTemplates: sms({ en: '{{ code }}' }) }).fallback, false)
})

test('a tenant’s text alone is laid out in HTML, the code large, in its own language', () => {
  const tenantTemplates: DeliveryTemplates = {
    otp_signin: { email: { ar: { subject: 'رمز {{ tenant }}', text: 'أدخل <هذا>:\r\n\r\n{{ code }}\r\n\r\nشكرا' } } },
  }
  const { html, text, subject } = render({ method: 'email', locale: 'ar-EG', tenantTemplates })
  assert.match(html!, /<html lang="ar" dir="rtl">[\s\S]*&lt;هذا&gt;:[\s\S]*<span class="code"[^>]*>482913<\/span>/)
  assert.equal(text, 'أدخل <هذا>:\n\n482913\n\nشكرا\n')
  assert.equal(subject, 'رمز Example')
})

const notice = (text: string, html?: string): DeliveryTemplates => ({
  email_changed: { email: { en: { subject: 'Moved', text, html } }, sms: { en: { text } } },
})

test('a tenant’s own notice is filled with the undo code and its id, and with null for one without', () => {
  const text = 'Moved.{% if code %}\n\n{{ code }}\n\n{{ id }}\n\n{{ hours }} hours{% endif %}'
  const own = (method: 'email' | 'sms', given: MessageRequest['values']) =>
    render({ kind: 'email_changed', method, values: given, tenantTemplates: notice(text) })
  const bare = { ...values, code: null, minutes: null }
  assert.equal(own('sms', undo).text, 'Moved.\n\n48291375\n\n01JZ8Q4W6N3T5V7X9Y2B4C6D8E\n\n72 hours')
  assert.equal(own('sms', bare).text, 'Moved.')
  const { html, fallback } = own('email', undo)
  assert.equal(fallback, false)
  assert.match(
    html!,
    /class="box"[^>]*><span class="code"[^>]*>48291375<[\s\S]*class="box"[^>]*><span class="code"[^>]*>01JZ/,
  )
  assert.equal(own('email', bare).fallback, false)
})

test('a tenant’s own notice that leaves out the code or its id gives way to the built-in one', () => {
  for (const text of ['Moved.', 'Moved. {{ code }}', 'Moved. {{ id }}']) {
    for (const tenantTemplates of [notice(text), notice('{{ code }} {{ id }}', text)]) {
      const given = { kind: 'email_changed', method: 'email', values: undo, tenantTemplates } as const
      const { fallback, text: said, html } = render(given)
      assert.equal(fallback, true, text)
      for (const part of [said, html]) assert.deepEqual([times(part, undo.code), times(part, undo.id)], [1, 1])
    }
    const bare = { ...values, code: null, minutes: null }
    assert.equal(render({ kind: 'email_changed', values: bare, tenantTemplates: notice(text) }).fallback, false)
  }
})

test('hostile names come out as they are, escaped in HTML, on one line (C24)', () => {
  const names = [
    '{{7*7}}',
    '{{ code }}',
    `\${process.env}`,
    '<script>alert(1)</script>',
    '%0aBcc:',
    'A\r\nBcc: e@example.com',
  ]
  const own = email(
    '{{ tenant }}: code',
    '{{ tenant }}\n\n{{ code }}',
    '<p title="{{ tenant }}">{{ tenant }} {{ code }}</p>',
  )
  for (const tenant of names) {
    for (const tenantTemplates of [null, own]) {
      const message = render({ method: 'email', values: { ...values, tenant }, tenantTemplates })
      const shown = tenant.replace('\r\n', ' ')
      assert.equal(message.fallback, false)
      assert.ok(message.subject!.includes(shown) && message.text.includes(shown))
      assert.doesNotMatch(message.subject!, /[\r\n]/)
      assert.ok(message.html!.includes(shown.replaceAll('<', '&lt;').replaceAll('>', '&gt;')))
      assert.doesNotMatch(message.html!, /<script/)
      assert.equal(times(message.html, '482913'), 1)
    }
  }
})

test('a name cannot end an SMS with a code line for another site', () => {
  const tenant = 'Acme\n\n@evil.example #482913'
  const { text } = render({ values: { ...values, tenant }, tenantTemplates: sms({ en: '{{ code }} {{ tenant }}' }) })
  assert.equal(text.split('\n').length, 1)
})

const hostileText = fc.oneof(
  anyText(),
  fc.string(),
  fc.constantFrom('constructor', '__proto__', '$&', "$'", '\u202e', '\0'),
)
const anyValues = fc
  .record({
    code: fc.stringMatching(/^[0-9]{4,10}$/),
    minutes: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.double()),
    id: fc.stringMatching(/^[0-9A-Z]{26}$/),
    hours: fc.oneof(fc.integer({ min: 1, max: 72 }), fc.double()),
    tenant: hostileText,
    recipient: hostileText,
  })
  .filter(({ code, id, tenant, minutes, hours }) => {
    const numbers = [minutes, hours].flatMap((value) => [value, Math.round(value), Math.ceil(value)])
    return ![id, tenant, ...numbers.map(String)].some((text) => text.includes(code)) && !tenant.includes(id)
  })
const anyKind = fc.constantFrom(...templateKinds)
const anyMethod = fc.constantFrom('email' as const, 'sms' as const)
const anyLocale = fc.oneof(hostileText, fc.constantFrom('en', 'de-AT', 'fr', 'es-419', 'vi', 'ja', 'zh'))

test('no value makes a built-in message fail, and what is to be entered is there exactly once', () => {
  fc.assert(
    fc.property(anyKind, anyMethod, anyLocale, anyValues, (kind, method, locale, values) => {
      const { subject, text, html, fallback } = render({ kind, method, locale, values })
      for (const part of method === 'email' ? [text, html] : [text]) {
        assert.equal(times(part, values.code), carriesCode(kind) || mayCarryUndo(kind) ? 1 : 0)
        assert.equal(times(part, values.id), mayCarryUndo(kind) ? 1 : 0)
      }
      assert.doesNotMatch(subject ?? '', /[\p{Cc}\p{Zl}\p{Zp}]/u)
      assert.equal(fallback, false)
    }),
    { numRuns: sampleSize(1000) },
  )
})

test('no template text makes rendering fail, and a code is always in every part', () => {
  const pieces =
    '{{ }} {% %} {{- -%} code tenant x if else endif case when raw endraw comment | upcase truncate: 3 (1..9) [ ] . " \' == and not \n <b>'
  const liquid = fc.oneof(
    fc
      .array(fc.constantFrom(...pieces.split(' '), ' ', '{{ code }}', '{% if code %}', '{% endif %}'))
      .map((all) => all.join('')),
    hostileText,
  )
  fc.assert(
    fc.property(liquid, liquid, liquid, anyMethod, anyValues, (subject, text, html, method, values) => {
      const tenantTemplates: DeliveryTemplates = {
        otp_signin: { email: { en: { subject, text, html } }, sms: { en: { text } } },
      }
      const message = render({ method, values, tenantTemplates, webOtpDomain: 'app.example.com' })
      assert.ok(message.text.includes(values.code))
      if (method === 'email') assert.ok(message.html!.includes(values.code))
      assert.doesNotMatch(message.subject ?? '', /[\r\n]/)
    }),
    { numRuns: sampleSize(1000) },
  )
})
