/**
 * Requests per client address, and budgets per recipient or account: the defaults of every deployment.
 * "30/h" reads: 30 in any 60 minutes (sliding window). Settable with TENANTRY_LIMITS (design 10, 11).
 * An IPv6 client is its /64; eight times as many requests are admitted from one /48.
 */
export const limits = {
  // Per operation and client address (contract 8; the added operations: design 4).
  resend: '30/h',
  'reset-password': '10/h',
  profile: '30/h',
  'otp-create': '30/h',
  verify: '60/h',
  status: '600/h',
  'sign-in': '300/h',
  'sign-up': '100/h',
  refresh: '600/h',
  recover: '10/h',
  /** Wrong admin keys, over all admin operations. Requests with the right key are not counted. */
  'admin-key': '30/h',
  // Operations of a signed-in user. Offices and mobile carriers share addresses, so cheap ones may be frequent.
  'sign-out': '600/h',
  /** Ending a session of the list. */
  sessions: '600/h',
  /** Adding and removing ways to sign in; adding a password hashes it. */
  identities: '300/h',
  /** Hashes, and mails a notice; the account has the budget `password-changes` besides. */
  'change-password': '30/h',
  'delete-account': '30/h',
  /** Reads everything stored about the user. */
  export: '30/h',
} as const

/** Budgets that no single address can spend alone (design 4); past them only new codes or sign-ins are refused. */
export const budgets = {
  // Codes are counted per recipient: password resets apart from the other scopes, and networks where the recipient's
  // user had a session in the last 30 days apart from all others.
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
  // Failed passwords: the more there were, the longer the wait for the next one.
  /** Per account and network. */
  'failed-passwords': '10/15m',
  'failed-passwords-hourly': '20/h',
  'failed-passwords-daily': '50/d',
  /** Per account, from networks where it had no session in the last 30 days. */
  'failed-passwords-elsewhere': '50/h',
  'failed-passwords-elsewhere-daily': '150/d',
  // SMS codes of one tenant to one prefix: the country code and the next three digits.
  /** New codes to a prefix before enough of them must be verified; see `sms-prefix-verified`. */
  'sms-prefix-codes': '20/h',
  /** The pause of a prefix with too few verified codes: one per this time. */
  'sms-prefix-pause': '1/h',
} as const

/** Percentages that budgets depend on. */
export const shares = {
  /** The least share of SMS codes to a prefix that must be verified, over the time of `sms-prefix-codes`. */
  'sms-prefix-verified': '10%',
} as const

/** The limit of one operation, by name. */
export type LimitName = keyof typeof limits
/** A budget, by name. */
export type BudgetName = keyof typeof budgets
/** A share, by name. */
export type ShareName = keyof typeof shares
