import type { TenantryClient } from '../client.ts'
import type { Profile, ProfileSchema } from '../generated/types.ts'
import type { Session, SessionState } from '../session/session.ts'
import { configurationOf } from './configuration.ts'
import { createProfileForm } from './profile-form.ts'
import type { Submission } from './submission.ts'

const schema: ProfileSchema = {
  version: '1',
  components: [
    { name: 'firstName', type: 'text' },
    { name: 'tags', type: 'list' },
    { name: 'taxId', type: 'text', writeOnce: true },
    { name: 'level', type: 'integer', writable: false },
    { name: 'pin', type: 'text', readable: false },
    { name: 'toString', type: 'text' },
    { name: 'kind', type: 'text', lockedWhen: { field: 'level', is: 9 } },
    { name: 'vat', type: 'text', visibleWhen: { field: 'kind', is: 'firm' } },
    { name: 'seal', type: 'text', writeOnce: true, visibleWhen: { field: 'kind', is: 'firm' } },
  ],
  presentation: [],
  forms: {
    welcome: {
      steps: [
        { step: 'who', fields: ['kind'], required: ['kind'] },
        { step: 'mail', verify: 'email' },
        { step: 'more', fields: ['vat', 'tags'] },
      ],
    },
  },
}
export const profileOf = (values: object): Profile => ({ id: 'p', createdAt: '', updatedAt: '', ...values })
export const signedIn = (id: string) => ({ status: 'signedIn', user: { id } }) as SessionState
export const plain: Submission = { form: undefined, validate: undefined, onSaved: undefined, send: undefined }
export const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A mounted form over a session and a service of this process. */
export async function mounted(stored: object | null = { firstName: 'Ada', tags: ['a'] }, error: Error | null = null) {
  const sent: unknown[] = []
  const listeners = new Set<(state: SessionState) => void>()
  const service = {
    profile: stored && profileOf(stored),
    reads: 0,
    accountReads: 0,
    /** How the next calls fail. */
    error,
    save: async (update: object) => profileOf({ ...service.profile, ...update }),
    /** What the next reads wait for before they answer or fail. */
    readsEnd: Promise.resolve(),
  }
  const client = {
    async getTenantConfiguration() {
      if (service.error) throw service.error
      return { auth: { methods: [] }, otp: { length: 6 }, profileSchema: schema }
    },
    async getAccount() {
      service.accountReads++
    },
    async getProfile() {
      service.reads++
      const { error, profile } = service
      await service.readsEnd
      if (error) throw error
      return profile ?? { id: null, createdAt: null, updatedAt: null, nickname: null }
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
