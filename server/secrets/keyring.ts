import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'
import { type MasterKey, parseMasterKeys } from './master-keys.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals texts for storage and opens them, under master keys that can be rotated: the current one seals, every key in the
 * ring opens what it sealed.
 *
 * `context` says what the text is and where it is stored, its purpose first: `['sender-secret', tenantId, key]`.
 * Opening needs the same parts in the same order, so a sealed text that is copied to another row, tenant or column does
 * not open (threat F10). Each purpose has its own subkey and with it 2^32 random IVs (NIST SP 800-38D, 8.3). Purposes are
 * constants of the code, never input.
 */
export interface Keyring {
  /** Ids of the keys in the ring, the current one first. */
  readonly keyIds: readonly string[]
  /** `kid.base64url(iv | ciphertext | tag)`, never the same twice. Throws TypeError for lone surrogates. */
  seal(plaintext: string, context: readonly string[]): string
  /** The sealed text; throws `SealBroken` on any mismatch and never returns a part (threat G18). */
  open(sealed: string, context: readonly string[]): string
  /**
   * Deterministic HMAC-SHA-256 of a text in a context, base64url, under every key of the ring, the current one first.
   */
  authenticate(text: string, context: readonly string[]): readonly [string, ...string[]]
}

/** A sealed text does not open: altered, from another context, malformed, or sealed under a key not in the ring. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}

/** A purpose's key, derived from `master` by HKDF-SHA-256 (RFC 5869); `purpose` starts with its use. */
function deriveSubkey(master: MasterKey, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', master.key, 'tenantry', purpose, 32)))
}

function subkeyOf(
  subkeys: Map<string, KeyObject>,
  master: MasterKey,
  context: readonly string[],
  use: 'seal' | 'authenticate' = 'seal',
): KeyObject {
  if (context[0] === undefined) throw new TypeError('The context of a sealed text must start with a purpose')
  const purpose = `${use}/${context[0]}`
  const known = subkeys.get(purpose)
  if (known) return known
  const subkey = deriveSubkey(master, purpose)
  subkeys.set(purpose, subkey)
  return subkey
}

const ivPool = Buffer.alloc(256 * IV_BYTES)
let usedOfPool = ivPool.length

/** A random IV. IVs are drawn 256 at a time: drawing one costs as much as sealing. */
function freshIv(): Buffer {
  if (usedOfPool === ivPool.length) {
    randomFillSync(ivPool)
    usedOfPool = 0
  }
  const iv = Buffer.from(ivPool.subarray(usedOfPool, usedOfPool + IV_BYTES))
  usedOfPool += IV_BYTES
  return iv
}

/** JSON distinguishes ['a', 'b'] from ['a","b'], and escapes lone surrogates instead of merging them. */
const authenticatedData = (context: readonly string[]) => Buffer.from(JSON.stringify(context))

/**
 * The keyring of `TENANTRY_MASTER_KEYS`, `kid:base64,kid:base64` with 32 bytes each, the current key first. Throws an
 * Error that names an invalid entry by position and id, never by key.
 */
export function createKeyring(masterKeys: string): Keyring {
  const masters = parseMasterKeys(masterKeys)
  const current = masters[0]!
  const ring = new Map(masters.map((master) => [master.id, { master, subkeys: new Map<string, KeyObject>() }]))
  const { subkeys: currentSubkeys } = ring.get(current.id)!

  return {
    keyIds: masters.map(({ id }) => id),

    seal(plaintext, context) {
      // UTF-8 would turn lone surrogates into U+FFFD.
      if (!plaintext.isWellFormed()) throw new TypeError('A text with lone surrogates cannot be sealed')
      const iv = freshIv()
      const cipher = createCipheriv(CIPHER, subkeyOf(currentSubkeys, current, context), iv)
      cipher.setAAD(authenticatedData(context))
      const sealed = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${current.id}.${sealed.toString('base64url')}`
    },

    open(sealed, context) {
      const dot = sealed.indexOf('.')
      const entry = ring.get(sealed.slice(0, Math.max(dot, 0)))
      if (!entry) throw new SealBroken('Sealed under a key that is not in TENANTRY_MASTER_KEYS, or not sealed at all')
      const subkey = subkeyOf(entry.subkeys, entry.master, context)
      const encoded = sealed.slice(dot + 1)
      const bytes = Buffer.from(encoded, 'base64url')
      // Node's decoder skips unknown characters; a sealed text must have exactly one encoding.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== encoded) {
        throw new SealBroken('The sealed text is malformed')
      }
      const tagAt = bytes.length - TAG_BYTES
      const decipher = createDecipheriv(CIPHER, subkey, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(authenticatedData(context)).setAuthTag(bytes.subarray(tagAt))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, tagAt)), decipher.final()]).toString('utf8')
      } catch {
        throw new SealBroken(
          'The sealed text was altered, belongs to another context, or was sealed under another key of the same id',
        )
      }
    },

    authenticate(text, context) {
      const [first, ...others] = [...ring.values()].map(({ master, subkeys }) =>
        createHmac('sha256', subkeyOf(subkeys, master, context, 'authenticate'))
          .update(JSON.stringify([...context, text]))
          .digest('base64url'),
      )
      return [first!, ...others]
    },
  }
}
