import type { Language, Phrase } from './language.ts'

// A no-break space (\u00a0) before `:` and `?` and inside quotation marks, so that none of them starts or ends a line.
const ignore =
  'Vous n’avez rien demandé\u00a0? Ignorez simplement ce message\u00a0: sans le code, il ne se passera rien.'
const itWasYou = 'C’était vous\u00a0? Tout va bien, vous n’avez rien d’autre à faire.'
const actNow = 'Si ce n’était pas vous, réagissez sans attendre.'
const getHelp: Phrase = ({ tenant }) =>
  `Ce n’était pas vous\u00a0? Contactez sans attendre l’assistance ${tenant}\u00a0: quelqu’un d’autre a peut-être accès à votre compte.`

/** French, with the polite form. */
export const french: Language = {
  tag: 'fr',
  minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
  preheader: ({ minutes }) => `Votre code se trouve dans cet e-mail. Il est valable ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Il est valable ${minutes}. Gardez-le pour vous\u00a0: l’équipe ${tenant} ne vous le demandera jamais.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Votre code de connexion à ${tenant}`,
      heading: ({ tenant }) => `Connexion à ${tenant}`,
      intro: () => 'Saisissez ce code pour vous connecter\u00a0:',
      notYou: () =>
        'Vous n’avez pas essayé de vous connecter\u00a0? Ignorez simplement ce message\u00a0: sans le code, personne ne peut accéder à votre compte.',
    },
    reset_password: {
      subject: ({ tenant }) => `Votre code pour réinitialiser votre mot de passe ${tenant}`,
      heading: () => 'Réinitialiser votre mot de passe',
      intro: ({ tenant }) =>
        `La réinitialisation du mot de passe de votre compte ${tenant} a été demandée. Si c’était vous, saisissez ce code\u00a0:`,
      notYou: () =>
        'Ce n’était pas vous\u00a0? Ignorez simplement ce message\u00a0: votre mot de passe reste inchangé.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirmez votre adresse e-mail pour ${tenant}`,
      heading: () => 'Confirmer votre e-mail',
      intro: () => 'Saisissez ce code pour confirmer que cette adresse est bien la vôtre\u00a0:',
      notYou: () => ignore,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirmez votre numéro de téléphone pour ${tenant}`,
      heading: () => 'Confirmer votre numéro de téléphone',
      intro: () => 'Saisissez ce code pour confirmer votre numéro de téléphone\u00a0:',
      notYou: () => ignore,
    },
  },
  noticeEmails: {
    password_changed: {
      subject: ({ tenant }) => `Votre mot de passe ${tenant} a été modifié`,
      heading: () => 'Votre mot de passe a été modifié',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Le mot de passe de votre compte ${tenant} vient d’être modifié, et tous vos autres appareils ont été déconnectés.`,
        () => itWasYou,
        ({ tenant }) =>
          `Ce n’était pas vous\u00a0? Ouvrez ${tenant} dès maintenant, choisissez «\u00a0Mot de passe oublié\u00a0» et définissez-en un nouveau que vous n’utilisez nulle part ailleurs.`,
      ],
    },
    email_changed: {
      subject: ({ tenant }) => `L’adresse e-mail de votre compte ${tenant} a été modifiée`,
      heading: () => 'Votre adresse e-mail a été modifiée',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `L’adresse e-mail de votre compte ${tenant} vient d’être modifiée. Vous ne pouvez plus vous connecter avec l’ancienne.`,
        () => itWasYou,
        getHelp,
      ],
    },
    phone_changed: {
      subject: ({ tenant }) => `Le numéro de téléphone de votre compte ${tenant} a été modifié`,
      heading: () => 'Votre numéro de téléphone a été modifié',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Le numéro de téléphone de votre compte ${tenant} vient d’être modifié. Vous ne pouvez plus vous connecter avec l’ancien.`,
        () => itWasYou,
        getHelp,
      ],
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code de connexion. Valable ${minutes}. Ne le communiquez à personne.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code pour un nouveau mot de passe. Valable ${minutes}. Ne le communiquez à personne.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code pour confirmer votre e-mail. Valable ${minutes}. Ne le communiquez à personne.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant} : ${code} est votre code pour confirmer ce numéro. Valable ${minutes}. Ne le communiquez à personne.`,
    password_changed: ({ tenant }) =>
      `${tenant} : mot de passe modifié, vos autres appareils sont déconnectés. Pas vous ? Choisissez vite "Mot de passe oublié".`,
    email_changed: ({ tenant }) =>
      `${tenant} : l'adresse e-mail de votre compte a été modifiée. Pas vous ? Contactez vite l'assistance.`,
    phone_changed: ({ tenant }) =>
      `${tenant} : le numéro de téléphone de votre compte a été modifié. Pas vous ? Contactez vite l'assistance.`,
  },
}
