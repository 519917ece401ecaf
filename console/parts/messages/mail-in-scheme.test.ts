import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailInScheme } from './mail-in-scheme.ts'

test('decides what depends on the preference of the reader', () => {
  const style = ':root{color-scheme:light dark} @media (prefers-color-scheme:dark){p{color:#fff}}'
  const mail = `<meta name="color-scheme" content="light dark"><style>${style}</style>`
  const dark = mailInScheme(mail, 'dark')
  assert.match(dark, /content="dark"><style>:root\{color-scheme:dark\} @media \(min-width:0\)/)
  const light = mailInScheme(mail, 'light')
  assert.match(light, /content="light"><style>:root\{color-scheme:light\} @media \(min-width:99999px\)/)
  assert.equal(
    mailInScheme('@media screen and ( prefers-color-scheme: Light )', 'light'),
    '@media screen and (min-width:0)',
  )
  assert.equal(mailInScheme('<p>light dark</p>', 'dark'), '<p>light dark</p>')
})
