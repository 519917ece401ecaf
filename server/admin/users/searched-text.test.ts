import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearchedText } from './searched-text.ts'

const email = (prefix: string) => ({ kind: 'email', prefix })
const phone = (prefix: string) => ({ kind: 'phone', prefix })

test('reads a text by its form: a number, an id or an address', () => {
  const expected: [string, object | null][] = [
    ['a', email('a')],
    ['Ada.L', email('ada.l')],
    [' ADA@Example.com ', email('ada@example.com')],
    ['12345', email('12345')],
    ['007bond', email('007bond')],
    ['ada@', email('ada@')],
    ['ada@exa', email('ada@exa')],
    ['ada@müller.example', email('ada@xn--mller-kva.example')],
    ['ada@mül', email('ada@')],
    ['ädа', email('ädа')],
    ['+', phone('+')],
    ['+33', phone('+33')],
    ['+33 6 12-34.5', phone('+3361234' + '5')],
    ['+44 (0)20', phone('+4420')],
    ['+33 x', null],
    ['\t+33\u00a06\u202f12\u201134–5\n', phone('+3361234' + '5')],
    ['\u202a+33 6\u202c', phone('+336')],
    ['＋３３ ６', phone('+336')],
    ['+٣٣', null],
    ['\u200b \ufeff', null],
    ['\u212aim', email('\u212aim')],
    ['ada@\u212a', email('ada@')],
    ['a%_\\b', email('a%_\\b')],
    ['a\tb', email('a\tb')],
    ['😀', email('😀')],
    ['0', { idPrefix: '0' }],
    ['01kf2', { idPrefix: '01KF2' }],
    ['01KF2ZZZZZZZZZZZZZZZZZZZZZ', { idPrefix: '01KF2ZZZZZZZZZZZZZZZZZZZZZ' }],
    ['01KF2ZZZZZZZZZZZZZZZZZZZZZZ', email('01kf2zzzzzzzzzzzzzzzzzzzzzz')],
    ['0i', email('0i')],
    ['', null],
    ['  ', null],
  ]
  for (const [text, searched] of expected) assert.deepEqual(readSearchedText(text), searched, text)
})
