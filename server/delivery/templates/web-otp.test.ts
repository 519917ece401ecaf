import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withWebOtpLine } from './web-otp.ts'

test('the site and the code are the last line, after an empty one', () => {
  assert.equal(withWebOtpLine('Your code', 'app.example.com', '482913'), 'Your code\n\n@app.example.com #482913')
})

test('a text that ends with the line already has it once', () => {
  const text = 'Your code\n@app.example.com #482913'
  assert.equal(withWebOtpLine(text, 'app.example.com', '482913'), text)
})

test('without a sound domain there is no line', () => {
  for (const domain of [
    null,
    '',
    'localhost',
    'https://a.example',
    'a.example/x',
    'a.example #1',
    'a.example\n@b.example',
    '-a.example',
    `${'a'.repeat(64)}.example`,
  ])
    assert.equal(withWebOtpLine('Your code', domain, '482913'), 'Your code')
})
