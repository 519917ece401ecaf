import { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { environmentSettings, senderKinds } from '../../contract/senders/delivery-senders.ts'

type Advice = readonly [problem: RegExp, whatToDo: string]

const noSender = (method: DeliveryMethod): Advice => [
  new RegExp(`^No sender of ${method}`),
  `Set ${environmentSettings(method)} in the server's environment, or delivery.${method} in the tenant's configuration.`,
]

/** Problems as reported by senders, and what to do about each. docs/guides/first-e-mail-and-sms.md has more. */
const advice: readonly Advice[] = [
  ...DeliveryMethod.options.map(noSender),
  [
    /refused the connection|cannot be reached|did not answer/,
    'Check host and port, and that the firewall allows outgoing connections.',
  ],
  [/has no address|could not be looked up/, 'Check the spelling of the host name, and the DNS server.'],
  [
    /(accept|check) user name and password|our credentials/,
    'Check user and password, or the token. The provider may have rotated them.',
  ],
  ...senderKinds.flatMap((kind): readonly Advice[] => kind.advice),
  [/not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/, 'Use the host name in the certificate of the server.'],
  [/not trusted \(CERT_/, 'Renew the certificate of the server, and check the clock of this machine.'],
  [
    /not trusted \((DEPTH_ZERO_)?(SELF_|UNABLE_)/,
    'If the certificate is self-signed or of your own authority, start the servers with NODE_EXTRA_CA_CERTS=<file of its authority>.',
  ],
  [/address to send from/, "Set delivery.from in the tenant's configuration."],
  [
    /refused the message/,
    "Read the provider's response. Often the From address is not verified there, or the recipient does not exist.",
  ],
  [/budget of the day/, 'Raise delivery.smsDailyBudget, or wait until midnight UTC.'],
  [/this country/, 'Add the country to delivery.smsCountries.'],
  [/this type of number/, 'Add the range (such as +881) or the type (such as premium:GB) to delivery.smsCountries.'],
  [/public internet|must begin with https/, 'Use a public URL that begins with https://.'],
]

const guide = 'See docs/guides/first-e-mail-and-sms.md for all steps.'

/** Advice on these problems, one line each, and a reference to the guide. */
export function adviceFor(problems: readonly string[]): string[] {
  const found = advice.filter(([problem]) => problems.some((text) => problem.test(text)))
  return [...found.map(([, whatToDo]) => whatToDo), guide]
}
