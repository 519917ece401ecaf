import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryTemplates, NoticeKind } from '../../../contract/tenants/delivery-templates.ts'
import { checkTemplates } from './check-templates.ts'
import { mayCarryUndo } from './message-kinds.ts'

const sms = (text: string) =>
  checkTemplates({ otp_signin: { sms: { en: { text } } } })['templates.otp_signin.sms.en.text']

const undo = '{% if code %}. Undo within {{ hours }} h: {{ code }} {{ id }}{% endif %}'

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
    email_changed: { email: { en: { subject: 'Changed', text: `No longer {{ recipient }}${undo}` } } },
    phone_changed: { sms: { en: { text: `{{ tenant }}: changed${undo}` } } },
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

test('a notice has no minutes, and no code, id and hours unless it may carry an undo code', () => {
  for (const kind of NoticeKind.options) {
    const variables = mayCarryUndo(kind) ? ['minutes'] : ['code', 'minutes', 'id', 'hours']
    for (const variable of variables) {
      const problems = checkTemplates({ [kind]: { sms: { en: { text: `{{ ${variable} }}` } } } })
      const found = problems[`templates.${kind}.sms.en.text`]
      assert.equal(found?.startsWith(`There is no variable ${variable} for ${kind}.`), true, found)
    }
  }
})

test('the code and its id must come out wherever there is a code, in text, html and SMS', () => {
  const needed = /^Show \{\{ code \}\} and \{\{ id \}\} whenever there is a code/
  for (const kind of ['email_changed', 'phone_changed'] as const) {
    for (const bad of [
      'Changed',
      '{{ code }}',
      '{{ id }}',
      '{% unless code %}x{% endunless %}',
      '{{ code }} {{ id | truncate: 20 }}',
    ]) {
      const templates = {
        email: { en: { subject: 'Changed', text: bad, html: bad } },
        sms: { en: { text: bad } },
      }
      const problems = checkTemplates({ [kind]: templates })
      for (const part of ['email.en.text', 'email.en.html', 'sms.en.text'])
        assert.match(problems[`templates.${kind}.${part}`] ?? '', needed, `${part}: ${bad}`)
      assert.equal(problems[`templates.${kind}.email.en.subject`], undefined)
    }
  }
})

test('a notice that says nothing without a code is refused', () => {
  const only = '{% if code %}{{ code }} {{ id }}{% endif %}'
  assert.deepEqual(checkTemplates({ phone_changed: { sms: { en: { text: only } } } }), {
    'templates.phone_changed.sms.en.text': 'Write something: nothing comes out',
  })
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
