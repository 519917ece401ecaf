import { useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { NewPasswordField } from '../parts/account-fields.tsx'
import { ErrorNotice, messageFor } from '../parts/error-notice.tsx'
import { DeleteAccount, DownloadData } from '../parts/own-data.tsx'
import { submitting } from '../parts/submitting.ts'
import { TextField } from '../parts/text-field.tsx'
import { useAction } from '../parts/use-action.ts'

/** The address of the account, its password, and what the user may do with the data: take it along, or delete it. */
export function AccountScreen() {
  const { texts } = useLanguage()
  const { user, client } = useSession()
  const [currentPassword, setCurrentPassword] = useState('')
  const [password, setPassword] = useState('')
  const [isChanged, setChanged] = useState(false)
  const { busy, error, run } = useAction()
  const submit = () =>
    run(async () => {
      setChanged(false)
      await client.changePassword({ currentPassword, password })
      setCurrentPassword('')
      setPassword('')
      setChanged(true)
    })
  return (
    <section className="card narrow">
      <h1>{texts.account}</h1>
      <p>
        {user?.email}{' '}
        {user?.email && <span className="badge">{user.emailVerified ? texts.verified : texts.notVerified}</span>}
      </p>
      <h2>{texts.changePassword}</h2>
      <form onSubmit={submitting(submit)}>
        {/* Password managers look for the name of the account. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <TextField
          label={texts.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={({ target }) => setCurrentPassword(target.value)}
          error={messageFor('currentPassword', error)}
        />
        <NewPasswordField label={texts.newPassword} value={password} onChange={setPassword} error={error} />
        <ErrorNotice error={error} />
        <p role="status">{isChanged && texts.passwordChanged}</p>
        <button type="submit" className="wide" disabled={busy}>
          {texts.changePassword}
        </button>
      </form>
      <DownloadData />
      <DeleteAccount />
    </section>
  )
}
