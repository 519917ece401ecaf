/**
 * Requests per client address, and budgets per recipient or account: the defaults of every deployment.
 * "30/h" reads: 30 in any 60 minutes (sliding window). Settable with TENANTRY_LIMITS (design 10, 11).
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
} as const

/** Budgets that no single address can spend alone (design 4); past them only new codes or sign-ins are refused. */
export const budgets = {
  /** New one-time passwords per recipient; decoys count, resends do not. */
  'codes-per-recipient': '30/h',
  /** Wrong codes per recipient from one network (IPv4 /24, IPv6 /48). */
  'wrong-codes-per-network': '100/d',
  /** Wrong codes per recipient from anywhere. */
  'wrong-codes-per-recipient': '300/d',
  // Failed passwords: the more there were, the longer the wait for the next one.
  /** Per account and network. */
  'failed-passwords': '10/15m',
  'failed-passwords-hourly': '20/h',
  'failed-passwords-daily': '50/d',
  /** Per account, from networks where none of its sessions is. */
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
