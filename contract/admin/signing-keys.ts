import { z } from 'zod'
import { Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'

/** The state of a key: published but not yet signing, signing, or still trusted for the tokens it signed. */
export const SigningKeyState = z.enum(['next', 'current', 'previous'])

/** A key that signs access tokens, without its private key. */
export const SigningKey = z.strictObject({
  kid: z.string(),
  state: SigningKeyState,
  createdAt: Timestamp,
  signsFrom: Timestamp,
  trustedUntil: Timestamp.nullable().describe('null while no newer key exists.'),
})
export type SigningKey = z.infer<typeof SigningKey>

const SigningKeys = z.strictObject({ keys: z.array(SigningKey).describe('Signing keys, oldest first.') })

export const listSigningKeys = operation({
  method: 'GET',
  path: '/admin/signing-keys',
  summary: 'List the signing keys',
  description: 'Returns all keys whose access tokens are accepted, as published in `/.well-known/jwks.json`.',
  auth: 'admin',
  scope: 'system:read',
  status: 200,
  output: SigningKeys,
  errors: [],
})

export const rotateSigningKeys = operation({
  method: 'POST',
  path: '/admin/signing-keys/rotate',
  summary: 'Rotate the signing keys',
  description:
    'Publishes the next key, which starts signing in ten minutes; has no effect if one is already published. Clients are not affected. With `withdraw`, for a leaked key, a new key signs immediately and no other key is trusted: all existing access tokens are rejected with `INVALID_USER_TOKEN`, immediately by the process that handles the request and within a minute by all others. Refresh tokens remain valid.',
  auth: 'admin',
  scope: 'system:write',
  body: z.object({ withdraw: z.boolean().default(false) }),
  status: 201,
  output: SigningKeys,
  errors: [],
})
