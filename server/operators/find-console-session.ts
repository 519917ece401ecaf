import type { ConsoleSession } from '../core/call.ts'
import { hashSecret } from '../secrets/issued-key.ts'
import { sameText } from '../secrets/random-code.ts'
import type { Storage } from '../storage/storage.ts'
import type { Operator } from './operator.ts'
import { isActive, operatorIn } from './operator.ts'
import { isOpen, noteMs, type OperatorSession, rootHashOf } from './operator-session.ts'
import { rootOperator } from './root-operator.ts'

/** What reading a console session uses. */
interface SessionServices {
  readonly storage: Storage
  /** The root key; null when it is off. */
  readonly adminKey: string | null
  recordOperatorUse(operatorId: string, now: number): void
}

/** The open session with this token, whose use it notes; null when there is none, or its operator is not active. */
export async function findConsoleSession(
  token: string,
  now: number,
  services: SessionServices,
): Promise<ConsoleSession | null> {
  const { operatorSessions } = services.storage.system
  const session = await operatorSessions.find(hashSecret(token))
  if (session === null || !isOpen(session, now)) return null
  const operator = await operatorOf(session, token, now, services)
  if (operator === null) return null
  if (session.lastUsedAt <= now - noteMs) await operatorSessions.touch(session.id, now, now - noteMs)
  return { id: session.id, operator, endsAt: session.endsAt }
}

/** Read on every call, so that revoking an operator ends its sessions at once. */
async function operatorOf(
  { operatorId, rootHash }: OperatorSession,
  token: string,
  now: number,
  { adminKey, storage, recordOperatorUse }: SessionServices,
): Promise<Operator | null> {
  if (rootHash !== null) {
    return adminKey !== null && sameText(rootHashOf(adminKey, token), rootHash) ? rootOperator : null
  }
  const stored = await storage.system.operators.find(operatorId)
  if (stored === null || !isActive(stored, now)) return null
  recordOperatorUse(stored.id, now)
  return operatorIn(stored)
}
