import { access, appendFile, constants, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileErrorCode } from '../core/file-refusal.ts'
import { version } from '../core/version.ts'
import { isTaken } from '../delivery/providers/http-failure.ts'
import { createOutboundHttp } from '../delivery/providers/outbound-http.ts'
import type { EventAnchorOptions } from '../events/anchor/anchor-heads.ts'

/**
 * Stores anchors where `TENANTRY_EVENTS_ANCHOR` says: a file to append to, or a URL to post to. It may be in a private
 * network, because the operator configures it.
 */
export function anchorTarget(url: string): EventAnchorOptions['send'] {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'file:') {
    const path = fileURLToPath(url)
    return async (anchor) =>
      appendFile(path, `${await newLine(path)}${JSON.stringify(anchor)}\n`, { flush: true, mode: 0o600 })
  }
  const http = createOutboundHttp({ allowPrivate: true })
  return async ({ body, ...signature }, signal) => {
    const headers = { 'content-type': 'application/json', 'user-agent': `Tenantry/${version}`, ...signature }
    const answer = await http.post(url, { headers, body }, signal)
    // The response body may quote the request.
    if (!isTaken(answer)) throw new Error(`${hostname} answered ${answer.status}`)
  }
}

/**
 * Why no anchor could be stored now; null when nothing is known to be wrong. A warning, because the storage may be mounted
 * later, and a server without it still serves users.
 */
export async function anchorWarning(url: string): Promise<string | null> {
  if (new URL(url).protocol !== 'file:') return null
  const path = fileURLToPath(url)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return 'TENANTRY_EVENTS_ANCHOR: names a folder; heads of event logs need a file in it'
  if (found?.isFile() === false)
    return 'TENANTRY_EVENTS_ANCHOR: names a pipe or a device; heads of event logs need a file'
  try {
    await access(found === null ? dirname(path) : path, constants.W_OK)
    return null
  } catch (error) {
    return `TENANTRY_EVENTS_ANCHOR: heads of event logs cannot be stored (${fileErrorCode(error)}); create the folder, or mount it, and let the server write to it`
  }
}

/** A line break after a line that broke off, as when the disk was full: otherwise the next anchor would be lost with it. */
async function newLine(path: string): Promise<'' | '\n'> {
  const found = await stat(path).catch(() => null)
  // To open a pipe that no process reads would take forever.
  if (found !== null && !found.isFile()) throw new Error('TENANTRY_EVENTS_ANCHOR: does not name a file')
  if (found === null || found.size === 0) return ''
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return ''
  try {
    const { buffer } = await file.read({ position: found.size - 1, length: 1 })
    return buffer[0] === 0x0a ? '' : '\n'
  } finally {
    await file.close()
  }
}
