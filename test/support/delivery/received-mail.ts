import type { ReceivedMail } from '../peers/smtp-peer.ts'

/** An e-mail as its reader sees it. */
export interface ReadMail {
  readonly to: readonly string[]
  readonly from: string
  readonly subject: string
  readonly messageId: string
  readonly text: string
  readonly html: string
  /** The code, if it stands on a line by itself. */
  readonly code: string | undefined
}

/** Parses a received message of two text parts, as the service sends them. */
export function readMail({ raw, to }: Pick<ReceivedMail, 'raw' | 'to'>): ReadMail {
  const { headers, body } = readPart(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).slice(1, -1).map(readPart)
  const partOf = (type: string) => parts.find((part) => part.headers['content-type']?.startsWith(type))?.decoded ?? ''
  const text = partOf('text/plain')
  return {
    to,
    from: headers['from'] ?? '',
    subject: headers['subject'] ?? '',
    messageId: headers['message-id'] ?? '',
    text,
    html: partOf('text/html'),
    code: /^\d{4,10}$/m.exec(text)?.[0],
  }
}

function readPart(text: string) {
  const [, head = '', body = ''] = /^\r?\n?([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text) ?? []
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers: Record<string, string> = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      decodedWords(line.slice(line.indexOf(':') + 2)),
    ]),
  )
  return { headers, body, decoded: decodedBody(body, headers['content-transfer-encoding']).replaceAll('\r\n', '\n') }
}

/** RFC 2047. */
const decodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, words: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(words, 'base64').toString()
        : quotedPrintable(words.replaceAll('_', ' ')),
    )

function decodedBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? quotedPrintable(body) : body
}

/** RFC 2045 6.7. */
const quotedPrintable = (text: string): string =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString()
