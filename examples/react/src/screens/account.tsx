import type { User } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { CurrentPasswordField, NewPasswordField } from '../parts/account-fields.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { DeleteAccount, DownloadData } from '../parts/own-data.tsx'
import { submitting } from '../parts/submitting.ts'
import { useAction } from '../parts/use-action.ts'

/** The address of the account, its password, and what the user may do with the data: take it along, or delete it. */
export function AccountScreen() {
  const { texts } = useLanguage()
  const { user } = useSession()
  return (
    <section className="card narrow">
      <h1>{texts.account}</h1>
      <p>
        {user?.email}{' '}
        {user?.email && <span className="badge">{user.emailVerified ? texts.verified : texts.notVerified}</span>}
      </p>
      {user?.email && <PasswordForm user={user} />}
      <DownloadData />
      <DeleteAccount />
    </section>
  )
}

/** Changes the password of a user who has an address, or sets the first one. */
function PasswordForm({ user }: { readonly user: User }) {
  const { texts } = useLanguage()
  const { client } = useSession()
  const [currentPassword, setCurrentPassword] = useState('')
  const [password, setPassword] = useState('')
  const [done, setDone] = useState('')
  const { busy, error, run } = useAction()
  const hasPassword = user.methods.includes('password')
  const title = hasPassword ? texts.changePassword : texts.setPassword
  const submit = () =>
    run(async () => {
      setDone('')
      await client.changePassword({ password, ...(hasPassword && { currentPassword }) })
      setCurrentPassword('')
      setPassword('')
      setDone(hasPassword ? texts.passwordChanged : texts.passwordSet)
      // The session then knows that the user has a password.
      if (!hasPassword) await client.getAccount()
    })
  return (
    <>
      <h2>{title}</h2>
      <form onSubmit={submitting(submit)}>
        {/* Password managers look for the name of the account. */}
        <input type="email" autoComplete="username" value={user.email ?? ''} readOnly hidden />
        {hasPassword && (
          <CurrentPasswordField
            name="currentPassword"
            label={texts.currentPassword}
            value={currentPassword}
            onChange={setCurrentPassword}
            error={error}
          />
        )}
        <NewPasswordField label={texts.newPassword} value={password} onChange={setPassword} error={error} />
        <ErrorNotice error={error} />
        <p role="status">{done}</p>
        <button type="submit" className="wide" disabled={busy}>
          {title}
        </button>
      </form>
    </>
  )
}
