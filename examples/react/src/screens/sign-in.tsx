import type { IssuedOtp } from '@tenantry/client'
import { useSession, useTenantConfiguration } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { CurrentPasswordField, EmailField } from '../parts/account-fields.tsx'
import { CodeForm } from '../parts/code-form.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { GoogleButton } from '../parts/google-button.tsx'
import { submitting } from '../parts/submitting.ts'
import { useAction } from '../parts/use-action.ts'
import { Link } from '../router.tsx'

/** Sign-in with the methods that the tenant has: a password, a code, Google. */
export function SignInScreen() {
  const { texts } = useLanguage()
  const { state, client } = useSession()
  const { configuration, error, reload } = useTenantConfiguration()
  const methods = configuration?.auth.methods ?? []
  const [wantsCode, setWantsCode] = useState(false)
  const [email, setEmail] = useState('')
  const address = { email, setEmail }
  const usesCode = methods.includes('otp') && (wantsCode || !methods.includes('password'))

  return (
    <section className="card narrow">
      <h1>{texts.signIn}</h1>
      {state.status === 'signedOut' && state.reason === 'expired' && (
        <p role="status" className="notice">
          {texts.expired}
        </p>
      )}
      <ErrorNotice error={error} />
      {error && (
        <button type="button" onClick={() => void reload()}>
          {texts.tryAgain}
        </button>
      )}
      {usesCode && <CodeSignIn {...address} />}
      {!usesCode && methods.includes('password') && <PasswordSignIn {...address} />}
      {methods.includes('otp') && methods.includes('password') && (
        <button type="button" className="quiet wide" onClick={() => setWantsCode(!wantsCode)}>
          {wantsCode ? texts.withPassword : texts.withCode}
        </button>
      )}
      {methods.includes('google') && (
        <GoogleButton onProof={(proof) => client.signIn({ method: 'google', ...proof }).then(() => {})} />
      )}
      {methods.includes('password') && (
        <p className="links">
          <Link to="reset-password">{texts.forgotPassword}</Link>
          <span>
            {texts.noAccount} <Link to="sign-up">{texts.signUp}</Link>
          </span>
        </p>
      )}
    </section>
  )
}

/** The address stays when the user chooses another method. */
interface Address {
  readonly email: string
  readonly setEmail: (email: string) => void
}

function PasswordSignIn({ email, setEmail }: Address) {
  const { texts } = useLanguage()
  const { client } = useSession()
  const [password, setPassword] = useState('')
  const { busy, error, run } = useAction()
  const submit = () =>
    run(async () => {
      await client.signIn({ method: 'password', email, password })
    })
  return (
    <form onSubmit={submitting(submit)}>
      <EmailField value={email} onChange={setEmail} error={error} />
      <CurrentPasswordField
        name="password"
        label={texts.password}
        value={password}
        onChange={setPassword}
        error={error}
      />
      <ErrorNotice error={error} />
      <button type="submit" className="wide" disabled={busy}>
        {texts.signIn}
      </button>
    </form>
  )
}

function CodeSignIn({ email, setEmail }: Address) {
  const { texts } = useLanguage()
  const { client } = useSession()
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const { busy, error, run } = useAction()
  if (issued !== null) {
    return (
      <CodeForm
        issued={issued}
        scope="otp_signin"
        message={texts.codeSentTo(email)}
        onVerified={() => client.signIn({ method: 'otp', token: issued.id }).then(() => {})}
        onBack={() => setIssued(null)}
      />
    )
  }
  const submit = () => run(async () => setIssued(await client.issueOtp({ scope: 'otp_signin', email })))
  return (
    <form onSubmit={submitting(submit)}>
      <EmailField value={email} onChange={setEmail} error={error} />
      <ErrorNotice error={error} />
      <button type="submit" className="wide" disabled={busy}>
        {texts.sendCode}
      </button>
    </form>
  )
}
