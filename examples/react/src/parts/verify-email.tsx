import type { IssuedOtp } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { CodeForm } from './code-form.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { submitting } from './submitting.ts'
import { useAction } from './use-action.ts'

/** Verifies the address of the signed-in user with a code. */
export function VerifyEmail({ onVerified }: { readonly onVerified: () => Promise<void> }) {
  const { texts } = useLanguage()
  const { user, client } = useSession()
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const { busy, error, run } = useAction()
  const email = user?.email
  if (!email || user.emailVerified) return <p role="status">{texts.addressVerified}</p>
  if (issued !== null) {
    return (
      <CodeForm
        issued={issued}
        scope="email_verification"
        message={texts.codeSentTo(email)}
        onVerified={onVerified}
        onBack={() => setIssued(null)}
      />
    )
  }
  const send = () => run(async () => setIssued(await client.issueOtp({ scope: 'email_verification', email })))
  return (
    <form onSubmit={submitting(send)}>
      <p>{texts.verifyAddress(email)}</p>
      <ErrorNotice error={error} />
      <div className="actions">
        <button type="submit" disabled={busy}>
          {texts.sendCode}
        </button>
      </div>
    </form>
  )
}
