/**
 * Default limits on requests per client address, and default budgets per recipient or account. "30/h" is 30 in any 60
 * minutes (sliding window). TENANTRY_LIMITS overrides them. An IPv6 client is its /64; one /48 gets eight times the limit.
 */
export const limits = {
  // Per operation and client address.
  resend: '30/h',
  'reset-password': '10/h',
  profile: '30/h',
  /** Checks of values while a user types. */
  'profile-check': '60/h',
  'otp-create': '30/h',
  verify: '60/h',
  status: '600/h',
  'sign-in': '300/h',
  'sign-up': '100/h',
  'sign-up-check': '60/h',
  refresh: '600/h',
  recover: '10/h',
  /** Wrong admin keys, across all admin operations. Requests with the correct key are not counted. */
  'admin-key': '30/h',
  /** Sign-ins to the console, successful ones too. */
  'console-sign-in': '10/15m',
  // Operations of a signed-in user. Offices and mobile carriers share addresses, so cheap operations get high limits.
  'sign-out': '600/h',
  /** Ending a session. */
  sessions: '600/h',
  /** Adding and removing sign-in methods; adding a password hashes it. `identity-additions` limits each account too. */
  identities: '300/h',
  /** Hashes a password and sends a notice. `password-changes` limits each account too. */
  'change-password': '30/h',
  'delete-account': '30/h',
  /** Reads everything stored about the user. */
  export: '30/h',
} as const

/** Budgets across client addresses. When one is used up, only new codes, sign-ins or changes of the account are refused. */
export const budgets = {
  // Codes are counted per recipient. Password resets are counted separately from other scopes, and networks where the
  // user had a session in the last 30 days separately from all others.
  /** New one-time passwords per recipient from one network (IPv4 /24, IPv6 /48); decoys count, resends do not. */
  'codes-per-network': '10/h',
  /** New one-time passwords per recipient from anywhere. */
  'codes-per-recipient': '30/h',
  /** Wrong codes per recipient from one network. */
  'wrong-codes-per-network': '100/d',
  /** Wrong codes per recipient from anywhere. */
  'wrong-codes-per-recipient': '300/d',
  /** Password changes per account: attempts that compare or hash a password. */
  'password-changes': '5/h',
  /**
   * Sign-in methods added to an account, and codes to addresses that it changes to. Each sends notices, and so does removing
   * it again.
   */
  'identity-additions': '10/h',
  /** Accounts at a provider that sign-ins link to an account by its address. Each sends notices. */
  'provider-links': '10/h',
  // Failed passwords: the more failures, the longer the wait.
  /** Per account and network. */
  'failed-passwords': '10/15m',
  'failed-passwords-hourly': '20/h',
  'failed-passwords-daily': '50/d',
  /** Per account, from networks without a session in the last 30 days. */
  'failed-passwords-elsewhere': '50/h',
  'failed-passwords-elsewhere-daily': '150/d',
  // SMS codes of one tenant to one prefix: the country code and the next three digits.
  /** New codes to a prefix from which on `sms-prefix-verified` applies. */
  'sms-prefix-codes': '20/h',
  /** How long a prefix with too few verified codes is paused. */
  'sms-prefix-pause': '1/h',
} as const

/** Percentages used by budgets. */
export const shares = {
  /** The minimum share of verified SMS codes per prefix, within the window of `sms-prefix-codes`. */
  'sms-prefix-verified': '10%',
} as const

/** The name of an operation's limit. */
export type LimitName = keyof typeof limits
/** The name of a budget. */
export type BudgetName = keyof typeof budgets
/** The name of a share. */
export type ShareName = keyof typeof shares
