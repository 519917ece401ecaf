import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mounted, plain, profileOf, settled, signedIn } from './profile-form.testkit.ts'

test('sends nothing when nothing changed, however often a value was entered', async () => {
  const { form, sent } = await mounted()
  form.setValue('firstName', 'Bob')
  form.setValue('firstName', 'Ada')
  form.setValue('tags', ['a'])
  form.setValue('toString', undefined)
  assert.deepEqual(form.state.get().entered, {})
  assert.equal(await form.submit(plain), true)
  assert.deepEqual(sent, [])
})

test('clears a field that the user cannot read', async () => {
  const { form, sent } = await mounted()
  form.setValue('pin', null)
  assert.equal(await form.submit(plain), true)
  assert.deepEqual(sent, [{ pin: null }])
})

test('ignores values for fields that the user cannot change', async () => {
  const { form, sent } = await mounted({ taxId: '1' })
  for (const name of ['level', 'taxId', 'unknown', 'constructor', '__proto__']) form.setValue(name, 'x')
  assert.deepEqual(form.state.get().entered, {})
  form.setValue('toString', 'x')
  await form.submit(plain)
  assert.deepEqual(sent, [{ toString: 'x' }])
})

test('lets a user without a profile create one, with a write-once field', async () => {
  const { form, sent } = await mounted(null)
  form.setValue('taxId', '1')
  assert.equal(await form.submit(plain), true)
  assert.deepEqual(sent, [{ taxId: '1' }])
  form.setValue('taxId', '2')
  assert.deepEqual(form.state.get().entered, {})
})

test('keeps what is entered while saving', async () => {
  const { form, service, sent } = await mounted()
  const gate = Promise.withResolvers<void>()
  service.save = async (update) => {
    await gate.promise
    return profileOf({ ...service.profile, ...update })
  }
  form.setValue('firstName', 'Bob')
  const first = form.submit(plain)
  assert.equal(form.submit(plain), first, 'a second submission joins the first')
  assert.equal(form.state.get().isSaving, true)
  form.setValue('firstName', 'Ada')
  gate.resolve()
  assert.equal(await first, true)
  assert.deepEqual(form.state.get().entered, { firstName: 'Ada' })
  await form.submit(plain)
  assert.deepEqual(sent, [{ firstName: 'Bob' }, { firstName: 'Ada' }])
})

test('shows what the service stored, even where it differs from what was sent', async () => {
  const { form, service } = await mounted()
  service.save = async () => profileOf({ firstName: 'ADA' })
  form.setValue('firstName', 'Bob')
  await form.submit(plain)
  assert.deepEqual([form.state.get().entered, form.state.get().stored['firstName']], [{}, 'ADA'])
})

test('puts messages and details at their fields, and other errors into error', async () => {
  const { form, service } = await mounted()
  const refusal = { code: 'VALIDATION_ERROR', validation: { tags: 'Validation rule not met' } }
  service.error = Object.assign(new Error(), refusal, { details: { tags: { rule: 'maxItems', maxItems: 1 } } })
  form.setValue('tags', ['a', 'b'])
  assert.equal(await form.submit(plain), false)
  const { errors, details, error, entered } = form.state.get()
  assert.deepEqual([errors, error, entered], [refusal.validation, undefined, { tags: ['a', 'b'] }])
  assert.deepEqual(details, { tags: { rule: 'maxItems', maxItems: 1 } })

  service.error = Object.assign(new Error(), { code: 'VALIDATION_ERROR', validation: { body: 'Required' } })
  await form.submit(plain)
  assert.deepEqual(form.state.get().errors, {})
  assert.equal(form.state.get().error, service.error)
  form.reset()
  assert.deepEqual([form.state.get().entered, form.state.get().error], [{}, undefined])
})

test('does not take the refusal of a member of the account for that of a field', async () => {
  const { form, service } = await mounted()
  const submission = { ...plain, send: () => Promise.reject(service.error) }
  const refusal = { code: 'VALIDATION_ERROR', validation: { firstName: 'Required' } }
  service.error = Object.assign(new Error(), refusal)
  form.setValue('firstName', 'Bob')
  await form.submit(submission)
  assert.deepEqual([form.state.get().errors, form.state.get().error], [{}, service.error])

  const validation = { ...refusal.validation, 'profile.firstName': 'Must be of type text' }
  const details = { 'profile.firstName': { rule: 'type' } }
  service.error = Object.assign(new Error(), { ...refusal, validation, details })
  await form.submit(submission)
  assert.deepEqual(form.state.get().errors, { firstName: 'Must be of type text' })
  assert.equal(form.state.get().error, service.error)
})

test('reads again with the next submission or reset after a failure to read', async () => {
  const offline = new Error('offline')
  const { form, service } = await mounted({ firstName: 'Ada' }, offline)
  assert.deepEqual([form.state.get().error, form.state.get().profile], [offline, undefined])
  assert.equal(await form.submit(plain), false)
  assert.equal(form.state.get().error, offline)
  service.error = null
  form.reset()
  await settled()
  assert.equal(form.state.get().error, undefined)
  assert.equal(form.state.get().stored['firstName'], 'Ada')
})

test('shows what is stored when a save whose answer was lost is discarded', async () => {
  const { form, service } = await mounted({ firstName: 'Ada' })
  service.save = async () => {
    service.profile = profileOf({ firstName: 'Bob' })
    throw new Error('offline')
  }
  form.setValue('firstName', 'Bob')
  assert.equal(await form.submit(plain), false)
  form.reset()
  await settled()
  const { entered, stored, error } = form.state.get()
  assert.deepEqual([entered, stored['firstName'], error, service.reads], [{}, 'Bob', undefined, 2])
  form.setValue('firstName', 'Carl')
  form.reset()
  await settled()
  assert.deepEqual([form.state.get().entered, service.reads], [{}, 2])
})

test('keeps what a save answers when an earlier read ends after it', async () => {
  for (const readFails of [false, true]) {
    const { form, service } = await mounted({ firstName: 'Ada' })
    const offline = new Error('offline')
    service.error = offline
    form.setValue('firstName', 'Bob')
    assert.equal(await form.submit(plain), false)
    const gate = Promise.withResolvers<void>()
    service.readsEnd = gate.promise
    service.error = readFails ? offline : null
    form.reset()
    service.error = null
    form.setValue('firstName', 'Carl')
    assert.equal(await form.submit(plain), true)
    gate.resolve()
    await settled()
    const { entered, stored, error } = form.state.get()
    assert.deepEqual([entered, stored['firstName'], error, service.reads], [{}, 'Carl', undefined, 2])
  }
})

test('keeps the error of a save when an earlier read ends after it', async () => {
  const { form, service } = await mounted({ firstName: 'Ada' })
  service.error = new Error('offline')
  form.setValue('firstName', 'Bob')
  assert.equal(await form.submit(plain), false)
  const gate = Promise.withResolvers<void>()
  service.readsEnd = gate.promise
  service.error = null
  form.reset()
  const full = new Error('too many requests')
  service.error = full
  form.setValue('firstName', 'Carl')
  assert.equal(await form.submit(plain), false)
  gate.resolve()
  await settled()
  const { entered, stored, error } = form.state.get()
  assert.deepEqual([entered, stored['firstName'], error], [{ firstName: 'Carl' }, 'Ada', full])
})

test('forgets the values of a user who signs out, and keeps them over an expired session', async () => {
  const { form, service, become } = await mounted()
  form.setValue('firstName', 'Bob')
  await become({ status: 'signedOut', reason: 'expired' })
  await become(signedIn('ada'))
  assert.deepEqual(form.state.get().entered, { firstName: 'Bob' })

  service.profile = profileOf({ firstName: 'Eve' })
  await become(signedIn('eve'))
  assert.deepEqual([form.state.get().entered, form.state.get().stored['firstName']], [{}, 'Eve'])

  form.setValue('firstName', 'Mallory')
  await become({ status: 'signedOut', reason: 'signedOut' })
  assert.deepEqual([form.state.get().entered, form.state.get().profile], [{}, undefined])
})

test('keeps what was entered when the session expires during a save, and drops the error with the next sign-in', async () => {
  const { form, service, become } = await mounted()
  form.setValue('firstName', 'Bob')
  service.error = new Error('the access token is invalid')
  const saving = form.submit(plain)
  await become({ status: 'signedOut', reason: 'expired' })
  assert.equal(await saving, false)
  assert.equal(form.state.get().error, service.error)
  service.error = null
  service.profile = profileOf({ firstName: 'Ada', tags: ['b'] })
  await become(signedIn('ada'))
  const { entered, stored, error } = form.state.get()
  assert.deepEqual([entered, stored['tags'], error], [{ firstName: 'Bob' }, ['b'], undefined])
  assert.equal(await form.submit(plain), true)
})

test('ignores the answer to a user who is gone', async () => {
  const { form, service, become } = await mounted()
  const gate = Promise.withResolvers<void>()
  service.save = async () => {
    await gate.promise
    return profileOf({ firstName: 'of Ada' })
  }
  form.setValue('firstName', 'Bob')
  let isSaved = false
  const saving = form.submit({ ...plain, onSaved: () => (isSaved = true) })
  await become(signedIn('eve'))
  gate.resolve()
  assert.equal(await saving, false)
  assert.deepEqual([isSaved, form.state.get().stored['firstName']], [false, 'Ada'])
})

test('follows the session only while it is mounted, and reads the profile once', async () => {
  const { form, service, unmount, listeners } = await mounted()
  unmount()
  assert.equal(listeners.size, 1) // That of the configuration, which is still in use.
  form.state.subscribe(() => {})()
  await settled()
  assert.equal(service.reads, 1)
})
