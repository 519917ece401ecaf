import assert from 'node:assert/strict'
import { send, type WireAnswer } from '../http/wire.ts'

type Headers = readonly (readonly [string, string])[]

/** A request of a page of the server at `host`, as a browser sends it. */
export const samePage: Headers = [
  ['sec-fetch-site', 'same-origin'],
  ['x-tenantry-console', '1'],
]

const json: readonly [string, string] = ['content-type', 'application/json']

/** `POST /admin/session`. */
export const signInToConsole = (baseUrl: string, key: string, headers: Headers = samePage): Promise<WireAnswer> =>
  send(baseUrl, {
    ...{ method: 'POST', path: '/admin/session' },
    ...{ headers: [json, ...headers], body: JSON.stringify({ key }) },
  })

/** The `Cookie` header after an answer. */
export function cookieOf({ headers }: WireAnswer): [string, string] {
  const [pair] = (headers['set-cookie'] ?? assert.fail('the answer sets no cookie')).split(';')
  return ['cookie', pair!]
}

/** Signs in and returns the `Cookie` header of the session. */
export async function openConsole(baseUrl: string, key: string): Promise<[string, string]> {
  const answer = await signInToConsole(baseUrl, key)
  assert.equal(answer.status, 201, answer.text)
  return cookieOf(answer)
}

/** Signs in and returns the cookie of the session as `name=value`. */
export const consoleCookie = async (baseUrl: string, key: string): Promise<string> =>
  (await openConsole(baseUrl, key))[1]
