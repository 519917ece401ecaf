/** The state of an account as its clients know it from answers. Rows of the database appear as counts. */
export interface Account {
  readonly exists: boolean
  readonly password: string
  /** The profile's field `counter`. */
  readonly counter: number
  /** Sessions that are not revoked. */
  readonly sessions: number
  /** "Password changed" notices. */
  readonly notices: number
  readonly otps: Readonly<Record<string, KnownOtp>>
}

/** A reset OTP as reported by answers. */
export interface KnownOtp {
  readonly state: 'pending' | 'verified' | 'consumed' | 'cancelled'
  readonly resends: number
}

/** A write that a client requests. The id of a challenge is known only from its answer. */
export type Act =
  | { readonly kind: 'sign-up' | 'sign-in' }
  | { readonly kind: 'update'; readonly counter: number }
  | { readonly kind: 'challenge'; readonly id: string }
  | { readonly kind: 'resend' | 'verify'; readonly id: string }
  | { readonly kind: 'confirm'; readonly id: string; readonly password: string }

/** Before the first request. */
export const newAccount = (password: string): Account => ({
  exists: false,
  password,
  counter: 0,
  sessions: 0,
  notices: 0,
  otps: {},
})

/** The account after an act. Each act is one transaction, so all of it applies. */
export function after(account: Account, act: Act): Account {
  const { otps } = account
  switch (act.kind) {
    case 'sign-up':
      return { ...account, exists: true, sessions: 1 }
    case 'sign-in':
      return { ...account, sessions: account.sessions + 1 }
    case 'update':
      return { ...account, counter: act.counter }
    case 'challenge':
      return { ...account, otps: { ...otps, [act.id]: { state: 'pending', resends: 0 } } }
    case 'resend': {
      const { state, resends } = otps[act.id]!
      return { ...account, otps: { ...otps, [act.id]: { state, resends: resends + 1 } } }
    }
    case 'verify':
      return { ...account, otps: { ...otps, [act.id]: { ...otps[act.id]!, state: 'verified' } } }
    case 'confirm':
      return {
        ...account,
        password: act.password,
        sessions: 0,
        notices: account.notices + 1,
        otps: Object.fromEntries(Object.entries(otps).map(([id, otp]) => [id, afterConfirm(otp, id === act.id)])),
      }
  }
}

function afterConfirm(otp: KnownOtp, confirmed: boolean): KnownOtp {
  if (confirmed) return { ...otp, state: 'consumed' }
  return otp.state === 'consumed' ? otp : { ...otp, state: 'cancelled' }
}

/** What one client knows, and the one write for which it got no answer. */
export interface AccountLog {
  readonly email: string
  account: Account
  open: Act | null
  accessToken: string | null
  /** The state that its rows were last compared with. */
  checked: Account | null
}
