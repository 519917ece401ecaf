/** A problem as senders put it, and what to do about it. The guide (docs/guides) has the same, and more. */
const advice: readonly (readonly [problem: RegExp, whatToDo: string])[] = [
  [
    /^No sender of email/,
    "Set SMTP_URL and MAIL_FROM in the server's environment, or delivery.email in the tenant's configuration.",
  ],
  [
    /^No sender of sms/,
    "Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM in the server's environment, or delivery.sms in the tenant's configuration.",
  ],
  [/refused the connection|cannot be reached|did not answer/, 'Check host and port, and that a firewall lets us out.'],
  [/has no address|could not be looked up/, 'Check the spelling of the host, and the name server.'],
  [/user name and password|our credentials/, 'Set user and password, or the token, once more: providers rotate them.'],
  [
    /does not offer STARTTLS|agree with us on TLS|greet in time/,
    'Port 587 is STARTTLS; port 465 is smtps:// or "secure": true.',
  ],
  [/certificate that is not trusted/, 'Use the host name that is in the certificate of the server.'],
  [/address to send from/, "Set delivery.from in the tenant's configuration."],
  [
    /refused the message/,
    'Read what the provider says. Often the from-address is not verified there, or the recipient does not exist.',
  ],
  [/budget of the day/, 'Raise delivery.smsDailyBudget, or wait for midnight UTC.'],
  [/this country/, 'Add the country to delivery.smsCountries.'],
  [
    /this type of number/,
    'Add it to delivery.smsCountries: a global range such as +881, or a type such as premium:GB.',
  ],
  [/public internet|must begin with https/, 'Give a public address that begins with https://.'],
]

const guide = 'docs/guides/first-e-mail-and-sms.md goes through it step by step.'

/** What to do about these problems, a line each, and where to read on. */
export function adviceFor(problems: readonly string[]): string[] {
  const found = advice.filter(([problem]) => problems.some((text) => problem.test(text)))
  return [...found.map(([, whatToDo]) => whatToDo), guide]
}
