import { parentPort, workerData } from 'node:worker_threads'
import { type SmtpPeerOptions, startSmtpPeer } from '../peers/smtp-peer.ts'

/** The behaviour of a mail server on a thread, as far as it can be copied to it. */
export type MailBehaviour = Pick<SmtpPeerOptions, 'delayMs'> & {
  readonly refuse?: { readonly at: 'rcpt'; readonly code: number }
}

const { port } = await startSmtpPeer(workerData as MailBehaviour)
parentPort?.postMessage(port)
