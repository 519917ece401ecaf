import { type IssuedOtp, TenantryError } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { EmailField, NewPasswordField } from '../parts/account-fields.tsx'
import { CodeForm } from '../parts/code-form.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { submitting } from '../parts/submitting.ts'
import { useAction } from '../parts/use-action.ts'
import { Link } from '../router.tsx'

/** Challenge, code, new password. */
export function ResetPasswordScreen() {
  const { texts } = useLanguage()
  const { client } = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const [isVerified, setVerified] = useState(false)
  const [isDone, setDone] = useState(false)
  const { busy, error, run } = useAction()

  const challenge = () => run(async () => setIssued(await client.resetPassword({ step: 'challenge', email })))
  const confirm = (token: string) =>
    run(async () => {
      try {
        await client.resetPassword({ step: 'confirm', token, password })
        setDone(true)
      } catch (refusal) {
        // The code has expired, or a newer one replaced it: the next one has to be requested.
        if (refusal instanceof TenantryError && refusal.code.startsWith('OTP_') && refusal.status < 500) {
          setIssued(null)
          setVerified(false)
        }
        throw refusal
      }
    })

  return (
    <section className="card narrow">
      <h1>{texts.resetPassword}</h1>
      {isDone && (
        <p role="status" className="notice">
          {texts.resetDone}
        </p>
      )}
      {issued === null && (
        <form onSubmit={submitting(challenge)}>
          <EmailField value={email} onChange={setEmail} error={error} />
          <ErrorNotice error={error} />
          <button type="submit" className="wide" disabled={busy}>
            {texts.sendCode}
          </button>
        </form>
      )}
      {issued !== null && !isVerified && (
        <CodeForm
          issued={issued}
          scope="reset_password"
          message={texts.codeSent(email)}
          onVerified={async () => setVerified(true)}
          onBack={() => setIssued(null)}
        />
      )}
      {issued !== null && isVerified && !isDone && (
        <form onSubmit={submitting(() => confirm(issued.id))}>
          <NewPasswordField label={texts.newPassword} value={password} onChange={setPassword} error={error} />
          <ErrorNotice error={error} />
          <button type="submit" className="wide" disabled={busy}>
            {texts.save}
          </button>
        </form>
      )}
      <p className="links">
        <Link to="sign-in">{texts.signIn}</Link>
      </p>
    </section>
  )
}
