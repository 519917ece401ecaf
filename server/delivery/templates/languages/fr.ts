import type { Language, Phrase } from './language.ts'

// No-break spaces (\u00a0) keep `:` and quotation marks on the line of their word.
const ignore = 'Si vous n’avez pas demandé ce code, vous pouvez ignorer cet e-mail.'
const byMistake = `${ignore} Quelqu’un a peut-être saisi votre adresse par erreur.`
const getHelp: Phrase = ({ tenant }) =>
  `Si vous n’en êtes pas à l’origine, contactez immédiatement l’assistance ${tenant}. Une autre personne a peut-être accès à votre compte.`
const resetPassword: Phrase = ({ tenant }) =>
  `Si vous n’en êtes pas à l’origine, réinitialisez votre mot de passe dès maintenant\u00a0: ouvrez ${tenant}, choisissez «\u00a0Mot de passe oublié\u00a0» et définissez un mot de passe que vous n’utilisez nulle part ailleurs.`

/** French, formal. */
export const french: Language = {
  tag: 'fr',
  minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
  hours: (count) => (count === 1 ? '1 heure' : `${count} heures`),
  preheader: ({ minutes }) => `Votre code se trouve dans cet e-mail. Il est valable ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Ce code est valable ${minutes}. Ne le communiquez à personne\u00a0: l’équipe ${tenant} ne vous le demandera jamais.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Votre code de connexion à ${tenant}`,
      heading: ({ tenant }) => `Connexion à ${tenant}`,
      intro: () => 'Saisissez ce code pour vous connecter\u00a0:',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `Votre code pour réinitialiser votre mot de passe ${tenant}`,
      heading: () => 'Réinitialisation de votre mot de passe',
      intro: ({ tenant }) =>
        `Nous avons reçu une demande de réinitialisation du mot de passe de votre compte ${tenant}. Pour continuer, saisissez ce code\u00a0:`,
      notYou: () =>
        'Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail. Votre mot de passe restera inchangé.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirmez votre adresse e-mail pour ${tenant}`,
      heading: () => 'Confirmation de votre adresse e-mail',
      intro: () => 'Saisissez ce code pour confirmer que cette adresse e-mail est bien la vôtre\u00a0:',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirmez votre numéro de téléphone pour ${tenant}`,
      heading: () => 'Confirmation de votre numéro de téléphone',
      intro: () => 'Saisissez ce code pour confirmer votre numéro de téléphone\u00a0:',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'Si vous n’en êtes pas à l’origine, agissez sans attendre.',
  wasYou: 'Si vous êtes à l’origine de cette opération, vous n’avez rien à faire.',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `Une méthode de connexion a été ajoutée à votre compte ${tenant}`,
      heading: () => 'Une méthode de connexion a été ajoutée',
      happened: ({ tenant }) =>
        `Une méthode de connexion a été ajoutée à votre compte ${tenant}. Elle permet désormais de s’y connecter.`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `Une méthode de connexion a été supprimée de votre compte ${tenant}`,
      heading: () => 'Une méthode de connexion a été supprimée',
      happened: ({ tenant }) =>
        `Une méthode de connexion a été supprimée de votre compte ${tenant}. Elle ne permet plus de s’y connecter.`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `Un mot de passe a été ajouté à votre compte ${tenant}`,
      heading: () => 'Un mot de passe a été ajouté',
      happened: ({ tenant }) =>
        `Un mot de passe a été ajouté à votre compte ${tenant}. Il permet désormais de s’y connecter.`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `Votre mot de passe ${tenant} a été modifié`,
      heading: () => 'Votre mot de passe a été modifié',
      happened: ({ tenant }) =>
        `Le mot de passe de votre compte ${tenant} a été modifié et tous les autres appareils ont été déconnectés.`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `Votre adresse e-mail ${tenant} a été modifiée ou supprimée`,
      heading: () => 'Votre adresse e-mail a été modifiée ou supprimée',
      happened: ({ tenant }) =>
        `L’adresse e-mail de votre compte ${tenant} a été modifiée ou supprimée. L’ancienne adresse ne permet plus de s’y connecter.`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `Votre numéro de téléphone ${tenant} a été modifié ou supprimé`,
      heading: () => 'Votre numéro de téléphone a été modifié ou supprimé',
      happened: ({ tenant }) =>
        `Le numéro de téléphone de votre compte ${tenant} a été modifié ou supprimé. L’ancien numéro ne permet plus de s’y connecter.`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `Votre compte ${tenant} a été supprimé`,
      heading: () => 'Votre compte a été supprimé',
      happened: ({ tenant }) => `Votre compte ${tenant} a été supprimé. Vous ne pouvez plus vous y connecter.`,
      notYou: ({ tenant }) => `Si vous n’en êtes pas à l’origine, contactez immédiatement l’assistance ${tenant}.`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `Si vous n’en êtes pas à l’origine, annulez ce changement dès maintenant\u00a0: ouvrez ${tenant}, puis saisissez ce code et cette référence. Votre ancienne adresse e-mail sera rétablie et tous les appareils seront déconnectés.`,
      phone_changed: ({ tenant }) =>
        `Si vous n’en êtes pas à l’origine, annulez ce changement dès maintenant\u00a0: ouvrez ${tenant}, puis saisissez ce code et cette référence. Votre ancien numéro de téléphone sera rétabli et tous les appareils seront déconnectés.`,
    },
    codeLabel: 'Code',
    idLabel: 'Référence',
    validity: ({ hours, tenant }) =>
      `Ce code est valable ${hours} à compter du changement. Ne le communiquez à personne\u00a0: l’équipe ${tenant} ne vous le demandera jamais.`,
    help: ({ tenant }) => `Pour obtenir de l’aide, contactez l’assistance ${tenant}.`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `${tenant} : l'adresse e-mail de votre compte a été modifiée ou supprimée. Ce n'est pas vous ? Annulez sous ${hours} : saisissez dans l'appli le code ${code} et la référence ${id}.`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `${tenant} : le numéro de téléphone de votre compte a été modifié ou supprimé. Ce n'est pas vous ? Annulez sous ${hours} : saisissez dans l'appli le code ${code} et la référence ${id}.`,
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code de connexion. Valable ${minutes}. Ne le communiquez à personne.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code pour réinitialiser votre mot de passe. Valable ${minutes}. Ne le communiquez à personne.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code pour confirmer votre adresse e-mail. Valable ${minutes}. Ne le communiquez à personne.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code pour confirmer ce numéro. Valable ${minutes}. Ne le communiquez à personne.`,
    identity_added: ({ tenant }) =>
      `${tenant} : une méthode de connexion a été ajoutée à votre compte. Ce n'est pas vous ? Contactez immédiatement l'assistance.`,
    identity_removed: ({ tenant }) =>
      `${tenant} : une méthode de connexion a été supprimée de votre compte. Ce n'est pas vous ? Contactez immédiatement l'assistance.`,
    password_added: ({ tenant }) =>
      `${tenant} : un mot de passe a été ajouté à votre compte. Ce n'est pas vous ? Contactez immédiatement l'assistance.`,
    password_changed: ({ tenant }) =>
      `${tenant} : votre mot de passe a été modifié. Ce n'est pas vous ? Choisissez "Mot de passe oublié" ou contactez immédiatement l'assistance.`,
    email_changed: ({ tenant }) =>
      `${tenant} : votre adresse e-mail a été modifiée ou supprimée. Ce n'est pas vous ? Contactez immédiatement l'assistance.`,
    phone_changed: ({ tenant }) =>
      `${tenant} : votre numéro de téléphone a été modifié ou supprimé. Ce n'est pas vous ? Contactez immédiatement l'assistance.`,
    account_deleted: ({ tenant }) =>
      `${tenant} : votre compte a été supprimé. Ce n'est pas vous ? Contactez immédiatement l'assistance.`,
  },
}
