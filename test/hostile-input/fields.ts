import type { BodyOperation } from './target.ts'

/** What a field holds: free text, an address, or one of a list. */
export type FieldKind = 'text' | 'email' | 'enum'

/** Every field of every operation with a body of its own. */
const fields: Partial<Record<BodyOperation, Record<string, FieldKind>>> = {
  resendOtp: { id: 'text', scope: 'enum' },
  challenge: { step: 'enum', email: 'email' },
  confirm: { step: 'enum', token: 'text', password: 'text' },
  issueOtp: { scope: 'enum', email: 'email', phone: 'text' },
  verifyOtp: { id: 'text', scope: 'enum', code: 'text' },
  getOtpStatus: { id: 'text', scope: 'enum' },
  signUp: { method: 'enum', email: 'email', password: 'text', token: 'text' },
  signIn: { method: 'enum', email: 'email', password: 'text' },
  createTenant: { name: 'text' },
}

/** Does something to each of these fields in turn. */
export async function eachField(
  attack: (operation: BodyOperation, field: string, kind: FieldKind) => Promise<void>,
): Promise<void> {
  for (const [operation, kinds] of Object.entries(fields)) {
    for (const [field, kind] of Object.entries(kinds)) await attack(operation as BodyOperation, field, kind)
  }
}
