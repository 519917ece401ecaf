/** What is known of an account from answers alone; counts where the database has rows. */
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

/** A reset OTP as answers tell of it. */
export interface KnownOtp {
  readonly state: 'pending' | 'verified' | 'consumed' | 'cancelled'
  readonly resends: number
}

/** A write that a client asks for. The id of a challenge is known once it is answered. */
export type Act =
  | { readonly kind: 'sign-up' | 'sign-in' }
  | { readonly kind: 'update'; readonly counter: number }
  | { readonly kind: 'challenge'; readonly id: string }
  | { readonly kind: 'resend' | 'verify'; readonly id: string }
  | { readonly kind: 'confirm'; readonly id: string; readonly password: string }

/** Before anything was asked for. */
export const nobody = (password: string): Account => ({
  exists: false,
  password,
  counter: 0,
  sessions: 0,
  notices: 0,
  otps: {},
})

/** The account once an act has happened: all of it, for each act is one transaction. */
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

/** What one client knows, and the one write it was never answered. */
export interface AccountLog {
  readonly email: string
  account: Account
  open: Act | null
  accessToken: string | null
  /** What its rows were last compared with. */
  checked: Account | null
}
