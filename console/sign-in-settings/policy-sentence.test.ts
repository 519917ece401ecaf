import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, policySentence } from './policy-sentence.ts'

test('says durations as people do', () => {
  const said = Object.entries({
    0: '0 seconds',
    1: '1 second',
    60: '1 minute',
    90: '1 minute 30 seconds',
    600: '10 minutes',
    3600: '1 hour',
    86400: '24 hours',
  })
  for (const [seconds, words] of said) assert.equal(duration(Number(seconds)), words)
})

test('says what a policy means', () => {
  const policy = { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 }
  assert.equal(
    policySentence(policy),
    'A code has 6 digits and is valid for 10 minutes. It can be sent again 3 times, 1 minute apart, and stops working after 5 wrong attempts.',
  )
  const strict = { ...policy, maxResends: 0, maxVerifyAttempts: 1 }
  assert.match(policySentence(strict)!, /It is never sent again, and stops working after 1 wrong attempt\.$/)
  assert.match(policySentence({ ...policy, resendIntervalSeconds: 0, maxResends: 1 })!, /1 time, without a pause,/)
  assert.equal(policySentence({ ...policy, length: undefined }), null)
})
