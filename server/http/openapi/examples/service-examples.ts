import type { Operations, streams } from '../../../../contract/operations.ts'
import { email, ids, now } from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const kid = '01KE6P3410T4V8Q2N6M0R5S9XB'
const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid,
  alg: 'ES256',
  use: 'sig',
} as const

const signingKeys = {
  keys: [
    {
      kid,
      state: 'current' as const,
      createdAt: '2026-01-05T08:59:00.000Z',
      signsFrom: '2026-01-05T08:59:00.000Z',
      trustedUntil: null,
    },
  ],
}

const rotated = {
  keys: [
    ...signingKeys.keys,
    {
      kid: '01KG9YS7G0F3K7P1W5Z9C2D6HJ',
      state: 'next' as const,
      createdAt: now,
      signsFrom: '2026-01-31T12:10:00.000Z',
      trustedUntil: null,
    },
  ],
}

const posted = {
  id: ids.message,
  tenantId: ids.tenant,
  otpId: ids.otp,
  scope: 'otp_signin' as const,
  deliveryMethod: 'email' as const,
  recipient: email,
  code: '482913',
  text: 'Enter this code to sign in:\n\n482913\n\nThis code is valid for 10 minutes. Don’t share it with anyone: no one from Demo will ever ask you for it.\n\nIf you didn’t request this code, you can safely ignore this email. Someone may have entered your address by mistake.\n',
  createdAt: now,
}

const metrics = `# HELP tenantry_build_info Always 1; the labels are the version and the database engine.
# TYPE tenantry_build_info gauge
tenantry_build_info{version="0.1.0",engine="sqlite"} 1
`

type Service = Omit<
  Operations,
  | keyof typeof import('./client-examples.ts').clientExamples
  | keyof typeof import('./operator-examples.ts').operatorExamples
  | keyof typeof import('./statistics-examples.ts').statisticsExamples
  | keyof typeof import('./event-examples.ts').eventExamples
  | keyof typeof import('./operator-account-examples.ts').operatorAccountExamples
  | keyof typeof import('./message-examples.ts').messageExamples
> &
  Omit<typeof streams, keyof typeof import('./event-examples.ts').eventExamples>

/** Examples of the operations of the service itself. */
export const serviceExamples: { readonly [Name in keyof Service]: ExamplesOf<Service[Name]> } = {
  listTestingChannelMessages: { answers: { signInCode: { messages: [posted] } } },
  clearTestingChannelMessages: {},
  streamTestingChannelMessages: { answers: { signInCode: posted } },
  listSigningKeys: { answers: { one: signingKeys } },
  rotateSigningKeys: { bodies: { planned: {}, leaked: { withdraw: true } }, answers: { planned: rotated } },
  getJwks: { answers: { one: { keys: [jwk] } } },
  getOpenIdConfiguration: {
    answers: {
      document: {
        issuer: 'https://accounts.example.com',
        jwks_uri: 'https://accounts.example.com/.well-known/jwks.json',
        id_token_signing_alg_values_supported: ['ES256'],
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
      },
    },
  },
  getLiveness: { answers: { live: { status: 'ok' } } },
  getReadiness: { answers: { ready: { status: 'ok' } } },
  getMetrics: { answers: { excerpt: metrics } },
  getOpenApi: { answers: { excerpt: { openapi: '3.1.0', info: { title: 'Tenantry', version: '0.1.0' } } } },
  getProfileSchemaDocument: {
    answers: { excerpt: { title: 'Tenantry profile schema', type: 'object' } },
  },
}
