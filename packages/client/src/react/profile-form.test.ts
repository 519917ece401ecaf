import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantryClient } from '../client.ts'
import type { Profile, ProfileSchema } from '../generated/types.ts'
import type { Session, SessionState } from '../session/session.ts'
import { configurationOf } from './configuration.ts'
import { createProfileForm, type Submission } from './profile-form.ts'

const schema: ProfileSchema = {
  version: '1',
  components: [
    { name: 'firstName', type: 'text' },
    { name: 'tags', type: 'list' },
    { name: 'taxId', type: 'text', writeOnce: true },
    { name: 'level', type: 'integer', writable: false },
    { name: 'toString', type: 'text' },
  ],
  presentation: [],
  forms: {},
}
const profileOf = (values: object): Profile => ({ id: 'p', createdAt: '', updatedAt: '', ...values })
const signedIn = (id: string) => ({ status: 'signedIn', user: { id } }) as SessionState
const plain: Submission = { form: undefined, validate: undefined, onSaved: undefined, send: undefined }
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A mounted form over a session and a service of this process. */
async function mounted(stored: object | null = { firstName: 'Ada', tags: ['a'] }, error: Error | null = null) {
  const sent: unknown[] = []
  const listeners = new Set<(state: SessionState) => void>()
  const service = {
    profile: stored && profileOf(stored),
    reads: 0,
    /** How the next calls fail. */
    error,
    save: async (update: object) => profileOf({ ...service.profile, ...update }),
  }
  const client = {
    async getTenantConfiguration() {
      if (service.error) throw service.error
      return { auth: { methods: [] }, otp: { length: 6 }, profileSchema: schema }
    },
    async getProfile() {
      service.reads++
      if (service.error) throw service.error
      return service.profile ?? { id: null, createdAt: null, updatedAt: null, nickname: null }
    },
    async updateProfile(update: object) {
      sent.push(update)
      if (service.error) throw service.error
      service.profile = await service.save(update)
      return service.profile
    },
  } as unknown as TenantryClient
  let state: SessionState = signedIn('ada')
  const session = {
    client,
    get state() {
      return state
    },
    onChange(listener: (state: SessionState) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  } as Session
  const form = createProfileForm(session, false)
  const unmount = form.state.subscribe(() => {})
  const become = async (next: SessionState) => {
    state = next
    for (const listener of listeners) listener(next)
    await settled()
  }
  configurationOf(session).state.subscribe(() => {})
  await settled()
  return { form, sent, service, become, unmount, listeners }
}

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
  assert.equal(listeners.size, 0)
  form.state.subscribe(() => {})()
  await settled()
  assert.equal(service.reads, 1)
})
