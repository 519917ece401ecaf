import type { TestService } from '../service.ts'

/** A request that the typed client would not send. */
export interface RawRequest {
  readonly key?: string
  readonly token?: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** The received answer. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly body: any
}

/** Sends one request unchanged, such as `POST /otp/resend`, and returns its answer. */
export async function request(service: TestService, line: string, raw: RawRequest = {}): Promise<RawAnswer> {
  const [method = '', path = ''] = line.split(' ')
  const headers = {
    ...(raw.key !== undefined && { 'x-tenant-key': raw.key }),
    ...(raw.token !== undefined && { authorization: `Bearer ${raw.token}` }),
    ...(raw.body !== undefined && { 'content-type': 'application/json' }),
    ...raw.headers,
  }
  const body = raw.body === undefined ? null : JSON.stringify(raw.body)
  const response = await fetch(service.baseUrl + path, { method, headers, body, redirect: 'error' })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}
