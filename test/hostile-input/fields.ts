import type { BodyOperation } from './target.ts'

/** What a field holds: free text, an email address, or an enum value. */
type FieldKind = 'text' | 'email' | 'enum'

/** Every field of every operation that has its own body. */
const fields: Partial<Record<BodyOperation, Record<string, FieldKind>>> = {
  resendOtp: { id: 'text', scope: 'enum' },
  challenge: { step: 'enum', email: 'email' },
  confirm: { step: 'enum', token: 'text', password: 'text' },
  issueOtp: { scope: 'enum', email: 'email', phone: 'text' },
  verifyOtp: { id: 'text', scope: 'enum', code: 'text' },
  getOtpStatus: { id: 'text', scope: 'enum' },
  signUp: { method: 'enum', email: 'email', password: 'text', token: 'text' },
  signIn: { method: 'enum', email: 'email', password: 'text' },
  signInByCode: { method: 'enum', token: 'text' },
  signInByGoogle: { method: 'enum', idToken: 'text', nonce: 'text' },
  stepUp: { method: 'enum', password: 'text' },
  stepUpByCode: { method: 'enum', token: 'text' },
  stepUpByGoogle: { method: 'enum', idToken: 'text', nonce: 'text' },
  recoverAccount: { id: 'text', code: 'text' },
  refreshSession: { refreshToken: 'text' },
  signOut: { scope: 'enum' },
  changePassword: { currentPassword: 'text', password: 'text' },
  changeEmail: { email: 'email' },
  changePhone: { phone: 'text' },
  linkPassword: { method: 'enum', email: 'email', password: 'text' },
  linkCode: { method: 'enum', token: 'text' },
  linkGoogle: { method: 'enum', idToken: 'text', nonce: 'text' },
  createTenant: { name: 'text' },
  createOperator: { name: 'text', email: 'email', role: 'enum' },
  updateOperator: { name: 'text', email: 'email', role: 'enum' },
  createConsoleSession: { key: 'text' },
}

/** Runs `attack` on each field in turn. */
export async function eachField(
  attack: (operation: BodyOperation, field: string, kind: FieldKind) => Promise<void>,
): Promise<void> {
  for (const [operation, kinds] of Object.entries(fields)) {
    for (const [field, kind] of Object.entries(kinds)) await attack(operation as BodyOperation, field, kind)
  }
}

/** Optional fields. */
export const optional: ReadonlySet<string> = new Set([
  ...['issueOtp email', 'issueOtp phone', 'signUp token', 'signInByGoogle nonce', 'changePassword currentPassword'],
  ...['linkPassword email', 'linkGoogle nonce', 'stepUpByGoogle nonce', 'signOut scope'],
  ...[
    'createOperator email',
    'createOperator role',
    'updateOperator name',
    'updateOperator email',
    'updateOperator role',
  ],
])

/** Fields that null clears. */
export const nullable: ReadonlySet<string> = new Set(['createOperator email', 'updateOperator email'])
