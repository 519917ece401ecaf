import { argon2 } from './argon2.ts'
import { readRecipe } from './digest.ts'
import { toStored } from './encoded-bytes.ts'
import { type PasswordFormat, requireForm } from './password-format.ts'

/** Greedy, because a salt may be `argon2id`. An argon2 hash never contains a second `$argon2id$v=19$`. */
const FORM = /^\$wrapped(\$(?:digest|hmac)-.+)(\$argon2id\$v=19\$.+)$/

/** The input of argon2id: the digest in base64, because the library accepts only UTF-8. */
export const wrappedBytes = (digest: Buffer): Buffer => Buffer.from(toStored(digest))

/**
 * The stored text of a fast digest with argon2id over it.
 * @param recipe the text of the digest without its hash
 * @param phc argon2id of its `wrappedBytes`
 */
export const wrappedText = (recipe: string, phc: string): string => `$wrapped${recipe}${phc}`

/**
 * A wrapped fast digest: `$wrapped$digest-<algorithm>$i=<iterations>,o=<order>$<salt>$argon2id$…`, or with
 * `hmac-`. The digest of the password is computed, then argon2id of that digest. The digest is not stored, so
 * every guess against a stolen table costs an argon2id hash.
 */
export const wrappedDigest: PasswordFormat = {
  prefix: /^\$wrapped\$/,
  open(stored) {
    const [text = '', phc = ''] = requireForm(FORM, stored, '$wrapped$digest-sha256$i=…,o=salt-first$salt$argon2id$…')
    const recipe = readRecipe(text)
    const outer = argon2.open(phc)
    return {
      memoryKiB: outer.memoryKiB,
      workMs: recipe.workMs + outer.workMs,
      matches: async (password) => outer.matches(wrappedBytes(await recipe.make(password))),
    }
  },
}
