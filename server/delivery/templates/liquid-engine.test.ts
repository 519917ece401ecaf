import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedFilters, allowedTags, compileTemplate, type TemplatePart } from './liquid-engine.ts'
import type { TemplateVariables } from './template-values.ts'

const values: TemplateVariables = {
  code: '482913',
  minutes: 10,
  id: null,
  hours: null,
  tenant: 'Example',
  recipient: 'j***@e***.com',
  locale: 'en',
  kind: 'otp_signin',
  domain: null,
}
const render = (source: string, part: TemplatePart = 'text', changes: Partial<TemplateVariables> = {}) =>
  compileTemplate(source, part).render({ ...values, ...changes })
const refused = (source: string, message: RegExp) =>
  assert.throws(
    () => render(source),
    (error: Error) => error.name === 'TemplateProblem' && message.test(error.message),
  )

test('variables, conditions and filters do their work', () => {
  assert.equal(render('{{ tenant | upcase }}: {{ code }}'), 'EXAMPLE: 482913')
  const minutes = '{{ minutes }} {% if minutes == 1 %}minute{% else %}minutes{% endif %}'
  assert.equal(render(minutes), '10 minutes')
  assert.equal(render(minutes, 'text', { minutes: 1 }), '1 minute')
  assert.equal(render('{% case kind %}{% when "otp_signin" %}in{% else %}out{% endcase %}'), 'in')
  assert.equal(render('{% unless domain %}no site{% endunless %}{% comment %}{{ x }}{% endcomment %}'), 'no site')
  assert.equal(render('{% raw %}{{ code }}{% endraw %}'), '{{ code }}')
})

test('values are never evaluated, and escaped in HTML alone (C24)', () => {
  const names = ['{{7*7}}', '{% raw %}', `\${process.env}`, '<script>alert("1")</script>', "Ben & Jerry's", '%0a']
  for (const tenant of names) assert.equal(render('{{ tenant }}', 'text', { tenant }), tenant)
  assert.equal(
    render('{{ tenant }}', 'html', { tenant: '<b a="1">{{7}}&\'' }),
    '&lt;b a=&quot;1&quot;&gt;{{7}}&amp;&#39;',
  )
  assert.equal(render('<p>{{ tenant | downcase }}</p>', 'html', { tenant: '<B>' }), '<p>&lt;b&gt;</p>')
})

test('nothing that loops, stores or reads files is there (C25)', () => {
  assert.deepEqual(allowedTags, ['if', 'unless', 'case', 'comment', 'raw'])
  const gone =
    'assign for capture include render decrement increment cycle layout block tablerow break continue echo liquid #'
  for (const tag of gone.split(' ')) refused(`{% ${tag} x %}`, /^Line 1: \{% .+ %\} cannot be used here/)
})

test('names each variable, wherever it stands', () => {
  const variables = (source: string) => [...compileTemplate(source, 'text').variables()]
  assert.deepEqual(variables("{% case a %}{% when 'x', b %}{{ c }}{% when d %}{% else %}{{ e }}{% endcase %}"), [
    ...['a', 'b', 'd', 'c', 'e'],
  ])
  assert.deepEqual(variables('{% if a == b and c contains d %}{{ e }}{% elsif f[g] %}{% endif %}'), [
    ...['a', 'b', 'c', 'd', 'f[g]', 'e'],
  ])
  assert.deepEqual(variables('{% unless (a..b) %}{% endunless %}{{ c | truncate: d, e: f }}'), [
    '(a..b)',
    'c',
    'd',
    'f',
  ])
})

test('no filter but the harmless ones is there, and none that undoes escaping (C25)', () => {
  assert.deepEqual(allowedFilters, ['capitalize', 'default', 'downcase', 'strip', 'truncate', 'upcase'])
  for (const filter of ['raw', 'escape', 'json', 'append', 'replace', 'split', 'map', 'date', 'sha256', 'constructor'])
    refused(`{{ code | ${filter} }}`, /^Line 1: There is no filter /)
})

test('nothing behind a value can be reached (C25)', () => {
  for (const name of ['x', 'constructor', '__proto__', 'tenant.constructor', 'toString', 'code["__proto__"]', '[kind]'])
    refused(`{{ ${name} }}`, /There is no variable/)
})

test('too much Liquid and too much output are refused, however deep or long', () => {
  refused('{{ code }}'.repeat(501), /at most 500/)
  refused(`{{ code${' | upcase'.repeat(2000)} }}`, /10000 characters in all/)
  refused(`{{ ${'('.repeat(9000)} }}`, /nested too deeply|invalid/)
  refused('x'.repeat(200_001), /^Keep it to 200000 characters$/)
  refused('{{ (1..999999999) }}', /too much comes out/)
  assert.throws(() => render('{{ tenant }}'.repeat(400), 'text', { tenant: 'x'.repeat(200) }), /too much comes out/)
  assert.throws(() => render('x'.repeat(1501), 'sms'), /at most 1500/)
  assert.equal(render('{% if code %}'.repeat(240) + '{% endif %}'.repeat(240)), '')
})

test('a machine that takes long refuses no template', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => (now += 60_000))
  assert.equal(render('{{ tenant }}: {% if code %}{{ code }}{% endif %}'), 'Example: 482913')
  assert.ok(now > 0)
})

test('what is not Liquid is said to be so, with its line and without the whole template', () => {
  refused('a\n{{ 7*7 }}', /^Line 2: This is not Liquid/)
  refused('{{ code', /^Line 1: Close .*its end is missing$/)
  refused('{% if code %}', /^Line 1: Close \{% if code %\}: its end is missing$/)
  refused('{% endif %}', /belongs to no tag before it/)
  assert.throws(
    () => render(`{% ${'x'.repeat(5000)} %}`),
    ({ message }: Error) => message.length < 300,
  )
})

test('a template names its variables in branches not taken too', () => {
  const source =
    '{% if kind == "x" %}{{ secret.a }}{% elsif a %}{{ code | truncate: b }}{% else %}{{ (1..2) }}{% endif %}'
  assert.deepEqual([...compileTemplate(source, 'text').variables()], ['kind', 'a', 'secret.a', 'code', 'b', '(1..2)'])
})
