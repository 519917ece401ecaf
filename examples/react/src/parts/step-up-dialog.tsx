import type { StepUpProof, StepUpRequest } from '@tenantry/client'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '../language.tsx'
import { stepUpPrompt } from '../session.ts'
import { ErrorNotice, messageFor } from './error-notice.tsx'
import { TextField } from './text-field.tsx'

interface Prompt extends StepUpRequest {
  answer(proof: StepUpProof | null): void
}

/** Asks for the password when the server wants a fresh sign-in; the interrupted call then continues. */
export function StepUpDialog() {
  const { texts } = useLanguage()
  const dialog = useRef<HTMLDialogElement>(null)
  const [prompt, setPrompt] = useState<Prompt | null>(null)
  const [password, setPassword] = useState('')

  useEffect(() => {
    stepUpPrompt.ask = (request) => new Promise((answer) => setPrompt({ ...request, answer }))
  }, [])
  useEffect(() => {
    if (prompt !== null) dialog.current?.showModal()
  }, [prompt])

  const finish = (proof: StepUpProof | null) => {
    setPassword('')
    setPrompt(null)
    prompt?.answer(proof)
  }
  if (prompt === null) return null
  return (
    <dialog ref={dialog} aria-labelledby="step-up-title" onCancel={() => finish(null)}>
      <h2 id="step-up-title">{texts.confirmItsYou}</h2>
      <p>{texts.confirmWhy}</p>
      <form action={() => finish({ method: 'password', password })}>
        <TextField
          label={texts.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          error={messageFor('password', prompt.error)}
        />
        <ErrorNotice error={prompt.error} />
        <div className="actions">
          <button type="submit">{texts.confirm}</button>
          <button type="button" className="quiet" onClick={() => finish(null)}>
            {texts.cancel}
          </button>
        </div>
      </form>
    </dialog>
  )
}
