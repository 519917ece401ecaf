/** An answer as received on the socket. */
export interface WireAnswer {
  readonly status: number
  /** By lower-case name; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The body as JSON; throws when it is not JSON. */
  json(): unknown
}

/** Parses the answers of one connection. */
export class AnswerReader {
  readonly answers: WireAnswer[] = []
  #rest: Buffer = Buffer.alloc(0)
  readonly #bodiless: boolean

  /** @param bodiless the requests are HEAD, so that no answer has a body, whatever its length header says */
  constructor(bodiless = false) {
    this.#bodiless = bodiless
  }

  feed(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#takeOne(false));
  }

  /** The connection has ended, and with it an answer without a length. */
  end(): void {
    if (this.#rest.length > 0) this.#takeOne(true)
  }

  #takeOne(ended: boolean): boolean {
    const headEnd = this.#rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return false
    const { status, headers } = readHead(this.#rest.subarray(0, headEnd).toString('latin1'))
    const body = this.#rest.subarray(headEnd + 4)
    if (status < 200) {
      this.#rest = body
      return true
    }
    const found =
      this.#bodiless || status === 204 || status === 304 ? { text: '', length: 0 } : readBody(headers, body, ended)
    if (found === null) return false
    this.#rest = body.subarray(found.length)
    const { text } = found
    this.answers.push({ status, headers, text, json: () => JSON.parse(text) })
    return this.#rest.length > 0
  }
}

function readHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`No status line: ${JSON.stringify(statusLine.slice(0, 100))}`)
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { status, headers }
}

function readBody(
  headers: Record<string, string>,
  body: Buffer,
  ended: boolean,
): { text: string; length: number } | null {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(body)
  if (headers['content-length'] === undefined) return ended ? { text: body.toString(), length: body.length } : null
  const length = Number(headers['content-length'])
  return body.length < length ? null : { text: body.subarray(0, length).toString(), length }
}

function readChunks(body: Buffer): { text: string; length: number } | null {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(body.subarray(at, lineEnd).toString('latin1'), 16)
    const start = lineEnd + 2
    if (body.length < start + size + 2) return null
    if (size === 0) return { text: Buffer.concat(chunks).toString(), length: start + 2 }
    chunks.push(body.subarray(start, start + size))
    at = start + size + 2
  }
}
