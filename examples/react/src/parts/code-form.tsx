import type { IssuedOtp, OtpScope } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useEffect, useState } from 'react'
import { useLanguage } from '../language.tsx'
import { ErrorNotice, messageFor } from './error-notice.tsx'
import { submitting } from './submitting.ts'
import { TextField } from './text-field.tsx'
import { useAction } from './use-action.ts'

interface CodeFormProps {
  readonly issued: IssuedOtp
  readonly scope: OtpScope
  readonly message: string
  /** Continues with the verified one-time password. */
  readonly onVerified: () => Promise<void>
  readonly onBack: () => void
}

/** Asks for the code of a one-time password, and sends it again on request. */
export function CodeForm({ issued, scope, message, onVerified, onBack }: CodeFormProps) {
  const { texts } = useLanguage()
  const { client } = useSession()
  const [code, setCode] = useState('')
  const [isVerified, setVerified] = useState(false)
  const [resentAt, setResentAt] = useState(() => Date.now())
  const [wasResent, setWasResent] = useState(false)
  const verifying = useAction()
  const resending = useAction()
  const wait = useCountdown(resentAt + issued.resendIntervalSeconds * 1000)

  const submit = () =>
    verifying.run(async () => {
      // A code can be verified once; when only the step after it failed, that step is repeated.
      if (!isVerified) await client.verifyOtp({ id: issued.id, scope, code: code.trim() })
      setVerified(true)
      await onVerified()
    })
  const resend = () =>
    resending.run(async () => {
      await client.resendOtp({ id: issued.id, scope })
      setResentAt(Date.now())
      setWasResent(true)
    })

  return (
    <form onSubmit={submitting(submit)}>
      <p>{message}</p>
      <TextField
        label={texts.code}
        value={code}
        onChange={({ target }) => setCode(target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        error={messageFor('code', verifying.error)}
      />
      <ErrorNotice error={verifying.error ?? resending.error} />
      <p role="status">{wasResent && wait > 0 && texts.resent}</p>
      <div className="actions">
        <button type="submit" disabled={verifying.busy}>
          {texts.continue}
        </button>
        <button type="button" className="quiet" disabled={wait > 0 || resending.busy} onClick={resend}>
          {wait > 0 ? texts.resendIn(wait) : texts.resend}
        </button>
        <button type="button" className="quiet" onClick={onBack}>
          {texts.back}
        </button>
      </div>
    </form>
  )
}

/** Whole seconds until a time; 0 afterwards. */
function useCountdown(end: number): number {
  const [now, setNow] = useState(() => Date.now())
  const seconds = Math.max(0, Math.ceil((end - now) / 1000))
  useEffect(() => {
    if (end <= Date.now()) return setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [end])
  return seconds
}
