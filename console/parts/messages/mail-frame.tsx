import { useRef } from 'react'
import { type MailScheme, mailInScheme } from './mail-in-scheme.ts'

interface MailFrameProps {
  /** The HTML of a message. Nothing in it runs, and nothing is loaded from elsewhere. */
  readonly html: string
  readonly scheme: MailScheme
  readonly title: string
}

/** A message as a mailbox shows it, in a frame without an origin. */
export function MailFrame({ html, scheme, title }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const mail = mailInScheme(html, scheme)
  return (
    <iframe
      // A frame shows what it is posted once.
      key={mail}
      ref={frame}
      title={title}
      sandbox="allow-scripts"
      src="/console/mail-frame.html"
      // It has no origin that could be named.
      onLoad={() => frame.current?.contentWindow?.postMessage(mail, '*')}
      style={{
        display: 'block',
        width: '100%',
        height: 520,
        border: 'none',
        borderRadius: 'var(--mantine-radius-md)',
        background: scheme === 'dark' ? '#0d0f14' : '#fff',
        colorScheme: scheme,
      }}
    />
  )
}
