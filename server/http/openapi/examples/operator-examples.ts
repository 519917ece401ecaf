import type { Operations } from '../../../../contract/operations.ts'
import {
  email,
  identities,
  ids,
  managedAda,
  managedGrace,
  newProfile,
  now,
  password,
  phone,
  profile,
  profileSchema,
  restrictedGrace,
  sessions,
} from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const tenant = {
  id: ids.tenant,
  name: 'Demo',
  suspended: false,
  restrictedCapabilities: [],
  createdAt: '2026-01-05T09:00:00.000Z',
  updatedAt: '2026-01-05T09:00:00.000Z',
}

const publishable = {
  id: ids.publishableKey,
  name: 'demo app',
  kind: 'publishable',
  createdAt: '2026-01-05T09:01:00.000Z',
  expiresAt: null,
} as const

const secret = { ...publishable, id: ids.secretKey, name: 'demo back end', kind: 'secret' } as const

const newTenantKey = { ...secret, key: `tk_sec_${ids.secretKey}_EXAMPLE`, createdAt: '2026-01-05T09:02:00.000Z' }

const modules = {
  auth: {
    methods: ['password' as const, 'otp' as const, 'google' as const],
    google: { clientIds: ['demo.apps.example.com'] },
  },
  otp: { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 },
  upload: { allowedTypes: ['image/png', 'image/jpeg'], maxSize: 5_242_880 },
}

const published = { ...profileSchema, migrations: [] }
const publication = { state: 'current', publishedAt: now, publishedBy: 'root' } as const
const removal = {
  field: 'fax',
  kind: 'removed',
  message: 'Not in the new schema; clients no longer see its values.',
} as const
const { version: _version, ...newSchema } = published

const {
  lastActiveAt,
  createdAt,
  restrictedCapabilities: _all,
  updatedAt: _updated,
  methods: _methods,
  ...moved
} = managedAda

type Names = Exclude<
  {
    [Name in keyof Operations]: Operations[Name]['path'] extends `/admin/tenants${string}` ? Name : never
  }[keyof Operations],
  | keyof typeof import('./event-examples.ts').eventExamples
  | keyof typeof import('./message-examples.ts').messageExamples
  | keyof typeof import('./statistics-examples.ts').statisticsExamples
>

/** Examples of the operations on tenants. */
export const operatorExamples: { readonly [Name in Names]: ExamplesOf<Operations[Name]> } = {
  createTenant: { bodies: { demo: { name: 'Demo' } }, answers: { demo: tenant } },
  listTenants: { answers: { lastPage: { items: [{ ...tenant, users: 2 }], nextCursor: null } } },
  getTenant: { answers: { demo: tenant } },
  updateTenant: {
    bodies: { suspend: { suspended: true } },
    answers: { suspended: { ...tenant, suspended: true, updatedAt: now } },
  },
  deleteTenant: {},
  readConfiguration: { answers: { demo: modules } },
  replaceConfiguration: { bodies: { demo: modules }, answers: { demo: modules } },
  updateConfiguration: {
    bodies: { longerCodes: { otp: { length: 8 }, upload: null } },
    answers: { longerCodes: { auth: modules.auth, otp: { ...modules.otp, length: 8 } } },
  },
  readProfileSchema: { answers: { current: published } },
  publishProfileSchema: {
    bodies: { next: newSchema },
    answers: {
      published: { ...published, state: 'current', warnings: [] },
      duplicates: { ...published, state: 'failed', duplicates: { nickname: 3 }, warnings: [] },
    },
  },
  listProfileSchemaVersions: {
    answers: {
      lastPage: {
        items: [
          { ...publication, version: published.version, ordinal: 2, fields: 4, migrations: 0, profiles: 2 },
          { ...publication, version: '1', ordinal: 1, state: 'superseded', fields: 0, migrations: 0, profiles: 0 },
        ],
        nextCursor: null,
      },
    },
  },
  readProfileSchemaVersion: { answers: { current: { ...published, ...publication } } },
  readProfileMigration: { answers: { underWay: { version: published.version, profiles: 2, pending: 1 } } },
  diffProfileSchemas: {
    answers: { removed: { from: '1', to: published.version, changes: [removal] } },
  },
  checkProfileSchema: {
    bodies: { next: newSchema },
    answers: {
      narrowed: {
        effect: 'new',
        changes: [{ field: 'tags', kind: 'narrowed', message: 'maxItems is 10 instead of 100' }],
        profiles: 2,
        failingProfiles: 1,
        failingFields: { tags: 1 },
        uncastable: {},
        duplicates: { nickname: 3 },
        untranslated: { fr: ['components.tags.label'] },
        warnings: [
          {
            path: 'forms.signUp.required.0',
            message:
              '"nickname" is locked while no field has a value, so no sign-up can set it; change its lockedWhen or do not require it',
          },
        ],
      },
    },
  },
  previewMessage: {
    bodies: { signInCode: { kind: 'otp_signin', method: 'sms', locale: 'en' } },
    answers: {
      signInCode: {
        subject: null,
        text: "Demo: 482913 is your sign-in code. Valid for 10 minutes. Don't share it with anyone.",
        html: null,
        locale: 'en',
        fallback: false,
      },
    },
  },
  sendTestMessage: {
    bodies: { email: { method: 'email', to: 'operator@example.com' } },
    answers: {
      delivered: { delivered: true, sender: 'smtp', problem: null, attempts: [{ sender: 'smtp', problem: null }] },
    },
  },
  createTenantKey: {
    bodies: { backEnd: { name: 'demo back end', kind: 'secret' } },
    answers: { backEnd: newTenantKey },
  },
  listTenantKeys: {
    answers: {
      lastPage: {
        items: [publishable, secret].map((key) => ({
          ...key,
          revokedAt: null,
          lastUsedAt: '2026-01-31T11:59:00.000Z',
        })),
        nextCursor: null,
      },
    },
  },
  revokeTenantKey: {},
  rotateTenantKey: { bodies: { inAnHour: { overlapSeconds: 3600 } }, answers: { backEnd: newTenantKey } },
  createUser: {
    bodies: {
      grace: { email: 'grace@example.com', password },
      ada: { email, emailVerified: true, phone, phoneVerified: true, profile: { firstName: 'Ada', country: 'fr' } },
    },
    answers: { grace: managedGrace },
  },
  listUsers: { answers: { firstPage: { items: [managedAda, managedGrace], nextCursor: ids.nextPage } } },
  getUser: { answers: { ada: managedAda } },
  updateUser: {
    bodies: {
      restrict: { restrictions: restrictedGrace.restrictions },
      suspend: { suspension: { reason: 'Chargeback', until: null } },
      address: { email: 'grace@new.example', emailVerified: false },
    },
    answers: { restrict: restrictedGrace },
  },
  deleteUser: {},
  importUsers: {
    bodies: {
      ada: {
        email,
        emailVerified: true,
        passwordHash: '$2b$12$EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAM',
        profile: { firstName: 'Ada', country: 'fr' },
      },
    },
    answers: {
      error: {
        error: {
          line: 2,
          code: 'EMAIL_ALREADY_REGISTERED',
          message: 'A user with this e-mail address already exists.',
        },
      },
      done: { done: { read: 2, imported: 1, failed: 1 } },
    },
  },
  exportUsers: {
    answers: {
      ada: {
        ...moved,
        identities: [{ provider: 'google', subject: '110169484474386276334', email }],
        profile: { firstName: 'Ada', birthDate: '1990-12-10', country: 'fr', tags: ['maths', 'engines'] },
        createdAt,
        lastActiveAt,
      },
      done: { done: { exported: 2 } },
    },
  },
  listUserIdentities: { answers: { ada: { identities } } },
  removeUserIdentity: {},
  sendPasswordReset: { answers: { sent: { otpId: ids.otp } } },
  listUserSessions: { answers: { ada: { sessions } } },
  endUserSessions: {},
  endUserSession: {},
  readUserProfile: { answers: { ada: profile, newUser: newProfile } },
  updateUserProfile: {
    bodies: { ada: { loyaltyLevel: 'gold' } },
    answers: { ada: { ...profile, loyaltyLevel: 'gold' } },
  },
}
