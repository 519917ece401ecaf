import type { Language, Phrase } from './language.ts'

const ignore = 'Wenn Sie diesen Code nicht angefordert haben, können Sie diese E-Mail ignorieren.'
const byMistake = `${ignore} Möglicherweise hat jemand versehentlich Ihre Adresse eingegeben.`
const getHelp: Phrase = ({ tenant }) =>
  `Wenn Sie das nicht waren, wenden Sie sich bitte sofort an den Kundendienst von ${tenant}. Möglicherweise hat eine andere Person Zugriff auf Ihr Konto.`
const resetPassword: Phrase = ({ tenant }) =>
  `Wenn Sie das nicht waren, setzen Sie Ihr Passwort jetzt zurück: Öffnen Sie ${tenant}, wählen Sie „Passwort vergessen“ und legen Sie ein Passwort fest, das Sie sonst nirgends verwenden.`

/** German, formal. */
export const german: Language = {
  tag: 'de',
  minutes: (count) => (count === 1 ? '1 Minute' : `${count} Minuten`),
  hours: (count) => (count === 1 ? '1 Stunde' : `${count} Stunden`),
  preheader: ({ minutes }) => `Ihr Code steht in dieser E-Mail. Er ist ${minutes} gültig.`,
  validity: ({ minutes, tenant }) =>
    `Dieser Code ist ${minutes} gültig. Geben Sie ihn nicht weiter: Niemand von ${tenant} wird Sie jemals danach fragen.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Ihr Anmeldecode für ${tenant}`,
      heading: ({ tenant }) => `Bei ${tenant} anmelden`,
      intro: () => 'Geben Sie diesen Code ein, um sich anzumelden:',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `Ihr Code zum Zurücksetzen Ihres Passworts bei ${tenant}`,
      heading: () => 'Passwort zurücksetzen',
      intro: ({ tenant }) =>
        `Wir haben eine Anfrage zum Zurücksetzen des Passworts für Ihr Konto bei ${tenant} erhalten. Geben Sie diesen Code ein, um fortzufahren:`,
      notYou: () =>
        'Wenn Sie das Zurücksetzen des Passworts nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
    },
    email_verification: {
      subject: ({ tenant }) => `Bestätigen Sie Ihre E-Mail-Adresse für ${tenant}`,
      heading: () => 'E-Mail-Adresse bestätigen',
      intro: () => 'Geben Sie diesen Code ein, um zu bestätigen, dass diese E-Mail-Adresse Ihnen gehört:',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `Bestätigen Sie Ihre Telefonnummer für ${tenant}`,
      heading: () => 'Telefonnummer bestätigen',
      intro: () => 'Geben Sie diesen Code ein, um Ihre Telefonnummer zu bestätigen:',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'Wenn Sie das nicht waren, handeln Sie bitte sofort.',
  wasYou: 'Wenn Sie das waren, müssen Sie nichts weiter tun.',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `Neue Anmeldemethode für Ihr Konto bei ${tenant}`,
      heading: () => 'Eine Anmeldemethode wurde hinzugefügt',
      happened: ({ tenant }) =>
        `Ihrem Konto bei ${tenant} wurde eine Anmeldemethode hinzugefügt. Sie kann ab sofort zur Anmeldung verwendet werden.`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `Anmeldemethode für Ihr Konto bei ${tenant} entfernt`,
      heading: () => 'Eine Anmeldemethode wurde entfernt',
      happened: ({ tenant }) =>
        `Aus Ihrem Konto bei ${tenant} wurde eine Anmeldemethode entfernt. Sie kann nicht mehr zur Anmeldung verwendet werden.`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `Neues Passwort für Ihr Konto bei ${tenant}`,
      heading: () => 'Ein Passwort wurde hinzugefügt',
      happened: ({ tenant }) =>
        `Ihrem Konto bei ${tenant} wurde ein Passwort hinzugefügt. Es kann ab sofort zur Anmeldung verwendet werden.`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `Ihr Passwort bei ${tenant} wurde geändert`,
      heading: () => 'Ihr Passwort wurde geändert',
      happened: ({ tenant }) =>
        `Das Passwort Ihres Kontos bei ${tenant} wurde geändert. Alle anderen Geräte wurden abgemeldet.`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `Ihre E-Mail-Adresse bei ${tenant} wurde geändert oder entfernt`,
      heading: () => 'Ihre E-Mail-Adresse wurde geändert oder entfernt',
      happened: ({ tenant }) =>
        `Die E-Mail-Adresse Ihres Kontos bei ${tenant} wurde geändert oder entfernt. Mit der bisherigen Adresse ist keine Anmeldung mehr möglich.`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `Ihre Telefonnummer bei ${tenant} wurde geändert oder entfernt`,
      heading: () => 'Ihre Telefonnummer wurde geändert oder entfernt',
      happened: ({ tenant }) =>
        `Die Telefonnummer Ihres Kontos bei ${tenant} wurde geändert oder entfernt. Mit der bisherigen Nummer ist keine Anmeldung mehr möglich.`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `Ihr Konto bei ${tenant} wurde gelöscht`,
      heading: () => 'Ihr Konto wurde gelöscht',
      happened: ({ tenant }) => `Ihr Konto bei ${tenant} wurde gelöscht. Eine Anmeldung ist nicht mehr möglich.`,
      notYou: ({ tenant }) =>
        `Wenn Sie das nicht waren, wenden Sie sich bitte sofort an den Kundendienst von ${tenant}.`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `Wenn Sie das nicht waren, machen Sie die Änderung jetzt rückgängig: Öffnen Sie ${tenant} und geben Sie diesen Code und diese Referenz ein. Ihre bisherige E-Mail-Adresse wird wiederhergestellt, und alle Geräte werden abgemeldet.`,
      phone_changed: ({ tenant }) =>
        `Wenn Sie das nicht waren, machen Sie die Änderung jetzt rückgängig: Öffnen Sie ${tenant} und geben Sie diesen Code und diese Referenz ein. Ihre bisherige Telefonnummer wird wiederhergestellt, und alle Geräte werden abgemeldet.`,
    },
    codeLabel: 'Code',
    idLabel: 'Referenz',
    validity: ({ hours, tenant }) =>
      `Der Code ist ab der Änderung ${hours} gültig. Geben Sie ihn nicht weiter: Niemand von ${tenant} wird Sie jemals danach fragen.`,
    help: ({ tenant }) => `Wenn Sie Hilfe benötigen, wenden Sie sich an den Kundendienst von ${tenant}.`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: Die E-Mail-Adresse Ihres Kontos wurde geändert oder entfernt. Waren Sie das nicht? Um die Änderung innerhalb von ${hours} rückgängig zu machen, geben Sie in der App den Code ${code} und die Referenz ${id} ein.`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: Die Telefonnummer Ihres Kontos wurde geändert oder entfernt. Waren Sie das nicht? Um die Änderung innerhalb von ${hours} rückgängig zu machen, geben Sie in der App den Code ${code} und die Referenz ${id} ein.`,
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Anmeldecode. ${minutes} gültig. Geben Sie ihn nicht weiter.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code zum Zurücksetzen des Passworts. ${minutes} gültig. Geben Sie ihn nicht weiter.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code zum Bestätigen Ihrer E-Mail-Adresse. ${minutes} gültig. Geben Sie ihn nicht weiter.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} ist Ihr Code zum Bestätigen dieser Nummer. ${minutes} gültig. Geben Sie ihn nicht weiter.`,
    identity_added: ({ tenant }) =>
      `${tenant}: Ihrem Konto wurde eine Anmeldemethode hinzugefügt. Waren Sie das nicht? Kontaktieren Sie sofort den Kundendienst.`,
    identity_removed: ({ tenant }) =>
      `${tenant}: Aus Ihrem Konto wurde eine Anmeldemethode entfernt. Waren Sie das nicht? Kontaktieren Sie sofort den Kundendienst.`,
    password_added: ({ tenant }) =>
      `${tenant}: Ihrem Konto wurde ein Passwort hinzugefügt. Waren Sie das nicht? Kontaktieren Sie sofort den Kundendienst.`,
    password_changed: ({ tenant }) =>
      `${tenant}: Ihr Passwort wurde geändert. Waren Sie das nicht? Wählen Sie sofort "Passwort vergessen" oder kontaktieren Sie den Kundendienst.`,
    email_changed: ({ tenant }) =>
      `${tenant}: Ihre E-Mail-Adresse wurde geändert oder entfernt. Waren Sie das nicht? Kontaktieren Sie sofort den Kundendienst.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: Ihre Telefonnummer wurde geändert oder entfernt. Waren Sie das nicht? Kontaktieren Sie sofort den Kundendienst.`,
    account_deleted: ({ tenant }) =>
      `${tenant}: Ihr Konto wurde gelöscht. Waren Sie das nicht? Kontaktieren Sie sofort den Kundendienst.`,
  },
}
