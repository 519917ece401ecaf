import { useEffect, useRef } from 'react'
import { useLanguage } from '../language.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { useAction } from './use-action.ts'

/** The part of Google Identity Services that this page uses. */
interface GoogleIdentity {
  initialize(options: { client_id: string; nonce: string; callback: (answer: { credential: string }) => void }): void
  renderButton(parent: HTMLElement, options: { theme: string; size: string; width: number; locale: string }): void
}
declare global {
  interface Window {
    google?: { accounts: { id: GoogleIdentity } }
  }
}

const clientId = import.meta.env.VITE_GOOGLE_CLIENT_ID
const library = 'https://accounts.google.com/gsi/client'

interface GoogleButtonProps {
  readonly onProof: (proof: { idToken: string; nonce: string }) => Promise<void>
}

/** Google's own button. Shown only if the page was built with a client id. */
export function GoogleButton({ onProof }: GoogleButtonProps) {
  const { texts, language } = useLanguage()
  const place = useRef<HTMLDivElement>(null)
  const { error, run } = useAction()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the button is made once per language
  useEffect(() => {
    if (clientId === undefined || place.current === null) return
    const parent = place.current
    void run(async () => {
      await loadScript(library)
      // Each attempt has a nonce: the token contains its SHA-256, so that a stolen token cannot be used with another.
      const nonce = crypto.randomUUID()
      const google = window.google?.accounts.id
      google?.initialize({
        client_id: clientId,
        nonce: await sha256(nonce),
        callback: ({ credential }) => void run(() => onProof({ idToken: credential, nonce })),
      })
      google?.renderButton(parent, { theme: 'outline', size: 'large', width: 320, locale: language })
    })
  }, [language])

  if (clientId === undefined) return null
  return (
    <div className="social">
      <p className="divider">{texts.or}</p>
      <div ref={place} />
      <ErrorNotice error={error} />
    </div>
  )
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (window.google !== undefined) return resolve()
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${src} was not loaded`))
    document.head.append(script)
  })
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
