import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryTemplates, NoticeKind } from '../../../contract/delivery-templates.ts'
import { checkTemplates } from './check-templates.ts'

const sms = (text: string) =>
  checkTemplates({ otp_signin: { sms: { en: { text } } } })['templates.otp_signin.sms.en.text']

test('good templates have no problems', () => {
  const templates: DeliveryTemplates = {
    reset_password: {
      email: {
        de: {
          subject: 'Ihr Code für {{ tenant }}',
          text: '{{ code }}\n{% if minutes == 1 %}1 Minute{% else %}{{ minutes }} Minuten{% endif %}',
          html: '<!doctype html><style>p{color:#000000}</style><p>{{ code }}</p>',
        },
      },
      sms: { en: { text: '{{ tenant }}: {{ code }}' } },
    },
    password_changed: { email: { en: { subject: 'Changed', text: 'Changed at {{ tenant }}' } } },
    email_changed: { email: { en: { subject: 'Changed', text: 'No longer {{ recipient }}' } } },
    phone_changed: { sms: { en: { text: '{{ tenant }}: changed' } } },
  }
  assert.deepEqual(checkTemplates(templates), {})
})

test('problems come by dotted path, one a part', () => {
  const templates: DeliveryTemplates = {
    otp_signin: {
      email: { 'pt-BR': { subject: '{{ x }}', text: '{% for %}', html: '{{ code | raw }}' } },
      sms: { en: { text: 'Hello' } },
    },
  }
  assert.deepEqual(Object.keys(checkTemplates(templates, 'delivery.templates')), [
    'delivery.templates.otp_signin.email.pt-BR.subject',
    'delivery.templates.otp_signin.email.pt-BR.text',
    'delivery.templates.otp_signin.email.pt-BR.html',
    'delivery.templates.otp_signin.sms.en.text',
  ])
})

test('an unknown variable is refused even where it would seldom be reached', () => {
  assert.equal(
    sms('{{ code }}{% if tenant == "Other" %}{{ user.email }}{% endif %}'),
    'There is no variable user.email for otp_signin. There are: code, minutes, tenant, recipient, locale, kind, domain',
  )
})

test('a code must come out whatever the values: not only sometimes, not cut, not by chance', () => {
  for (const text of [
    'Hello {{ tenant }}',
    '{% if domain %}{{ code }}{% endif %}',
    '{% if minutes > 1 %}{{ code }}{% endif %}',
    '{{ code | truncate: 5 }}',
    '#000000',
    '{% raw %}{{ code }}{% endraw %}',
    '{% comment %}{{ code }}{% endcomment %}',
  ])
    assert.match(sms(text)!, /^Put \{\{ code \}\}/, text)
})

test('a notice has no code and no minutes', () => {
  for (const kind of NoticeKind.options) {
    for (const variable of ['code', 'minutes']) {
      const problems = checkTemplates({ [kind]: { sms: { en: { text: `{{ ${variable} }}` } } } })
      const found = problems[`templates.${kind}.sms.en.text`]
      assert.equal(found?.startsWith(`There is no variable ${variable} for ${kind}.`), true, found)
    }
  }
})

test('a template from which nothing or far too much comes out is refused', () => {
  const subject = (text: string) =>
    checkTemplates({ otp_signin: { email: { en: { subject: text, text: '{{ code }}' } } } })
  assert.deepEqual(subject('{% if code %}{% endif %}'), {
    'templates.otp_signin.email.en.subject': 'Write something: nothing comes out',
  })
  const html = `{{ code }}${'{{ tenant }}'.repeat(499)}`
  assert.match(
    checkTemplates({ otp_signin: { email: { en: { subject: 'x', text: '{{ code }}', html } } } })[
      'templates.otp_signin.email.en.html'
    ]!,
    /Make it shorter/,
  )
})

test('a hundred problems are enough', () => {
  const byLocale = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`l${index}`, { text: 'no' }]))
  assert.equal(Object.keys(checkTemplates({ otp_signin: { sms: byLocale } })).length, 100)
})
