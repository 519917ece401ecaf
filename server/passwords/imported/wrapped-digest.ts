import { argon2 } from './argon2.ts'
import { readRecipe } from './digest.ts'
import { toStored } from './encoded-bytes.ts'
import { type PasswordFormat, requireForm } from './password-format.ts'

/** Greedy on purpose: a salt may read `argon2id`, and no argon2 hash has `$argon2id$v=19$` in its middle. */
const FORM = /^\$wrapped(\$(?:digest|hmac)-.+)(\$argon2id\$v=19\$.+)$/

/** What argon2id is put over: the digest in base64, because the library takes UTF-8 alone. */
export const wrappedBytes = (digest: Buffer): Buffer => Buffer.from(toStored(digest))

/**
 * The stored text of a fast digest that argon2id was put over.
 * @param recipe the text of the digest without its hash
 * @param phc argon2id of its `wrappedBytes`
 */
export const wrappedText = (recipe: string, phc: string): string => `$wrapped${recipe}${phc}`

/**
 * A wrapped fast digest: `$wrapped$digest-<algorithm>$i=<iterations>,o=<order>$<salt>$argon2id$…`, or with
 * `hmac-`. The digest of the password is computed, then argon2id of that. The digest itself is not stored, so a
 * stolen table costs a guesser argon2id for each guess.
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
