import type { Language, Phrase } from './language.ts'

const ignore = 'You did not ask for this? Then just ignore this message: without the code, nothing happens.'
const itWasYou = 'Was it you? Then all is well, and there is nothing left to do.'
const actNow = 'If it was not you, please act now.'
const getHelp: Phrase = ({ tenant }) =>
  `It was not you? Then contact ${tenant} support right away: somebody else may be in your account.`

/** English. */
export const english: Language = {
  tag: 'en',
  minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
  preheader: ({ minutes }) => `Your code is inside. It is valid for ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `It is valid for ${minutes}. Please keep it to yourself: nobody at ${tenant} will ever ask you for it.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Your sign-in code for ${tenant}`,
      heading: ({ tenant }) => `Sign in to ${tenant}`,
      intro: () => 'Enter this code to sign in:',
      notYou: () =>
        'You did not try to sign in? Then just ignore this message: without the code, nobody gets into your account.',
    },
    reset_password: {
      subject: ({ tenant }) => `Your code to reset your ${tenant} password`,
      heading: () => 'Reset your password',
      intro: ({ tenant }) =>
        `Somebody asked to reset the password of your ${tenant} account. If that was you, enter this code:`,
      notYou: () => 'It was not you? Then just ignore this message: your password stays as it is.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirm your e-mail address for ${tenant}`,
      heading: () => 'Confirm your e-mail address',
      intro: () => 'Enter this code to confirm that this address is yours:',
      notYou: () => ignore,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirm your phone number for ${tenant}`,
      heading: () => 'Confirm your phone number',
      intro: () => 'Enter this code to confirm your phone number:',
      notYou: () => ignore,
    },
  },
  noticeEmails: {
    password_changed: {
      subject: ({ tenant }) => `Your ${tenant} password was changed`,
      heading: () => 'Your password was changed',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `The password of your ${tenant} account has just been changed, and all other devices have been signed out.`,
        () => itWasYou,
        ({ tenant }) =>
          `It was not you? Then open ${tenant} now, choose “Forgot password” and set a new one that you use nowhere else.`,
      ],
    },
    email_changed: {
      subject: ({ tenant }) => `The e-mail address of your ${tenant} account was changed`,
      heading: () => 'Your e-mail address was changed',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `The e-mail address of your ${tenant} account has just been changed. You can no longer sign in with the old one.`,
        () => itWasYou,
        getHelp,
      ],
    },
    phone_changed: {
      subject: ({ tenant }) => `The phone number of your ${tenant} account was changed`,
      heading: () => 'Your phone number was changed',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `The phone number of your ${tenant} account has just been changed. You can no longer sign in with the old one.`,
        () => itWasYou,
        getHelp,
      ],
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to sign in. Valid for ${minutes}. Never share it.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to reset your password. Valid for ${minutes}. Never share it.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to confirm your e-mail address. Valid for ${minutes}. Never share it.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to confirm this number. Valid for ${minutes}. Never share it.`,
    password_changed: ({ tenant }) =>
      `${tenant}: your password was changed and all other devices were signed out. Not you? Sign in with "Forgot password" now.`,
    email_changed: ({ tenant }) =>
      `${tenant}: the e-mail address of your account was changed. Not you? Contact support right away.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: the phone number of your account was changed. Not you? Contact support right away.`,
  },
}
