import { ulid } from '../core/ids.ts'
import { type IssuedKey, KeyFormat, matchesSecret, type ParsedKey } from '../secrets/issued-key.ts'
import { isActive, type OperatorStore, type StoredOperator } from './operator.ts'

const format = new KeyFormat('op')

/**
 * Creates the key of a new operator, `op_<ULID>_<secret>_<checksum>`: 80 characters. The ULID is the operator's id.
 * @param now epoch milliseconds, the time of the ULID
 */
export const issueOperatorKey = (now: number): IssuedKey => format.issue('op', ulid(now))

/** Creates another key of an operator. */
export const replaceOperatorKey = (id: string): IssuedKey => format.issue('op', id)

/** Stands for the hashes of an unknown operator, so that its key takes as long to refuse as a wrong one. */
const noHash = '0'.repeat(64)

/**
 * The operator that a key belongs to; null for one that is malformed, unknown, replaced, expired or revoked. One indexed
 * read and no cache, so that a revocation takes effect at once in every process.
 */
export async function operatorOfKey(
  key: string,
  operators: Pick<OperatorStore, 'find'>,
  now: number,
): Promise<StoredOperator | null> {
  const parsed = format.parse(key)
  if (parsed === null) return null
  const operator = await operators.find(parsed.id)
  const isCurrent = matches(parsed, operator?.secretHash)
  const isPrevious = matches(parsed, operator?.previousHash)
  if (operator === null || !isActive(operator, now)) return null
  return isCurrent || (isPrevious && now < (operator.previousUntil ?? 0)) ? operator : null
}

const matches = ({ secret }: ParsedKey<'op'>, storedHash: string | null | undefined): boolean =>
  matchesSecret(secret, storedHash ?? noHash)
