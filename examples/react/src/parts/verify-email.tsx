import type { IssuedOtp } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { EmailField } from './account-fields.tsx'
import { CodeForm } from './code-form.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { submitting } from './submitting.ts'
import { useAction } from './use-action.ts'

/** Verifies the address of the signed-in user with a code; asks for one first where the account has none. */
export function VerifyEmail({ onVerified }: { readonly onVerified: () => Promise<void> }) {
  const { texts } = useLanguage()
  const { user, client } = useSession()
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const { busy, error, run } = useAction()
  const [entered, setEntered] = useState('')
  const email = user?.email
  if (user?.emailVerified) return <p role="status">{texts.addressVerified}</p>
  if (issued !== null) {
    return (
      <CodeForm
        issued={issued}
        scope="email_verification"
        message={texts.codeSentTo(email ?? entered)}
        onVerified={onVerified}
        onBack={() => setIssued(null)}
      />
    )
  }
  const send = () =>
    run(async () => {
      const sent = email
        ? client.issueOtp({ scope: 'email_verification', email })
        : client.changeEmail({ email: entered })
      setIssued(await sent)
    })
  return (
    <form onSubmit={submitting(send)}>
      {email ? <p>{texts.verifyAddress(email)}</p> : <EmailField value={entered} onChange={setEntered} error={error} />}
      <ErrorNotice error={error} />
      <div className="actions">
        <button type="submit" disabled={busy}>
          {texts.sendCode}
        </button>
      </div>
    </form>
  )
}
