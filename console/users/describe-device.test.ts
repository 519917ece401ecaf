import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDevice } from './describe-device.ts'

test('names browser and system', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
  const expected: [string | null, string][] = [
    [`${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`${windows} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9)', 'Android'],
    ['okhttp/4.12.0', 'okhttp'],
    ['(odd)', 'Unknown device'],
    ['', 'Unknown device'],
    [null, 'Unknown device'],
  ]
  for (const [userAgent, device] of expected) assert.equal(describeDevice(userAgent), device)
})
