import { z } from 'zod'
import { Timestamp } from './envelope.ts'
import { operation } from './operation.ts'

/** Where a key stands: published but not signing yet, signing, or trusted still for what it has signed. */
export const SigningKeyState = z.enum(['next', 'current', 'previous'])

/** A key that signs access tokens; its private half is never shown. */
export const SigningKey = z.strictObject({
  kid: z.string(),
  state: SigningKeyState,
  createdAt: Timestamp,
  signsFrom: Timestamp,
  trustedUntil: Timestamp.nullable().describe('null while no newer key is there.'),
})
export type SigningKey = z.infer<typeof SigningKey>

const SigningKeys = z.strictObject({ keys: z.array(SigningKey).describe('Oldest first.') })

export const listSigningKeys = operation({
  method: 'GET',
  path: '/admin/signing-keys',
  summary: 'List the signing keys',
  description: 'Every key whose access tokens are accepted: those that `/.well-known/jwks.json` publishes.',
  auth: 'admin',
  status: 200,
  output: SigningKeys,
  errors: [],
})

export const rotateSigningKeys = operation({
  method: 'POST',
  path: '/admin/signing-keys/rotate',
  summary: 'Rotate the signing keys',
  description:
    'Publishes the next key, which signs in ten minutes; where there is one already it stays. Nobody notices. With `withdraw`, for a key that leaked, a fresh key signs at once and no other is trusted any more: every access token out there is refused with `INVALID_USER_TOKEN`, at once by the process that answers and within a minute by the others. Refresh tokens go on working.',
  auth: 'admin',
  body: z.object({ withdraw: z.boolean().default(false) }),
  status: 201,
  output: SigningKeys,
  errors: [],
})
