import type { Operations } from '../../../../contract/operations.ts'
import {
  accessToken,
  account,
  ada,
  email,
  formState,
  googleToken,
  identities,
  ids,
  issued,
  managedAda,
  newProfile,
  now,
  password,
  phone,
  profile,
  profileSchema,
  session,
  sessions,
} from './demo-tenant.ts'
import { activity } from './event-examples.ts'
import type { ExamplesOf } from './example.ts'

const done = { success: true } as const
const code = '482913'
const proofs = {
  otp: { method: 'otp', token: ids.otp },
  google: { method: 'google', idToken: googleToken, nonce: 'n-0S6_WzA2Mj' },
} as const
const current = sessions.map((one) => ({ ...one, current: one.id === ids.session }))

type Names = Exclude<
  { [Name in keyof Operations]: Operations[Name]['auth'] extends `tenant${string}` ? Name : never }[keyof Operations],
  keyof typeof import('./event-examples.ts').eventExamples
>

/** Examples of the operations of client applications. */
export const clientExamples: { readonly [Name in Names]: ExamplesOf<Operations[Name]> } = {
  issueOtp: {
    bodies: { signIn: { scope: 'otp_signin', email, locale: 'fr' }, verifyEmail: { scope: 'email_verification' } },
    answers: { issued },
  },
  verifyOtp: { bodies: { signIn: { id: ids.otp, scope: 'otp_signin', code } }, answers: { verified: done } },
  resendOtp: { bodies: { signIn: { id: ids.otp, scope: 'otp_signin' } }, answers: { resent: done } },
  getOtpStatus: {
    bodies: { signIn: { id: ids.otp, scope: 'otp_signin' } },
    answers: {
      pending: {
        id: ids.otp,
        scope: 'otp_signin',
        state: 'pending',
        createdAt: issued.createdAt,
        expiresAt: issued.expiresAt,
        nextResendAt: '2026-01-31T12:01:00.000Z',
        resendsRemaining: 3,
        attemptsRemaining: 5,
        deliveryMethod: 'email',
        recipient: 'a***@e***.com',
        delivery: 'sent',
      },
    },
  },
  resetPassword: {
    bodies: { challenge: { step: 'challenge', email }, confirm: { step: 'confirm', token: ids.otp, password } },
    answers: { challenge: issued, confirm: done },
  },
  signUp: {
    bodies: {
      password: { method: 'password', email, password, profile: { firstName: 'Ada', birthDate: '1990-12-10' } },
    },
    answers: {
      newUser: {
        ...session,
        user: { ...ada, methods: ['password'], emailVerified: false, phone: null, phoneVerified: false },
        isNewUser: true,
      },
    },
  },
  signIn: {
    bodies: {
      password: { method: 'password', email, password },
      ...proofs,
      guest: { method: 'guest' },
      endingOthers: { method: 'otp', token: ids.otp, endOtherSessions: true },
    },
    answers: { session },
  },
  stepUp: {
    bodies: { password: { method: 'password', password }, ...proofs },
    answers: { fresh: { accessToken, tokenType: 'Bearer', expiresIn: 900, freshUntil: '2026-01-31T12:10:00.000Z' } },
  },
  refreshSession: { bodies: { refresh: { refreshToken: session.refreshToken } }, answers: { session } },
  signOut: { bodies: { thisSession: {}, allSessions: { scope: 'all' } }, answers: { signedOut: done } },
  getTenantConfiguration: {
    answers: {
      full: {
        auth: { methods: ['password', 'otp', 'google'] },
        otp: { length: 6 },
        upload: { allowedTypes: ['image/png', 'image/jpeg'], maxSize: 5_242_880 },
        profileSchema,
      },
      currentSchemaVersion: { auth: { methods: ['password', 'otp', 'google'] }, otp: { length: 6 } },
      schemaDelta: {
        auth: { methods: ['password', 'otp', 'google'] },
        otp: { length: 6 },
        profileSchemaDelta: {
          from: '1',
          to: profileSchema.version,
          components: { set: profileSchema.components.slice(0, 1), remove: ['fax'], order: null },
          presentation: null,
          forms: { set: {}, remove: [] },
        },
      },
    },
  },
  getAccount: { answers: { ada: account } },
  deleteAccount: {},
  getProfile: { answers: { ada: profile, newUser: newProfile } },
  updateProfile: { bodies: { ada: { country: 'fr', tags: ['maths', 'engines'] } }, answers: { ada: profile } },
  checkProfile: {
    bodies: { ada: { country: 'fr', shoeSize: 38 } },
    answers: { ada: { fields: { country: 'ok', shoeSize: 'ignored' } } },
  },
  checkSignUp: {
    bodies: { ada: { profile: { firstName: 'Ada', birthDate: '2030-02-30' } } },
    answers: { ada: { fields: { firstName: 'ok', birthDate: 'invalid' } } },
  },
  getFormState: { answers: { ada: formState } },
  changePassword: {
    bodies: { change: { currentPassword: password, password: 'a new and longer one' } },
    answers: { changed: done },
  },
  changeEmail: { bodies: { change: { email: 'ada.lovelace@example.com' } }, answers: { issued } },
  changePhone: { bodies: { change: { phone: '+33698765432', locale: 'fr' } }, answers: { issued } },
  listSessions: { answers: { ada: { sessions: current } } },
  endSession: {},
  addIdentity: {
    bodies: { password: { method: 'password', password }, ...proofs },
    answers: { ada: account },
  },
  removeIdentity: {},
  exportAccount: {
    answers: {
      ada: {
        exportedAt: now,
        user: {
          ...managedAda,
          emailVerifiedAt: managedAda.createdAt,
          phoneVerifiedAt: null,
          passwordChangedAt: null,
          codesValidFrom: null,
        },
        identities: identities.map((one) => ({
          ...one,
          subject: one.method === 'google' ? '110169484474386276334' : null,
        })),
        profile,
        archived: { fax: '+33123456789' },
        sessions: current.map((one) => ({ ...one, amr: ['pwd'], endedAt: null })),
        otps: [
          {
            id: ids.otp,
            scope: 'otp_signin',
            state: 'pending',
            deliveryMethod: 'email',
            recipient: email,
            createdAt: issued.createdAt,
            expiresAt: issued.expiresAt,
          },
        ],
        messages: [
          {
            id: ids.message,
            kind: 'otp',
            deliveryMethod: 'email',
            recipient: email,
            state: 'sent',
            createdAt: issued.createdAt,
          },
        ],
        activity: [activity],
      },
    },
  },
  recoverAccount: {
    bodies: { undo: { id: '01KG9VBBW05GQAPENECFSECZP1', code: '48291375' } },
    answers: { undone: done },
  },
}

/** Values of parameters by name. */
export const parameterExamples: Readonly<Record<string, unknown>> = {
  tenantId: ids.tenant,
  userId: ids.ada,
  keyId: ids.publishableKey,
  sessionId: ids.session,
  form: 'onboarding',
  step: 'interests',
  identityId: ids.googleIdentity,
  messageId: ids.message,
  operatorId: ids.operator,
  otpId: ids.otp,
  lastEventId: ids.message,
  'Last-Event-ID': ids.message,
  ...Object.fromEntries(
    ['streamEvents', 'streamDeploymentEvents'].flatMap((name) =>
      ['lastEventId', 'Last-Event-ID'].map((parameter) => [`${name} ${parameter}`, '1042']),
    ),
  ),
  cursor: ids.nextPage,
  type: 'session.*',
  actor: ids.ada,
  subject: ids.ada,
  outcome: 'refused',
  since: '2026-01-01T00:00:00.000Z',
  until: '2026-02-01T00:00:00.000Z',
  requestId: '01KG9YRWDG3VPT1X7G0FHN0QJW',
  format: 'ndjson',
  limit: 50,
  dryRun: 'true',
  email,
  phone,
  recipient: email,
  id: ids.ada.slice(0, 10),
  profile: { 'profile.city': 'Paris', 'profile.age.min': '18' },
  'listTenants q': 'demo',
  days: 30,
  timezone: 'Europe/Berlin',
  'listUsers q': 'ada@',
  'listUsers state': 'suspended',
  order: 'newest',
  state: 'failed',
  version: profileSchema.version,
  schemaVersion: profileSchema.version,
  schemaDelta: 'true',
  locale: 'fr-CA',
  ifBreaking: 'refuse',
  from: '1',
  to: profileSchema.version,
  all: 'true',
  passwordHashes: 'true',
  sensitive: 'true',
  'If-Match': '"3"',
  'If-None-Match': '"3f9a7c52"',
  'X-Client-IP': '203.0.113.7',
  'Idempotency-Key': '5f2c1f0e-8d1b-4f0a-9c55-0b3f3c1f2a77',
}
