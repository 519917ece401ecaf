import { z } from 'zod'
import { fieldMessages, typeName } from './validation-messages.ts'

/**
 * What a hash of another system may cost, so that no imported row can burn the machine: at these ceilings one
 * verification takes one to two seconds of a core. The server lowers those of memory to what it grants hashes
 * (`TENANTRY_HASH_MEMORY`). Sizes are in bytes.
 */
export const importedPasswordLimits = {
  argon2: { memoryKiB: 262_144, passes: 16, parallelism: 16 },
  bcrypt: { leastCost: 4, cost: 14 },
  /** The work is what all `p` lanes fill in all: 128 · N · r · p. */
  scrypt: { memoryMiB: 256, workMiB: 512, blockSize: 64, parallelization: 16 },
  /** Firebase's own bounds. */
  firebaseScrypt: { rounds: 8, memoryCost: 14 },
  /** PBKDF2 repeats its iterations for every block of the digest's length: the bound is on all blocks together. */
  pbkdf2: { iterations: 2_000_000 },
  digest: { iterations: 8192 },
  /** Less than 16 bytes is no whole hash of any of these. */
  hash: { leastBytes: 16, bytes: 512 },
  salt: { bytes: 256 },
  key: { bytes: 256 },
} as const

const limits = importedPasswordLimits

/** A whole number; its bounds are the importer's to tell, in a message that names them. */
const upTo = (maximum: number, description: string) => z.int().meta({ minimum: 1, maximum, description })

/** Bounded like a whole stored hash, so that no row is larger than it needs to be. */
const LONGEST_TEXT = 2048
const bytes = (description: string) => z.string().max(LONGEST_TEXT).describe(description)

const hash = bytes(`The hash as \`encoding\` says, at most ${limits.hash.bytes} bytes.`)
const encoding = z
  .enum(['hex', 'base64'])
  .describe('How `hash` is written. Base64 may be URL-safe, and may lack its padding.')
const salt = bytes(`The salt as \`saltEncoding\` says, at most ${limits.salt.bytes} bytes.`)
const saltEncoding = z
  .enum(['utf8', 'hex', 'base64'])
  .describe(
    'What of `salt` was hashed: its text (`utf8`), or the bytes it stands for. Many systems hash the text of a hexadecimal salt. Nothing shows a wrong choice but passwords that do not match: try it with one that you know.',
  )

/** Of the families that join salt and password themselves; without a salt none of the three is given. */
const optionalSalt = {
  salt: salt.optional(),
  saltEncoding: saltEncoding.optional(),
  order: z
    .enum(['salt-first', 'password-first'])
    .optional()
    .describe('How salt and password were joined. Given with `salt`, as `saltEncoding` is; without a salt, neither.'),
}

const FirebaseScrypt = z
  .strictObject({
    algorithm: z.literal('firebase-scrypt'),
    hash: bytes('`passwordHash` of the exported user, in base64.'),
    salt: bytes('`salt` of the exported user, in base64.'),
    signerKey: bytes("`base64_signer_key` of the project's password hash parameters. It is not kept."),
    saltSeparator: bytes("`base64_salt_separator` of the project's password hash parameters."),
    rounds: upTo(limits.firebaseScrypt.rounds, '`rounds` of the project.'),
    memoryCost: upTo(limits.firebaseScrypt.memoryCost, '`mem_cost` of the project.'),
  })
  .describe("Firebase's own scrypt, as `firebase auth:export` and the console's password hash parameters give it.")

const Scrypt = z
  .strictObject({
    algorithm: z.literal('scrypt'),
    hash,
    encoding,
    salt,
    saltEncoding,
    cost: z
      .int()
      .meta({ minimum: 2, description: 'N, a power of two. 128 · N · r may be 256 MiB, 128 · N · r · p 512 MiB.' }),
    blockSize: upTo(limits.scrypt.blockSize, 'r.'),
    parallelization: upTo(limits.scrypt.parallelization, 'p.'),
  })
  .describe('scrypt (RFC 7914) with its parameters apart.')

const Pbkdf2 = z
  .strictObject({
    algorithm: z.literal('pbkdf2'),
    digest: z.enum(['sha1', 'sha256', 'sha512']),
    iterations: upTo(limits.pbkdf2.iterations, 'For a hash longer than the digest, each further block counts again.'),
    hash,
    encoding,
    salt,
    saltEncoding,
  })
  .describe('PBKDF2 with HMAC (RFC 8018) with its parameters apart, as Keycloak and ASP.NET Core Identity have it.')

const Digest = z
  .strictObject({
    algorithm: z.enum(['md5', 'sha1', 'sha256', 'sha512']),
    hash,
    encoding,
    ...optionalSalt,
    iterations: upTo(
      limits.digest.iterations,
      'Digests in all, each after the first of the bytes of the one before; 1 when absent.',
    ).optional(),
  })
  .meta({
    title: 'digest',
    description: 'A plain digest of password and salt. Soon after the import it is replaced by argon2id of the digest.',
  })

const Hmac = z
  .strictObject({
    algorithm: z.enum(['hmac-md5', 'hmac-sha1', 'hmac-sha256', 'hmac-sha512']),
    hash,
    encoding,
    key: bytes(
      `The key as \`keyEncoding\` says, 1 to ${limits.key.bytes} bytes. It is kept with the hash. Where each user's salt was the key, that salt.`,
    ),
    keyEncoding: saltEncoding.describe('What of `key` was the key: its text (`utf8`), or the bytes it stands for.'),
    ...optionalSalt,
  })
  .meta({
    title: 'hmac',
    description:
      'An HMAC (RFC 2104) of password and salt. Soon after the import it is replaced by argon2id of the HMAC.',
  })

const Text = z
  .string()
  .min(1)
  .max(LONGEST_TEXT)
  .meta({
    title: 'text',
    description: [
      'A hash that says itself how it was made:',
      '- argon2: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, and `$argon2i$`, `$argon2d$`; memory to 256 MiB, 16 passes, 16 lanes; no hash may need more memory than the server grants all hashes (`TENANTRY_HASH_MEMORY`)',
      '- bcrypt: `$2a$`, `$2b$`, `$2y$`, cost 4 to 14; as everywhere, only the first 72 bytes of the password count',
      '- scrypt: `$scrypt$ln=…,r=…,p=…$salt$hash`',
      '- PBKDF2: `$pbkdf2-sha256$iterations$salt$hash` as passlib has it, or with `i=…`; also sha1 (`$pbkdf2$`) and sha512',
      '- a fast digest with argon2id over it, as an export of this service writes it: `$wrapped$digest-…$argon2id$…`, `$wrapped$hmac-…$argon2id$…`',
      '- Django: `pbkdf2_sha256$…`, `pbkdf2_sha1$…`, `scrypt$…`, `argon2$argon2id$…`, `bcrypt$$2b$…`',
    ].join('\n'),
    examples: ['$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'],
  })

/**
 * The password hash of another system, as its export has it: a text that says itself how it was made, or an object that
 * says it. What it costs and whether it is whole is judged by `readImportedPassword`.
 */
export const ImportedPassword = z
  .union([Text, z.discriminatedUnion('algorithm', [FirebaseScrypt, Scrypt, Pbkdf2, Digest, Hmac])], {
    error: (issue) => {
      if (issue.input === undefined) return 'Required'
      if (typeof issue.input !== 'object' || issue.input === null) {
        return `Expected string or object, received ${typeName(issue.input)}`
      }
      // Of the two, the object was meant: what is wrong in it, not that it is no string.
      return problemIn(issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []) : [])
    },
  })
  .describe('The password hash of another system. Signing in with the password replaces it by an argon2id hash.')
export type ImportedPassword = z.infer<typeof ImportedPassword>

/** The first of these issues in one line, with the field it is about: `rounds: Required`. */
export function problemIn(issues: readonly z.core.$ZodIssue[]): string {
  const [field, message] = Object.entries(fieldMessages(issues))[0] ?? ['body', 'Validation rule not met']
  return field === 'body' ? message : `${field}: ${message}`
}
