import type { IssuedOtp } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { EmailField, PhoneField } from './account-fields.tsx'
import { CodeForm } from './code-form.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { submitting } from './submitting.ts'
import { useAction } from './use-action.ts'

interface VerifyAddressProps {
  readonly kind: 'email' | 'phone'
  readonly onVerified: () => Promise<void>
}

/** Verifies the e-mail address or phone number of the signed-in user with a code; asks for it first where the account has none. */
export function VerifyAddress({ kind, onVerified }: VerifyAddressProps) {
  const { texts } = useLanguage()
  const { user, client } = useSession()
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const { busy, error, run } = useAction()
  const [entered, setEntered] = useState('')
  const address = user?.[kind]
  const scope = `${kind}_verification` as const
  if (address && user?.[`${kind}Verified`]) return <p role="status">{texts.addressVerified(address)}</p>
  if (issued !== null) {
    return (
      <CodeForm
        issued={issued}
        scope={scope}
        message={texts.codeSentTo(address ?? entered)}
        onVerified={onVerified}
        onBack={() => setIssued(null)}
      />
    )
  }
  const issue = () => {
    if (address) return client.issueOtp({ scope, [kind]: address })
    return kind === 'email' ? client.changeEmail({ email: entered }) : client.changePhone({ phone: entered })
  }
  const send = () => run(async () => setIssued(await issue()))
  const Field = kind === 'email' ? EmailField : PhoneField
  return (
    <form onSubmit={submitting(send)}>
      {address ? <p>{texts.verifyAddress(address)}</p> : <Field value={entered} onChange={setEntered} error={error} />}
      <ErrorNotice error={error} />
      <div className="actions">
        <button type="submit" disabled={busy}>
          {texts.sendCode}
        </button>
      </div>
    </form>
  )
}
