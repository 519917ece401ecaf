import type { IssuedOtp, StepUpProof, StepUpRequest } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '../language.tsx'
import { stepUpPrompt } from '../session.ts'
import { CurrentPasswordField } from './account-fields.tsx'
import { CodeForm } from './code-form.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { GoogleButton } from './google-button.tsx'
import { submitting } from './submitting.ts'
import { useAction } from './use-action.ts'

interface Prompt extends StepUpRequest {
  /** Continues the interrupted call; null gives it up. */
  answer(proof: StepUpProof | null): void
}

/** Asks for a proof that the account has when the server wants a fresh sign-in; the interrupted call then continues. */
export function StepUpDialog() {
  const { texts } = useLanguage()
  const { user } = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const [prompt, setPrompt] = useState<Prompt | null>(null)
  const [wantsCode, setWantsCode] = useState(false)

  useEffect(() => {
    stepUpPrompt.ask = (request) => {
      const { promise, resolve } = Promise.withResolvers<StepUpProof | null>()
      const answer = (proof: StepUpProof | null) => {
        setPrompt(null)
        resolve(proof)
      }
      setPrompt({ ...request, answer })
      return promise
    }
  }, [])
  useEffect(() => {
    if (prompt !== null) dialog.current?.showModal()
  }, [prompt])
  // Another tab may have signed out, or the session may have ended: the next user must not answer this prompt.
  useEffect(() => {
    if (prompt !== null && prompt.user.id !== user?.id) prompt.answer(null)
  }, [prompt, user])

  if (prompt === null) return null
  const { methods } = prompt.user
  const usesCode = methods.includes('otp') && (wantsCode || !methods.includes('password'))
  return (
    <dialog ref={dialog} aria-labelledby="step-up-title" onCancel={() => prompt.answer(null)}>
      <h2 id="step-up-title">{texts.confirmItsYou}</h2>
      <p>{texts.confirmWhy}</p>
      {usesCode && <CodeProof {...prompt} />}
      {!usesCode && methods.includes('password') && <PasswordProof {...prompt} />}
      {methods.includes('otp') && methods.includes('password') && (
        <button type="button" className="quiet wide" onClick={() => setWantsCode(!wantsCode)}>
          {wantsCode ? texts.withPassword : texts.withCode}
        </button>
      )}
      {methods.includes('google') && (
        <GoogleButton onProof={async (proof) => prompt.answer({ method: 'google', ...proof })} />
      )}
      <button type="button" className="quiet wide" onClick={() => prompt.answer(null)}>
        {texts.cancel}
      </button>
    </dialog>
  )
}

function PasswordProof({ error, answer }: Prompt) {
  const { texts } = useLanguage()
  const [password, setPassword] = useState('')
  return (
    <form onSubmit={submitting(async () => answer({ method: 'password', password }))}>
      <CurrentPasswordField
        name="password"
        label={texts.password}
        autoFocus
        value={password}
        onChange={setPassword}
        error={error}
      />
      <ErrorNotice error={error} />
      <button type="submit" className="wide">
        {texts.confirm}
      </button>
    </form>
  )
}

function CodeProof({ user, error, answer }: Prompt) {
  const { texts } = useLanguage()
  const { client } = useSession()
  const [issued, setIssued] = useState<IssuedOtp | null>(null)
  const sending = useAction()
  const address = user.emailVerified && user.email ? { email: user.email } : { phone: user.phone ?? '' }
  const message = texts.codeSentTo(address.email ?? address.phone ?? '')
  if (issued !== null) {
    return (
      <CodeForm
        issued={issued}
        scope="otp_signin"
        message={message}
        onVerified={async () => answer({ method: 'otp', token: issued.id })}
        onBack={() => setIssued(null)}
      />
    )
  }
  const send = () => sending.run(async () => setIssued(await client.issueOtp({ scope: 'otp_signin', ...address })))
  return (
    <form onSubmit={submitting(send)}>
      <ErrorNotice error={sending.error ?? error} />
      <button type="submit" className="wide" disabled={sending.busy}>
        {texts.sendCode}
      </button>
    </form>
  )
}
