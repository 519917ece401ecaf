import { useSession } from '@tenantry/client/react'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../language.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { useAction } from './use-action.ts'

/** Downloads everything that the service has stored about the user. Needs a fresh sign-in. */
export function DownloadData() {
  const { texts } = useLanguage()
  const { client } = useSession()
  const { busy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const data = JSON.stringify(await client.exportAccount(), null, 2)
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([data], { type: 'application/json' }))
      link.download = 'my-data.json'
      link.click()
      URL.revokeObjectURL(link.href)
    })
  return (
    <>
      <h2>{texts.yourData}</h2>
      <p>{texts.yourDataHint}</p>
      <ErrorNotice error={error} />
      <button type="button" className="quiet" disabled={busy} onClick={download}>
        {texts.downloadData}
      </button>
    </>
  )
}

/** Deletes the account, after a question. Needs a fresh sign-in. */
export function DeleteAccount() {
  const { texts } = useLanguage()
  const { client } = useSession()
  const question = useRef<HTMLDialogElement>(null)
  const { busy, error, run } = useAction()
  // While an expired session hides this screen, an open dialog would still block the rest of the page.
  useEffect(() => {
    const dialog = question.current
    return () => dialog?.close()
  }, [])
  return (
    <>
      <h2>{texts.deleteAccount}</h2>
      <p>{texts.deleteHint}</p>
      <button type="button" className="quiet" onClick={() => question.current?.showModal()}>
        {texts.deleteAccount}
      </button>
      <dialog ref={question} aria-labelledby="delete-title">
        <h2 id="delete-title">{texts.deleteAccount}</h2>
        <p>{texts.deleteHint}</p>
        <ErrorNotice error={error} />
        <div className="actions">
          <button type="button" className="quiet" onClick={() => question.current?.close()}>
            {texts.cancel}
          </button>
          <button type="button" className="danger" disabled={busy} onClick={() => run(() => client.deleteAccount())}>
            {texts.deleteForGood}
          </button>
        </div>
      </dialog>
    </>
  )
}
