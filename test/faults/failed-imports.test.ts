import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'
import { neverAborted, renderedEmail } from '../support/peers/rendered-message.ts'
import { talking } from '../support/peers/smtp-talk.ts'
import { startTestService } from '../support/service.ts'

/** Each is loaded with its first use, which fails once, as with too many open files. */
const failing = new Set(['nodemailer', './profile-json-schema.ts'])
registerHooks({
  resolve(name, context, next) {
    if (failing.delete(name)) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    return next(name, context)
  },
})

test('sends e-mail after the mail library could not be loaded', async () => {
  await using talk = await talking({})
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), {
    name: 'TemporaryFailure',
    message: /this process has too many open files/,
  })
  await talk.provider.send(renderedEmail(), neverAborted)
  assert.equal(talk.peer.received.length, 1)
})

test('answers the JSON Schema of profile schemas after it could not be loaded', async () => {
  await using service = await startTestService()
  const statusOf = async () => (await fetch(`${service.baseUrl}/profile-schema.json`)).status
  assert.deepEqual([await statusOf(), await statusOf()], [500, 200])
})
