import type { Language, Phrase } from './language.ts'

const ignore =
  'Sie haben das nicht angefordert? Dann ignorieren Sie diese Nachricht einfach: Ohne den Code geschieht nichts.'
const itWasYou = 'Waren Sie das? Dann ist alles in Ordnung, und Sie müssen nichts weiter tun.'
const actNow = 'Wenn Sie das nicht waren, handeln Sie bitte sofort.'
const getHelp: Phrase = ({ tenant }) =>
  `Sie waren das nicht? Dann wenden Sie sich sofort an den Kundendienst von ${tenant}: Vielleicht ist jemand anderes in Ihrem Konto.`

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
  noticeEmails: {
    password_changed: {
      subject: ({ tenant }) => `Ihr Passwort bei ${tenant} wurde geändert`,
      heading: () => 'Ihr Passwort wurde geändert',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Das Passwort Ihres Kontos bei ${tenant} wurde soeben geändert, und alle anderen Geräte wurden abgemeldet.`,
        () => itWasYou,
        ({ tenant }) =>
          `Sie waren das nicht? Dann öffnen Sie jetzt ${tenant}, wählen Sie „Passwort vergessen“ und legen Sie ein neues fest, das Sie sonst nirgends verwenden.`,
      ],
    },
    email_changed: {
      subject: ({ tenant }) => `Die E-Mail-Adresse Ihres Kontos bei ${tenant} wurde geändert`,
      heading: () => 'Ihre E-Mail-Adresse wurde geändert',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Die E-Mail-Adresse Ihres Kontos bei ${tenant} wurde soeben geändert. Mit der alten können Sie sich nicht mehr anmelden.`,
        () => itWasYou,
        getHelp,
      ],
    },
    phone_changed: {
      subject: ({ tenant }) => `Die Telefonnummer Ihres Kontos bei ${tenant} wurde geändert`,
      heading: () => 'Ihre Telefonnummer wurde geändert',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Die Telefonnummer Ihres Kontos bei ${tenant} wurde soeben geändert. Mit der alten können Sie sich nicht mehr anmelden.`,
        () => itWasYou,
        getHelp,
      ],
    },
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
      `${tenant}: Ihr Passwort wurde geändert, alle anderen Geräte sind abgemeldet. Das waren nicht Sie? Wählen Sie sofort "Passwort vergessen".`,
    email_changed: ({ tenant }) =>
      `${tenant}: Die E-Mail-Adresse Ihres Kontos wurde geändert. Das waren nicht Sie? Wenden Sie sich sofort an den Kundendienst.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: Die Telefonnummer Ihres Kontos wurde geändert. Das waren nicht Sie? Wenden Sie sich sofort an den Kundendienst.`,
  },
}
