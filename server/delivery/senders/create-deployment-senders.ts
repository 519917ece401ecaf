import type { Sender } from '../sender.ts'
import type { DeploymentSenders } from './deployment-senders.ts'
import { createOutboundHttp } from './outbound-http.ts'
import { createSmtpSender } from './smtp-sender.ts'
import { createTwilioSender } from './twilio-sender.ts'

/** The senders that the environment names; the mail server may be in a private network, it is the operator's own. */
export function createDeploymentSenders({ smtp, mailFrom, twilio }: DeploymentSenders): Sender[] {
  return [
    ...(smtp ? [createSmtpSender({ ...smtp, name: 'smtp', from: mailFrom, allowPrivate: true })] : []),
    ...(twilio ? [createTwilioSender({ ...twilio, name: 'twilio' }, createOutboundHttp({ allowPrivate: false }))] : []),
  ]
}
