import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlLayout } from './html-layout.ts'

const page = (changes: Partial<Parameters<typeof htmlLayout>[0]> = {}) =>
  htmlLayout({
    locale: 'en',
    subject: 'Your code',
    preheader: 'Inside',
    tenant: 'Example',
    heading: 'Sign in',
    blocks: [{ text: 'Enter it:' }, { code: '482913' }, { text: 'one\ntwo' }],
    ...changes,
  })

test('nothing is loaded and nothing can be clicked', () => {
  assert.doesNotMatch(page(), /https?:|<a[\s>]|<img|<link|<script|url\(|@import|@font-face|src=|href=/i)
})

test('the code is one run of characters, selected as a whole', () => {
  assert.match(page(), /<span class="code"[^>]*user-select:all[^>]*>482913<\/span>/)
})

test('an id is selected as a whole, breaks anywhere on a small screen, and stands under its label', () => {
  const reference = '01JZ8Q4W6N3T5V7X9Y2B4C6D8E'
  const html = page({
    blocks: [
      { code: '48291375', label: 'Code <1>' },
      { reference, label: 'Reference' },
    ],
  })
  assert.match(html, />Code &lt;1&gt;<\/p><span class="code"[^>]*>48291375<\/span>/)
  assert.match(
    html,
    />Reference<\/p><span class="code"[^>]*word-break:break-all[^>]*user-select:all[^>]*>01JZ8Q4W6N3T5V7X9Y2B4C6D8E<\/span>/,
  )
})

test('e-mail is not broken after its hyphen', () => {
  const html = page({ heading: 'Ihre E-Mail-Adresse', blocks: [{ text: 'votre adresse e-mail <b>' }] })
  assert.match(html, /Ihre <span style="white-space:nowrap">E-Mail<\/span>-Adresse/)
  assert.match(html, /adresse <span style="white-space:nowrap">e-mail<\/span> &lt;b&gt;/)
})

test('nothing else looks like a code: no four digits in a row', () => {
  assert.doesNotMatch(page({ blocks: [] }), /\d{4}/)
})

test('everything it is given is escaped', () => {
  const bad = `<i a="b">&'`
  const html = page({ subject: bad, preheader: bad, tenant: bad, heading: bad, blocks: [{ text: bad }, { code: bad }] })
  assert.doesNotMatch(html, /<i /)
  assert.equal(html.split('&lt;i a=&quot;b&quot;&gt;&amp;&#39;').length - 1, 6)
})

test('language and direction are those of the text; the code always runs left to right', () => {
  assert.match(page(), /<html lang="en" dir="ltr">/)
  assert.match(
    page({ locale: 'ar' }),
    /<html lang="ar" dir="rtl">[\s\S]*class="card" dir="rtl" align="right"[\s\S]*class="box" dir="ltr"/,
  )
  assert.match(page({ locale: 'az-Arab' }), /dir="rtl"/)
})

test('line ends in a text stay, and without a preheader there is none', () => {
  assert.match(page(), />one<br>two<\/p>/)
  assert.match(page(), /display:none[^>]*>Inside</)
  assert.doesNotMatch(page({ preheader: null }), /display:none/)
})

test('text stands out from what is behind it, 7:1 and more, light and dark', () => {
  const html = page()
  const light = (element: string) => new RegExp(`class="${element}"[^>]*[";]color:(#\\w{6})`).exec(html)![1]!
  const behind = (element: string) => new RegExp(`class="${element}"[^>]*bgcolor="(#\\w{6})"`).exec(html)![1]!
  const dark = (element: string) => new RegExp(`scheme:dark.*?\\.${element}\\{[a-z]+:(#\\w{6})`).exec(html)![1]!
  for (const [text, background] of [
    ['ink', 'card'],
    ['soft', 'card'],
    ['soft', 'box'],
    ['code', 'box'],
  ] as const) {
    assert.ok(contrast(light(text), behind(background)) >= 7, `${text} on ${background}`)
    assert.ok(contrast(dark(text), dark(background)) >= 7, `${text} on ${background}, dark`)
  }
})

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}
