import { z } from 'zod'
import { Timestamp } from './envelope.ts'
import { operation } from './operation.ts'
import { DeliveryMethod, OtpScope } from './otp.ts'

export const getJwks = operation({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Public keys of the access tokens',
  description: 'A JSON Web Key Set (RFC 7517).',
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
 * What OpenID Connect Discovery 1.0 wants of a provider, as far as it is true here. There is no authorization endpoint;
 * providers without one, such as Kubernetes, say `id_token` where the standard wants a response type.
 */
export const OpenIdConfiguration = z.strictObject({
  issuer: z.string().describe('The `iss` of every access token.'),
  jwks_uri: z.string(),
  id_token_signing_alg_values_supported: z.array(z.literal('ES256')),
  response_types_supported: z.array(z.literal('id_token')),
  subject_types_supported: z.array(z.literal('public')),
})
export type OpenIdConfiguration = z.infer<typeof OpenIdConfiguration>

export const getOpenIdConfiguration = operation({
  method: 'GET',
  path: '/.well-known/openid-configuration',
  summary: 'Where the public keys are, for JWT middleware',
  description:
    'A discovery document (OpenID Connect Discovery 1.0). There is nothing to log in at: middleware reads from it the issuer, the algorithm and the key set by which it verifies access tokens.',
  auth: 'none',
  status: 200,
  output: OpenIdConfiguration,
  envelope: false,
  errors: [],
})

export const getLiveness = operation({
  method: 'GET',
  path: '/healthz',
  summary: 'The process is alive',
  description: 'Answers 503 when only a restart of the process helps: its disk failed to make a write durable.',
  auth: 'none',
  status: 200,
  output: z.strictObject({ status: z.literal('ok') }),
  envelope: false,
  errors: ['SERVICE_UNAVAILABLE'],
})

export const getReadiness = operation({
  method: 'GET',
  path: '/readyz',
  summary: 'The storage is reachable and takes writes',
  auth: 'none',
  status: 200,
  output: z.strictObject({ status: z.literal('ok') }),
  envelope: false,
  errors: ['SERVICE_UNAVAILABLE'],
})

/** The version of Prometheus' text format that is spoken, as it is named in `Accept` and `Content-Type`. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

export const getMetrics = operation({
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  description:
    'In the text format. Nothing in it names a tenant, a user, an address or a one-time password. With `METRICS_PORT` set, the same is open on that port, without a key.',
  auth: 'admin',
  status: 200,
  output: z.string(),
  outputText: metricsType,
  envelope: false,
  errors: [],
})

export const getOpenApi = operation({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document',
  auth: 'none',
  status: 200,
  output: z.looseObject({ openapi: z.literal('3.1.0') }),
  envelope: false,
  errors: [],
})

/** A message that would have gone out, with its code: outside production only (contract 1, design 8). */
export const TestingChannelMessage = z.strictObject({
  id: z.string(),
  tenantId: z.string(),
  otpId: z
    .string()
    .nullable()
    .describe('The one-time password or undo code it delivers; null for a notice without one.'),
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
  summary: 'Messages of the testing channel',
  description: 'Oldest first; the latest 200 that match. Does not exist in production.',
  auth: 'admin',
  query: TestingChannelFilter,
  status: 200,
  output: z.strictObject({ messages: z.array(TestingChannelMessage) }),
  errors: [],
})

export const streamTestingChannelMessages = operation({
  method: 'GET',
  path: '/admin/testing-channel/stream',
  summary: 'Follow the testing channel',
  description:
    'Server-Sent Events: an event `message` for each message as it is posted, its `id` that of the message; a comment every 15 seconds keeps the connection open. Whoever sends `Last-Event-ID` misses nothing that is still in the inbox, and is told nothing twice; after an id that is unknown all of the inbox follows. Does not exist in production.',
  auth: 'admin',
  query: TestingChannelFilter.extend({
    lastEventId: z.string().optional().describe('Where `Last-Event-ID` cannot be sent, which counts before it.'),
  }),
  status: 200,
  output: TestingChannelMessage,
  stream: true,
  errors: [],
})
