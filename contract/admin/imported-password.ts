import { z } from 'zod'
import { typeName } from '../fields/messages.ts'
import { fieldMessages } from '../validation-messages.ts'

/**
 * Upper bounds on the cost of imported hashes, so that no imported row can exhaust the machine: at these bounds one
 * verification takes one to two seconds of a core. The server lowers the memory bounds to its memory for hashing
 * (`TENANTRY_HASH_MEMORY`). Sizes are in bytes.
 */
export const importedPasswordLimits = {
  argon2: { memoryKiB: 262_144, passes: 16, parallelism: 16 },
  bcrypt: { leastCost: 4, cost: 14 },
  /** Work is the total over all `p` lanes: 128 · N · r · p. */
  scrypt: { memoryMiB: 256, workMiB: 512, blockSize: 64, parallelization: 16 },
  /** Firebase's bounds. */
  firebaseScrypt: { rounds: 8, memoryCost: 14 },
  /** PBKDF2 repeats its iterations for every block of output; the bound is on the total. */
  pbkdf2: { iterations: 2_000_000 },
  digest: { iterations: 8192 },
  /** A hash of less than 16 bytes is truncated, whatever its algorithm. */
  hash: { leastBytes: 16, bytes: 512 },
  salt: { bytes: 256 },
  key: { bytes: 256 },
} as const

const limits = importedPasswordLimits

/** An integer. The importer checks the bounds, with messages that name them. */
const upTo = (maximum: number, description: string) => z.int().meta({ minimum: 1, maximum, description })

/** The same bound as for a stored hash. */
const LONGEST_TEXT = 2048
const bytes = (description: string) => z.string().max(LONGEST_TEXT).describe(description)

const hash = bytes(`The hash in the given \`encoding\`, at most ${limits.hash.bytes} bytes.`)
const encoding = z
  .enum(['hex', 'base64'])
  .describe('The encoding of `hash`. Base64 may be URL-safe, with or without padding.')
const salt = bytes(`The salt in the given \`saltEncoding\`, at most ${limits.salt.bytes} bytes.`)
const saltEncoding = z
  .enum(['utf8', 'hex', 'base64'])
  .describe(
    'How `salt` was hashed: as text (`utf8`), or as the bytes it encodes. Many systems hash the text of a hexadecimal salt. A wrong choice shows only as passwords that do not match: test it with a known password.',
  )

/** For algorithms that concatenate salt and password. Without a salt, all three are absent. */
const optionalSalt = {
  salt: salt.optional(),
  saltEncoding: saltEncoding.optional(),
  order: z
    .enum(['salt-first', 'password-first'])
    .optional()
    .describe(
      'The order in which salt and password were concatenated. Required with `salt`, like `saltEncoding`; not allowed without.',
    ),
}

const FirebaseScrypt = z
  .strictObject({
    algorithm: z.literal('firebase-scrypt'),
    hash: bytes('`passwordHash` of the exported user, in base64.'),
    salt: bytes('`salt` of the exported user, in base64.'),
    signerKey: bytes("`base64_signer_key` of the project's password hash parameters. Not stored."),
    saltSeparator: bytes("`base64_salt_separator` of the project's password hash parameters."),
    rounds: upTo(limits.firebaseScrypt.rounds, '`rounds` of the project.'),
    memoryCost: upTo(limits.firebaseScrypt.memoryCost, '`mem_cost` of the project.'),
  })
  .describe(
    "Firebase's variant of scrypt, as exported by `firebase auth:export`, with the password hash parameters from the console.",
  )

const Scrypt = z
  .strictObject({
    algorithm: z.literal('scrypt'),
    hash,
    encoding,
    salt,
    saltEncoding,
    cost: z.int().meta({
      minimum: 2,
      description: 'N, a power of two. 128 · N · r is at most 256 MiB, 128 · N · r · p at most 512 MiB.',
    }),
    blockSize: upTo(limits.scrypt.blockSize, 'r.'),
    parallelization: upTo(limits.scrypt.parallelization, 'p.'),
  })
  .describe('scrypt (RFC 7914) with separate parameters.')

const Pbkdf2 = z
  .strictObject({
    algorithm: z.literal('pbkdf2'),
    digest: z.enum(['sha1', 'sha256', 'sha512']),
    iterations: upTo(
      limits.pbkdf2.iterations,
      'If the hash is longer than the digest, every further block counts again.',
    ),
    hash,
    encoding,
    salt,
    saltEncoding,
  })
  .describe('PBKDF2 with HMAC (RFC 8018) and separate parameters, as in Keycloak and ASP.NET Core Identity.')

const Digest = z
  .strictObject({
    algorithm: z.enum(['md5', 'sha1', 'sha256', 'sha512']),
    hash,
    encoding,
    ...optionalSalt,
    iterations: upTo(
      limits.digest.iterations,
      'Number of digests; each after the first is taken of the bytes of the previous one. Default: 1.',
    ).optional(),
  })
  .meta({
    title: 'digest',
    description: 'A plain digest of password and salt. Replaced by argon2id of the digest soon after the import.',
  })

const Hmac = z
  .strictObject({
    algorithm: z.enum(['hmac-md5', 'hmac-sha1', 'hmac-sha256', 'hmac-sha512']),
    hash,
    encoding,
    key: bytes(
      `The key in the given \`keyEncoding\`, 1 to ${limits.key.bytes} bytes. Stored with the hash. If each user's salt was the key, give that salt.`,
    ),
    keyEncoding: saltEncoding.describe('How `key` was used: as text (`utf8`), or as the bytes it encodes.'),
    ...optionalSalt,
  })
  .meta({
    title: 'hmac',
    description: 'An HMAC (RFC 2104) of password and salt. Replaced by argon2id of the HMAC soon after the import.',
  })

const Text = z
  .string()
  .min(1)
  .max(LONGEST_TEXT)
  .meta({
    title: 'text',
    description: [
      'A hash that contains its algorithm and parameters:',
      '- argon2: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, and `$argon2i$`, `$argon2d$`; at most 256 MiB of memory, 16 passes and 16 lanes; the memory must also fit into `TENANTRY_HASH_MEMORY`',
      '- bcrypt: `$2a$`, `$2b$`, `$2y$`, cost 4 to 14; bcrypt uses only the first 72 bytes of a password',
      '- scrypt: `$scrypt$ln=…,r=…,p=…$salt$hash`',
      '- PBKDF2: `$pbkdf2-sha256$iterations$salt$hash` as in passlib, or with `i=…`; also sha1 (`$pbkdf2$`) and sha512',
      '- argon2id of a fast digest, as exported by this service: `$wrapped$digest-…$argon2id$…`, `$wrapped$hmac-…$argon2id$…`',
      '- Django: `pbkdf2_sha256$…`, `pbkdf2_sha1$…`, `scrypt$…`, `argon2$argon2id$…`, `bcrypt$$2b$…`',
    ].join('\n'),
    examples: ['$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
  })

/**
 * A password hash of another system: a text that contains its parameters, or an object with separate ones.
 * `readImportedPassword` validates its cost and completeness.
 */
export const ImportedPassword = z
  .union([Text, z.discriminatedUnion('algorithm', [FirebaseScrypt, Scrypt, Pbkdf2, Digest, Hmac])], {
    error: (issue) => {
      if (issue.input === undefined) return 'Required'
      if (typeof issue.input !== 'object' || issue.input === null) {
        return `Expected string or object, received ${typeName(issue.input)}`
      }
      // An object was given, so report the problem of the object variant.
      return problemIn(issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []) : [])
    },
  })
  .describe('The password hash of another system. Replaced by an argon2id hash when the user signs in.')
export type ImportedPassword = z.infer<typeof ImportedPassword>

/** The first of these issues with its field, on one line: `rounds: Required`. */
export function problemIn(issues: readonly z.core.$ZodIssue[]): string {
  const [field, message] = Object.entries(fieldMessages(issues))[0] ?? ['body', 'Validation rule not met']
  return field === 'body' ? message : `${field}: ${message}`
}
