import { z } from 'zod'
import { DeliveryMethod, OtpScope } from './accounts/otp.ts'
import { Timestamp } from './envelope.ts'
import { operation } from './operation.ts'

export const getJwks = operation({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Read the public keys of access tokens',
  description: 'Returns a JSON Web Key Set (RFC 7517).',
  auth: 'none',
  status: 200,
  output: z.strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  }),
  envelope: false,
  errors: [],
})

/**
 * The parts of OpenID Connect Discovery 1.0 that apply here. There is no authorization endpoint; providers without one,
 * such as Kubernetes, give `id_token` as the required response type.
 */
export const OpenIdConfiguration = z.strictObject({
  issuer: z.string().describe('The `iss` claim of every access token.'),
  jwks_uri: z.string(),
  id_token_signing_alg_values_supported: z.array(z.literal('ES256')),
  response_types_supported: z.array(z.literal('id_token')),
  subject_types_supported: z.array(z.literal('public')),
})
export type OpenIdConfiguration = z.infer<typeof OpenIdConfiguration>

export const getOpenIdConfiguration = operation({
  method: 'GET',
  path: '/.well-known/openid-configuration',
  summary: 'Read the discovery document',
  description:
    'An OpenID Connect Discovery 1.0 document for JWT middleware that verifies access tokens: issuer, algorithm and location of the public keys. It has no authorization endpoint.',
  auth: 'none',
  status: 200,
  output: OpenIdConfiguration,
  envelope: false,
  errors: [],
})

export const getLiveness = operation({
  method: 'GET',
  path: '/healthz',
  summary: 'Check liveness',
  description: 'Responds with 503 if the process must be restarted, because its disk failed to make a write durable.',
  auth: 'none',
  status: 200,
  output: z.strictObject({ status: z.literal('ok') }),
  envelope: false,
  errors: ['SERVICE_UNAVAILABLE'],
})

export const getReadiness = operation({
  method: 'GET',
  path: '/readyz',
  summary: 'Check readiness',
  description:
    'Responds with 503 while the process cannot serve: the database does not answer or accept writes, or shutdown has begun.',
  auth: 'none',
  status: 200,
  output: z.strictObject({ status: z.literal('ok') }),
  envelope: false,
  errors: ['SERVICE_UNAVAILABLE'],
})

/** The version of Prometheus' text format, as named in `Accept` and `Content-Type`. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export const getMetrics = operation({
  method: 'GET',
  path: '/metrics',
  summary: 'Read the metrics',
  description:
    'Metrics in the Prometheus text format. They never contain a tenant, a user, an address or a one-time password. With `METRICS_PORT` set, that port serves the same metrics without a key.',
  auth: 'admin',
  scope: 'system:read',
  status: 200,
  output: z.string(),
  outputText: metricsType,
  envelope: false,
  errors: [],
})

export const getOpenApi = operation({
  method: 'GET',
  path: '/openapi.json',
  summary: 'Read the OpenAPI document',
  description: 'Returns this document. It contains the limits of the deployment.',
  auth: 'none',
  status: 200,
  output: z.looseObject({ openapi: z.literal('3.1.0') }),
  envelope: false,
  errors: [],
})

export const getProfileSchemaDocument = operation({
  method: 'GET',
  path: '/profile-schema.json',
  summary: 'Read the JSON Schema of profile schemas',
  description:
    'Returns the JSON Schema (draft 7) of the body of `PUT /admin/tenants/{tenantId}/profile-schema`. An editor that finds its URL under `$schema` completes and checks the file.',
  auth: 'none',
  status: 200,
  output: z.looseObject({ title: z.string() }),
  envelope: false,
  errors: [],
})

/** A message that production would have sent, with its code; outside production only. */
export const TestingChannelMessage = z.strictObject({
  id: z.string(),
  tenantId: z.string(),
  otpId: z
    .string()
    .nullable()
    .describe('The one-time password or undo code that the message delivers; null for a notice without a code.'),
  scope: OtpScope.nullable().describe('null for notices.'),
  deliveryMethod: DeliveryMethod,
  recipient: z.string(),
  code: z.string().nullable().describe('null for a message without a code.'),
  text: z.string(),
  createdAt: Timestamp,
})
export type TestingChannelMessage = z.infer<typeof TestingChannelMessage>

const TestingChannelFilter = z.object({
  tenantId: z.string().optional(),
  otpId: z.string().optional(),
  recipient: z.string().optional(),
})

export const listTestingChannelMessages = operation({
  method: 'GET',
  path: '/admin/testing-channel/messages',
  summary: 'List messages of the testing channel',
  description: 'Returns the latest 200 matching messages, oldest first. Not available in production.',
  auth: 'admin',
  scope: 'codes:read',
  reach: 'tenantQuery',
  query: TestingChannelFilter,
  status: 200,
  output: z.strictObject({ messages: z.array(TestingChannelMessage) }),
  errors: [],
})

export const clearTestingChannelMessages = operation({
  method: 'DELETE',
  path: '/admin/testing-channel/messages',
  summary: 'Clear the testing channel',
  description:
    'Removes the messages of the testing channel, with their codes, from its list and its streams; of all tenants without `tenantId`. The codes stay valid, and the messages stay in the list of messages of their tenant. Messages that arrive meanwhile stay. Not available in production.',
  auth: 'admin',
  scope: 'messages:write',
  reach: 'tenantQuery',
  query: z.object({ tenantId: z.string().optional() }),
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND'],
})

export const streamTestingChannelMessages = operation({
  method: 'GET',
  path: '/admin/testing-channel/stream',
  summary: 'Follow the testing channel',
  description:
    'A stream of server-sent events: an event `message` for each posted message, with the id of the message as event id. A comment every 15 seconds keeps the connection open. With `Last-Event-ID`, the stream resumes after that message without gaps or duplicates; after an unknown id, it starts with all stored messages. A cleared message is not unknown. Not available in production.',
  auth: 'admin',
  scope: 'codes:read',
  reach: 'tenantQuery',
  query: TestingChannelFilter.extend({
    lastEventId: z
      .string()
      .optional()
      .describe('For clients that cannot send `Last-Event-ID`, which takes precedence.'),
  }),
  status: 200,
  output: TestingChannelMessage,
  stream: true,
  errors: [],
})
