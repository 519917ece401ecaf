import { maskPhone } from '../../server/delivery/mask.ts'
import { otpReference } from '../../server/events/subjects.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import type { Acts, ActsWorld } from './acts-world.testkit.ts'

let users = 0
const addUser = async ({ admin, path }: ActsWorld) => {
  const email = `user-${++users}@example.com`
  const { id: userId } = await admin.createUser(path, { email })
  return { ...path, userId }
}
const aUser = ({ path: { tenantId } }: ActsWorld, userId: string) => ({ log: tenantId, subject: `user ${userId}` })

/** What the operations on users and messages record. */
export const userActs: Readonly<Record<string, Acts>> = {
  createUser: {
    'records masked addresses, and names of the password and the fields': async (world, begin) => {
      const components = [
        { name: 'nick', type: 'text' },
        { name: 'city', type: 'text' },
      ] as const
      await world.admin.publishProfileSchema(world.path, { components: [...components] })
      const body = {
        email: 'jane@example.com',
        phone: '+33612345678',
        password: 'correct horse',
        profile: { nick: 'J' },
      }
      begin()
      const { id } = await world.admin.createUser(world.path, body)
      const email = { after: 'j***@e***.com' }
      const phone = { after: '+33******78' }
      return [
        { type: 'user.created', ...aUser(world, id), changes: { email, password: {}, phone } },
        { type: 'profile.created', ...aUser(world, id), changes: { nick: {} } },
      ]
    },
    'records a replay once': async (world, begin) => {
      begin()
      const create = () =>
        world.admin.createUser(world.path, { email: 'twice@example.com' }, { idempotencyKey: 'the-same-user' })
      const { id } = await create()
      await create()
      return [{ type: 'user.created', ...aUser(world, id), changes: { email: { after: 't***@e***.com' } } }]
    },
  },
  updateUser: {
    'records addresses, restrictions and suspensions without their reasons': async (world, begin) => {
      const user = await addUser(world)
      const until = '2027-01-01T00:00:00.000Z'
      const why = { reason: 'a reason', until }
      begin()
      await world.admin.updateUser(user, { email: 'new@example.com', phone: '+33612345679' })
      await world.admin.updateUser(user, {
        restrictions: [
          { capability: 'upload', ...why },
          { capability: 'sign_in', ...why },
        ],
        suspension: why,
      })
      await world.admin.updateUser(user, { restrictions: [{ capability: 'upload', ...why }], suspension: null })
      const subject = aUser(world, user.userId)
      return [
        {
          type: 'user.email_changed',
          ...subject,
          changes: { email: { before: 'u***@e***.com', after: 'n***@e***.com' } },
        },
        { type: 'user.phone_changed', ...subject, changes: { phone: { after: '+33******79' } } },
        { type: 'user.restricted', ...subject, details: { capabilities: ['sign_in', 'upload'] } },
        { type: 'user.suspended', ...subject, details: { until } },
        { type: 'user.unrestricted', ...subject, details: { capabilities: ['sign_in'] } },
        { type: 'user.restored', ...subject },
      ]
    },
    'records that an address counts as verified': async (world, begin) => {
      const { userId, email, phone } = await addPerson(world.service, world.tenant)
      begin()
      await world.admin.updateUser({ ...world.path, userId }, { email, phone })
      const subject = aUser(world, userId)
      return [
        { type: 'user.email_verified', ...subject, changes: { email: { after: 'p***@e***.com' } } },
        { type: 'user.phone_verified', ...subject, changes: { phone: { after: `+33******${phone.slice(-2)}` } } },
      ]
    },
    'records that an address no longer counts as verified': async (world, begin) => {
      const { userId, phone } = await addPerson(world.service, world.tenant)
      begin()
      await world.admin.updateUser({ ...world.path, userId }, { emailVerified: true, phoneVerified: true })
      await world.admin.updateUser({ ...world.path, userId }, { emailVerified: false, phoneVerified: false })
      const lost = { before: true, after: false }
      return [
        ...['email', 'phone'].map((kind) => ({
          type: `user.${kind}_verified`,
          ...aUser(world, userId),
          changes: { [kind]: { after: kind === 'email' ? 'p***@e***.com' : `+33******${phone.slice(-2)}` } },
        })),
        { type: 'user.updated', ...aUser(world, userId), changes: { emailVerified: lost, phoneVerified: lost } },
      ]
    },
    'records what becomes of a guest': async (world, begin) => {
      await world.admin.updateConfiguration(world.path, { auth: { methods: ['password', 'otp', 'guest'] } })
      const { user } = await world.tenant.client.signIn({ method: 'guest' })
      const { sessions } = await world.admin.listUserSessions({ ...world.path, userId: user.id })
      begin()
      await world.admin.updateUser({ ...world.path, userId: user.id }, { email: 'guest@example.com' })
      const subject = aUser(world, user.id)
      const details = { session: sessions[0]!.id, reason: 'operator' }
      return [
        { type: 'session.ended', ...subject, details },
        { type: 'user.email_changed', ...subject, changes: { email: { after: 'g***@e***.com' } } },
        { type: 'user.updated', ...subject, changes: { guest: { before: true, after: false } } },
      ]
    },
    'records nothing when nothing changes': async (world, begin) => {
      const user = await addUser(world)
      const restrictions = [{ capability: 'upload' as const, reason: 'x', until: null }]
      await world.admin.updateUser(user, { restrictions })
      begin()
      await world.admin.updateUser(user, { restrictions, suspension: null })
      return []
    },
  },
  updateUserProfile: {
    'records the names of the fields, of the first profile and of a change': async (world, begin) => {
      await world.admin.publishProfileSchema(world.path, { components: [{ name: 'nick', type: 'text' }] })
      const user = await addUser(world)
      begin()
      await world.admin.updateUserProfile(user, { nick: 'first' })
      await world.admin.updateUserProfile(user, { nick: 'second' })
      const subject = aUser(world, user.userId)
      return [
        { type: 'profile.created', ...subject, changes: { nick: {} } },
        { type: 'profile.updated', ...subject, changes: { nick: {} } },
      ]
    },
  },
  deleteUser: {
    'records the deletion': async (world, begin) => {
      const user = await addUser(world)
      begin()
      await world.admin.deleteUser(user)
      return [{ type: 'user.deleted', ...aUser(world, user.userId), details: { reason: 'operator' } }]
    },
  },
  endUserSessions: {
    'records each session, and nothing when none is open': async (world, begin) => {
      const person = await addPerson(world.service, world.tenant)
      const user = { ...world.path, userId: person.userId }
      await person.signIn()
      await person.signIn()
      const { sessions } = await world.admin.listUserSessions(user)
      begin()
      await world.admin.endUserSessions(user)
      await world.admin.endUserSessions(user)
      return sessions.map(({ id: session }) => ({
        type: 'session.ended',
        ...aUser(world, person.userId),
        details: { session, reason: 'operator' },
      }))
    },
  },
  endUserSession: {
    'records the session': async (world, begin) => {
      const person = await addPerson(world.service, world.tenant)
      await person.signIn()
      const user = { ...world.path, userId: person.userId }
      const { sessions } = await world.admin.listUserSessions(user)
      const session = sessions[0]!.id
      begin()
      await world.admin.endUserSession({ ...user, sessionId: session })
      return [{ type: 'session.ended', ...aUser(world, person.userId), details: { session, reason: 'operator' } }]
    },
  },
  removeUserIdentity: {
    'records what was removed': async (world, begin) => {
      const { userId, phone } = await addPerson(world.service, world.tenant)
      const user = { ...world.path, userId }
      await world.admin.updateUser(user, { emailVerified: true, phoneVerified: true })
      begin()
      await world.admin.removeUserIdentity({ ...user, identityId: 'phone' })
      await world.admin.removeUserIdentity({ ...user, identityId: 'password' })
      const subject = aUser(world, userId)
      return [
        { type: 'user.phone_changed', ...subject, changes: { phone: { before: maskPhone(phone) } } },
        { type: 'user.password_changed', ...subject, changes: { password: {} } },
      ]
    },
  },
  sendPasswordReset: {
    'records the request of an operator': async (world, begin) => {
      const { userId } = await addPerson(world.service, world.tenant)
      const user = { ...world.path, userId }
      await world.admin.updateUser(user, { emailVerified: true })
      begin()
      const { otpId } = await world.admin.sendPasswordReset(user)
      return [{ type: 'password_reset.requested', ...aUser(world, userId), details: { otp: otpReference(otpId!) } }]
    },
  },
  retryMessage: {
    'records a message that is sent again': async (world, begin) => {
      const { id: otpId } = await world.tenant.client.issueOtp({ scope: 'otp_signin', email: 'retry@example.com' })
      await world.service.service.services.delivery.drain()
      await writeStored(world.service, "UPDATE outbox SET state = 'failed' WHERE otp_id = ?", otpId)
      const { items } = await world.admin.listMessages(world.path, { otpId })
      begin()
      await world.admin.retryMessage({ ...world.path, messageId: items[0]!.id })
      const details = { kind: 'otp', deliveryMethod: 'email' }
      const { tenantId: log } = world.path
      return [{ type: 'message.retried', log, subject: `message ${items[0]!.id}`, details }]
    },
  },
}
