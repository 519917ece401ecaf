import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './own-path.ts'

const own = ['/', '/tenants', '/tenants?q=a', '/tenants/01M7/users#top', '/x//y', '/signing-keys']
for (const path of own) test(`${path} is kept`, () => assert.equal(ownPath(path), path))

const foreign = [
  ...[
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    'tenants',
  ],
  ...['/\t/evil.example', '\t//evil.example', '', ' /', '/sign-in', '/sign-in?to=/sign-in'],
]
for (const path of foreign)
  test(`${JSON.stringify(path)} leads to the overview`, () => assert.equal(ownPath(path), '/'))
test('nothing leads to the overview', () => assert.equal(ownPath(undefined), '/'))
