import type { Language } from './language.ts'

const ignore =
  'Sie haben das nicht angefordert? Dann ignorieren Sie diese Nachricht einfach: Ohne den Code geschieht nichts.'

/** German, with the polite form. */
export const german: Language = {
  tag: 'de',
  minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  preheader: ({ minutes }) => `Ihr Code steht in dieser E-Mail. Er ist ${minutes} gültig.`,
  validity: ({ minutes, tenant }) =>
    `Er ist ${minutes} gültig. Bitte geben Sie ihn nicht weiter: Niemand von ${tenant} wird Sie je danach fragen.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Ihr Anmeldecode für ${tenant}`,
      heading: ({ tenant }) => `Bei ${tenant} anmelden`,
      intro: () => 'Geben Sie diesen Code ein, um sich anzumelden:',
      notYou: () =>
        'Sie wollten sich nicht anmelden? Dann ignorieren Sie diese Nachricht einfach: Ohne den Code kommt niemand in Ihr Konto.',
    },
    reset_password: {
      subject: ({ tenant }) => `Ihr Code für ein neues Passwort bei ${tenant}`,
      heading: () => 'Passwort zurücksetzen',
      intro: ({ tenant }) =>
        `Für Ihr Konto bei ${tenant} wurde ein neues Passwort angefordert. Wenn Sie das waren, geben Sie diesen Code ein:`,
      notYou: () =>
        'Sie waren das nicht? Dann ignorieren Sie diese Nachricht einfach: Ihr Passwort bleibt, wie es ist.',
    },
    email_verification: {
      subject: ({ tenant }) => `Bestätigen Sie Ihre E-Mail-Adresse für ${tenant}`,
      heading: () => 'E-Mail-Adresse bestätigen',
      intro: () => 'Geben Sie diesen Code ein, um zu bestätigen, dass diese Adresse Ihnen gehört:',
      notYou: () => ignore,
    },
    phone_verification: {
      subject: ({ tenant }) => `Bestätigen Sie Ihre Telefonnummer für ${tenant}`,
      heading: () => 'Telefonnummer bestätigen',
      intro: () => 'Geben Sie diesen Code ein, um Ihre Telefonnummer zu bestätigen:',
      notYou: () => ignore,
    },
  },
  passwordChanged: {
    subject: ({ tenant }) => `Ihr Passwort bei ${tenant} wurde geändert`,
    heading: () => 'Ihr Passwort wurde geändert',
    preheader: () => 'Wenn Sie das nicht waren, handeln Sie bitte sofort.',
    paragraphs: [
      ({ tenant }) =>
        `Das Passwort Ihres Kontos bei ${tenant} wurde soeben geändert, und alle Geräte wurden abgemeldet.`,
      () => 'Waren Sie das? Dann ist alles in Ordnung, und Sie müssen nichts weiter tun.',
      ({ tenant }) =>
        `Sie waren das nicht? Dann öffnen Sie jetzt ${tenant}, wählen Sie „Passwort vergessen“ und legen Sie ein neues fest, das Sie sonst nirgends verwenden.`,
    ],
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code zum Anmelden. ${minutes} gültig. Bitte nicht weitergeben.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code für ein neues Passwort. ${minutes} gültig. Bitte nicht weitergeben.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code zum Bestätigen Ihrer E-Mail-Adresse. ${minutes} gültig. Bitte nicht weitergeben.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code zum Bestätigen dieser Nummer. ${minutes} gültig. Bitte nicht weitergeben.`,
    password_changed: ({ tenant }) =>
      `${tenant}: Ihr Passwort wurde geändert, alle Geräte sind abgemeldet. Das waren nicht Sie? Wählen Sie sofort "Passwort vergessen".`,
  },
}
