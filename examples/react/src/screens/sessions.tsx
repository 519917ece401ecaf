import type { OpenSession } from '@tenantry/client'
import { useSession } from '@tenantry/client/react'
import { useCallback, useEffect, useState } from 'react'
import { useLanguage } from '../language.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { useAction } from '../parts/use-action.ts'

/** The devices that are signed in. */
export function SessionsScreen() {
  const { texts, language } = useLanguage()
  const { client, signOut } = useSession()
  const [sessions, setSessions] = useState<readonly OpenSession[] | null>(null)
  const loading = useAction()
  const ending = useAction()
  const load = useCallback(async () => setSessions((await client.listSessions()).sessions), [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once per client
  useEffect(() => void loading.run(load), [load])

  const end = (session: OpenSession) =>
    ending.run(async () => {
      if (session.current) return signOut()
      await client.endSession({ sessionId: session.id })
      await load()
    })
  const endOthers = () =>
    ending.run(async () => {
      await signOut('others')
      await load()
    })

  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <section className="card">
      <h1>{texts.sessions}</h1>
      {sessions === null && loading.busy && <p role="status">{texts.loading}</p>}
      <ErrorNotice error={loading.error ?? ending.error} />
      <ul className="rows">
        {sessions?.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{nameOf(session.userAgent) ?? texts.unknownDevice}</strong>
              {session.current && <span className="badge">{texts.thisDevice}</span>}
              <p className="hint">
                {session.network} · {texts.lastUsed} {time.format(new Date(session.lastUsedAt))}
              </p>
            </div>
            <button type="button" className="quiet" disabled={ending.busy} onClick={() => void end(session)}>
              {session.current ? texts.signOut : texts.endSession}
            </button>
          </li>
        ))}
      </ul>
      {sessions !== null && sessions.length > 1 && (
        <button type="button" disabled={ending.busy} onClick={() => void endOthers()}>
          {texts.endOthers}
        </button>
      )}
    </section>
  )
}

/** "Firefox · Linux": what people recognise in a User-Agent. */
function nameOf(userAgent: string | null): string | null {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)/.exec(userAgent ?? '')?.[1]
  const system = /(iPhone|iPad|Android|Windows|Mac OS X|Linux)/.exec(userAgent ?? '')?.[1]
  return [browser, system].filter(Boolean).join(' · ') || userAgent
}
