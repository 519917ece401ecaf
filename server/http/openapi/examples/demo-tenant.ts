import type { ProfileSchema } from '../../../../contract/profile-schema.ts'

/** The tenant and the people of all examples. Secrets end in EXAMPLE, so that no scanner takes them for real ones. */

/** Ids that appear in several examples. */
export const ids = {
  operator: '01KE6P6MX0YB9Q2T4W6Z8C1D3F',
  tenant: '01KE6P4YM0M9S346Q3D25VT4F5',
  publishableKey: '01KE6P6S70V37E3S3E28JT97KB',
  secretKey: '01KE6P8KT06CQ643DZVMXXQKFB',
  ada: '01KEKGDKT0F5KZNWJ47TAN9ZT2',
  grace: '01KESHHDQ04MNPZX45HY43KWJR',
  session: '01KG9XMKM0P1XPA7Z3DJ8FSSZ5',
  otherSession: '01KG1Q9790AWSH8VHTPRE95B9E',
  otp: '01KG9YS7G0E0ZBGJ09TQM83XSS',
  message: '01KG9YS7G0SS6YS3C4DWA7N360',
  profile: '01KEKGFED096Q14DR9GPQY77ZX',
  googleIdentity: '01KEKGH900YYK596NGYA1DQ91K',
  nextPage: 'MDFLRVNISERRMDRNTlBaWDQ1SFk0M0tXSlI',
} as const

/** When the requests of the examples are sent. */
export const now = '2026-01-31T12:00:00.000Z'
const registered = '2026-01-10T08:30:00.000Z'

export const email = 'ada@example.com'
export const phone = '+33612345678'
export const password = 'correct horse battery'
export const googleToken = 'eyJhbGciOiJSUzI1NiJ9.EXAMPLE.EXAMPLE'
export const accessToken = 'eyJhbGciOiJFUzI1NiJ9.EXAMPLE.EXAMPLE'

export const ada = {
  id: ids.ada,
  guest: false,
  methods: ['password', 'otp', 'google'] as ('password' | 'otp' | 'google')[],
  email,
  emailVerified: true,
  phone,
  phoneVerified: true,
  createdAt: registered,
}

export const identities = [
  { id: 'password', method: 'password' as const, email, phone: null, createdAt: null },
  { id: 'email', method: 'otp' as const, email, phone: null, createdAt: '2026-01-10T08:31:00.000Z' },
  { id: 'phone', method: 'otp' as const, email: null, phone, createdAt: '2026-01-10T08:34:00.000Z' },
  { id: ids.googleIdentity, method: 'google' as const, email, phone: null, createdAt: '2026-01-10T08:32:00.000Z' },
]

export const account = { ...ada, identities }

export const managedAda = {
  ...ada,
  restrictedCapabilities: [],
  restrictions: [],
  suspension: null,
  lastActiveAt: '2026-01-31T11:40:00.000Z',
  updatedAt: '2026-01-10T08:34:00.000Z',
}

export const managedGrace = {
  ...managedAda,
  id: ids.grace,
  methods: ['password' as const],
  email: 'grace@example.com',
  emailVerified: false,
  phone: null,
  phoneVerified: false,
  createdAt: '2026-01-12T16:45:00.000Z',
  lastActiveAt: '2026-01-12T16:45:00.000Z',
  updatedAt: '2026-01-12T16:45:00.000Z',
}

export const restrictedGrace = {
  ...managedGrace,
  restrictedCapabilities: ['upload' as const],
  restrictions: [{ capability: 'upload' as const, reason: 'Uploaded spam', until: '2026-02-28T00:00:00.000Z' }],
  updatedAt: now,
}

export const session = {
  accessToken,
  tokenType: 'Bearer' as const,
  expiresIn: 900,
  refreshToken: `rt_${ids.session}_EXAMPLE`,
  user: ada,
  isNewUser: false,
}

const openSession = {
  id: ids.session,
  userAgent: 'DemoApp/3.1 (iPhone; iOS 26.1)',
  network: '203.0.113.0/24',
  createdAt: '2026-01-31T11:40:00.000Z',
  lastUsedAt: '2026-01-31T11:40:00.000Z',
  expiresAt: '2026-03-02T11:40:00.000Z',
}

export const sessions = [
  openSession,
  {
    ...openSession,
    id: ids.otherSession,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
    network: '2001:db8:12::/48',
    createdAt: '2026-01-28T07:15:00.000Z',
    lastUsedAt: '2026-01-30T19:02:11.000Z',
    expiresAt: '2026-03-01T19:02:11.000Z',
  },
]

export const issued = { id: ids.otp, createdAt: now, expiresAt: '2026-01-31T12:10:00.000Z', resendIntervalSeconds: 60 }

/** The profile schema of the tenant; `profile` has a value for each component. */
export const profileSchema: ProfileSchema = {
  version: '2',
  components: [
    {
      name: 'firstName',
      type: 'text',
      label: { default: 'First name', fr: 'Prénom' },
      required: true,
      rules: { maxLength: 80 },
    },
    { name: 'birthDate', type: 'date', label: 'Date of birth', rules: { minAge: 13 }, writeOnce: true },
    {
      name: 'country',
      type: 'select',
      label: 'Country',
      options: [
        { value: 'fr', label: 'France' },
        { value: 'gb', label: 'United Kingdom' },
      ],
    },
    { name: 'tags', type: 'list', label: 'Tags', rules: { maxItems: 10, unique: true } },
    { name: 'loyaltyLevel', type: 'text', label: 'Loyalty level', writable: false },
  ],
  presentation: [{ section: 'about', title: 'About you', fields: ['firstName', 'birthDate', 'country', 'tags'] }],
  forms: {
    signUp: { title: 'Sign up', fields: ['firstName', 'birthDate'] },
    onboarding: {
      title: 'Complete your profile',
      steps: [
        { step: 'who', title: 'About you', fields: ['firstName', 'country'], required: ['firstName'] },
        { step: 'phone', title: 'Your phone number', verify: 'phone' },
        { step: 'interests', title: 'Your interests', fields: ['tags'], required: ['tags'] },
      ],
    },
  },
}

export const profile = {
  id: ids.profile,
  firstName: 'Ada',
  birthDate: '1990-12-10',
  country: 'fr',
  tags: ['maths', 'engines'],
  loyaltyLevel: null,
  createdAt: '2026-01-10T08:31:00.000Z',
  updatedAt: now,
}

export const newProfile = {
  id: null,
  firstName: null,
  birthDate: null,
  country: null,
  tags: null,
  loyaltyLevel: null,
  createdAt: null,
  updatedAt: null,
}

/** The state of the form `onboarding` before `tags` is set. */
export const formState = {
  form: 'onboarding',
  complete: false,
  nextStep: 'interests',
  steps: [
    { step: 'who', complete: true, missing: [], invalid: [] },
    { step: 'phone', complete: true, missing: [], invalid: [] },
    { step: 'interests', complete: false, missing: ['tags'], invalid: [] },
  ],
}
