import { type IssuedOtp, TenantryError } from '@tenantry/client'
import { validateProfile } from '@tenantry/client/profile'
import { useProfileForm, useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { EmailField, NewPasswordField } from '../parts/account-fields.tsx'
import { CodeForm } from '../parts/code-form.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { ProfileField } from '../parts/profile-field.tsx'
import { submitting } from '../parts/submitting.ts'
import { Link } from '../router.tsx'

/** An account with a password, and the fields of the form `signUp` of the profile schema. */
export function SignUpScreen() {
  const { texts, language } = useLanguage()
  const { client } = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const [isVerified, setVerified] = useState(false)
  const { fields, setValue, submit, status, error } = useProfileForm({
    form: 'signUp',
    locale: language,
    validate: validateProfile,
    send: signUp,
  })

  async function signUp(profile: Record<string, unknown>): Promise<void> {
    try {
      await client.signUp({ method: 'password', email, password, profile, token: issued?.id })
    } catch (refusal) {
      if (!(refusal instanceof TenantryError)) throw refusal
      // The code has expired, or verified another address than the user has entered since.
      if (refusal.code.startsWith('OTP_')) setIssued(null)
      // A tenant with enumeration protection wants the address verified first.
      if (refusal.validation?.['token'] === undefined) throw refusal
      setIssued(await client.issueOtp({ scope: 'otp_signin', email }))
      setVerified(false)
    }
  }
  const submitForm = async () => {
    await submit()
  }
  // The form is shown again, because the sign-up can still be refused. The address stays verified.
  const continueVerified = async () => {
    setVerified(true)
    await submit()
  }

  return (
    <section className="card narrow">
      <h1>{texts.signUp}</h1>
      {issued !== null && !isVerified ? (
        <CodeForm
          issued={issued}
          scope="otp_signin"
          message={texts.codeSentTo(email)}
          onVerified={continueVerified}
          onBack={() => setIssued(null)}
        />
      ) : (
        <form onSubmit={submitting(submitForm)}>
          <EmailField value={email} onChange={setEmail} error={error} />
          <NewPasswordField label={texts.password} value={password} onChange={setPassword} error={error} />
          {fields.map((field) => (
            <ProfileField key={field.name} field={field} onChange={(value) => setValue(field.name, value)} />
          ))}
          <ErrorNotice error={error} />
          <button type="submit" className="wide" disabled={status === 'saving'}>
            {texts.signUp}
          </button>
        </form>
      )}
      <p className="links">
        <span>
          {texts.haveAccount} <Link to="sign-in">{texts.signIn}</Link>
        </span>
      </p>
    </section>
  )
}
