import type { Language, Phrase } from './language.ts'

const ignore = 'If you didn’t request this code, you can safely ignore this email.'
const byMistake = `${ignore} Someone may have entered your address by mistake.`
const getHelp: Phrase = ({ tenant }) =>
  `If this wasn’t you, contact ${tenant} support immediately. Someone else may have access to your account.`
const resetPassword: Phrase = ({ tenant }) =>
  `If this wasn’t you, reset your password now: open ${tenant}, choose “Forgot password” and set a password that you don’t use anywhere else.`

/** English. */
export const english: Language = {
  tag: 'en',
  minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
  hours: (count) => (count === 1 ? '1 hour' : `${count} hours`),
  preheader: ({ minutes }) => `Your code is in this email. It is valid for ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `This code is valid for ${minutes}. Don’t share it with anyone: no one from ${tenant} will ever ask you for it.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Your sign-in code for ${tenant}`,
      heading: ({ tenant }) => `Sign in to ${tenant}`,
      intro: () => 'Enter this code to sign in:',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `Your code to reset your ${tenant} password`,
      heading: () => 'Reset your password',
      intro: ({ tenant }) =>
        `We received a request to reset the password of your ${tenant} account. To continue, enter this code:`,
      notYou: () =>
        'If you didn’t request a password reset, you can safely ignore this email. Your password will not change.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirm your email address for ${tenant}`,
      heading: () => 'Confirm your email address',
      intro: () => 'Enter this code to confirm that this email address is yours:',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirm your phone number for ${tenant}`,
      heading: () => 'Confirm your phone number',
      intro: () => 'Enter this code to confirm your phone number:',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'If this wasn’t you, take action now.',
  wasYou: 'If this was you, you don’t need to do anything.',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `A sign-in method was added to your ${tenant} account`,
      heading: () => 'A sign-in method was added',
      happened: ({ tenant }) => `A sign-in method was added to your ${tenant} account. It can now be used to sign in.`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `A sign-in method was removed from your ${tenant} account`,
      heading: () => 'A sign-in method was removed',
      happened: ({ tenant }) =>
        `A sign-in method was removed from your ${tenant} account. It can no longer be used to sign in.`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `A password was added to your ${tenant} account`,
      heading: () => 'A password was added',
      happened: ({ tenant }) => `A password was added to your ${tenant} account. It can now be used to sign in.`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `Your ${tenant} password was changed`,
      heading: () => 'Your password was changed',
      happened: ({ tenant }) =>
        `The password of your ${tenant} account was changed, and all other devices were signed out.`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `Your ${tenant} email address was changed or removed`,
      heading: () => 'Your email address was changed or removed',
      happened: ({ tenant }) =>
        `The email address of your ${tenant} account was changed or removed. The previous address can no longer be used to sign in.`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `Your ${tenant} phone number was changed or removed`,
      heading: () => 'Your phone number was changed or removed',
      happened: ({ tenant }) =>
        `The phone number of your ${tenant} account was changed or removed. The previous number can no longer be used to sign in.`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `Your ${tenant} account was deleted`,
      heading: () => 'Your account was deleted',
      happened: ({ tenant }) => `Your ${tenant} account was deleted. You can no longer sign in to it.`,
      notYou: ({ tenant }) => `If this wasn’t you, contact ${tenant} support immediately.`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `If this wasn’t you, undo the change now: open ${tenant} and enter this code and reference. This restores your previous email address and signs out all devices.`,
      phone_changed: ({ tenant }) =>
        `If this wasn’t you, undo the change now: open ${tenant} and enter this code and reference. This restores your previous phone number and signs out all devices.`,
    },
    codeLabel: 'Code',
    idLabel: 'Reference',
    validity: ({ hours, tenant }) =>
      `The code is valid for ${hours} after the change. Don’t share it with anyone: no one from ${tenant} will ever ask you for it.`,
    help: ({ tenant }) => `If you need help, contact ${tenant} support.`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: the email address of your account was changed or removed. If this wasn't you, undo it within ${hours}: open the app and enter code ${code} and reference ${id}.`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: the phone number of your account was changed or removed. If this wasn't you, undo it within ${hours}: open the app and enter code ${code} and reference ${id}.`,
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your sign-in code. Valid for ${minutes}. Don't share it with anyone.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to reset your password. Valid for ${minutes}. Don't share it with anyone.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to confirm your email address. Valid for ${minutes}. Don't share it with anyone.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} is your code to confirm this number. Valid for ${minutes}. Don't share it with anyone.`,
    identity_added: ({ tenant }) =>
      `${tenant}: a sign-in method was added to your account. If this wasn't you, contact support immediately.`,
    identity_removed: ({ tenant }) =>
      `${tenant}: a sign-in method was removed from your account. If this wasn't you, contact support immediately.`,
    password_added: ({ tenant }) =>
      `${tenant}: a password was added to your account. If this wasn't you, contact support immediately.`,
    password_changed: ({ tenant }) =>
      `${tenant}: your password was changed. If this wasn't you, reset it now with "Forgot password" or contact support.`,
    email_changed: ({ tenant }) =>
      `${tenant}: the email address of your account was changed or removed. If this wasn't you, contact support immediately.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: the phone number of your account was changed or removed. If this wasn't you, contact support immediately.`,
    account_deleted: ({ tenant }) =>
      `${tenant}: your account was deleted. If this wasn't you, contact support immediately.`,
  },
}
