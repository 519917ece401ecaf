import type { Language, Phrase } from './language.ts'

const ignore = '¿No lo has pedido tú? Ignora este correo: sin el código no ocurrirá nada.'
const itWasYou = '¿Has sido tú? Entonces todo está en orden y no tienes que hacer nada más.'
const actNow = 'Si no has sido tú, actúa cuanto antes.'
const getHelp: Phrase = ({ tenant }) =>
  `¿No has sido tú? Avisa cuanto antes al equipo de soporte de ${tenant}: puede que otra persona haya entrado en tu cuenta.`

/** Spanish. Its SMS do without `código` and `sesión`: `ó` is not in GSM 7 bit, `ñ` and `é` are. */
export const spanish: Language = {
  tag: 'es',
  minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
  preheader: ({ minutes }) => `Tu código está en este correo. Es válido durante ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Es válido durante ${minutes}. No lo compartas: nadie de ${tenant} te lo pedirá nunca.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Tu código para iniciar sesión en ${tenant}`,
      heading: ({ tenant }) => `Inicia sesión en ${tenant}`,
      intro: () => 'Introduce este código para iniciar sesión:',
      notYou: () =>
        '¿No has intentado iniciar sesión? Ignora este correo: sin el código, nadie puede entrar en tu cuenta.',
    },
    reset_password: {
      subject: ({ tenant }) => `Tu código para restablecer la contraseña de ${tenant}`,
      heading: () => 'Restablece tu contraseña',
      intro: ({ tenant }) =>
        `Alguien ha pedido restablecer la contraseña de tu cuenta de ${tenant}. Si has sido tú, introduce este código:`,
      notYou: () => '¿No has sido tú? Ignora este correo: tu contraseña seguirá siendo la misma.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirma tu correo electrónico para ${tenant}`,
      heading: () => 'Confirma tu correo electrónico',
      intro: () => 'Introduce este código para confirmar que esta dirección es tuya:',
      notYou: () => ignore,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirma tu número de teléfono para ${tenant}`,
      heading: () => 'Confirma tu número de teléfono',
      intro: () => 'Introduce este código para confirmar tu número de teléfono:',
      notYou: () => ignore,
    },
  },
  noticeEmails: {
    password_changed: {
      subject: ({ tenant }) => `Tu contraseña de ${tenant} ha cambiado`,
      heading: () => 'Tu contraseña ha cambiado',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Se acaba de cambiar la contraseña de tu cuenta de ${tenant} y se ha cerrado la sesión en todos los demás dispositivos.`,
        () => itWasYou,
        ({ tenant }) =>
          `¿No has sido tú? Entra ahora en ${tenant}, elige «He olvidado mi contraseña» y crea una nueva que no uses en ningún otro sitio.`,
      ],
    },
    email_changed: {
      subject: ({ tenant }) => `El correo electrónico de tu cuenta de ${tenant} ha cambiado`,
      heading: () => 'Tu correo electrónico ha cambiado',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Se acaba de cambiar el correo electrónico de tu cuenta de ${tenant}. Ya no puedes iniciar sesión con el anterior.`,
        () => itWasYou,
        getHelp,
      ],
    },
    phone_changed: {
      subject: ({ tenant }) => `El número de teléfono de tu cuenta de ${tenant} ha cambiado`,
      heading: () => 'Tu número de teléfono ha cambiado',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Se acaba de cambiar el número de teléfono de tu cuenta de ${tenant}. Ya no puedes iniciar sesión con el anterior.`,
        () => itWasYou,
        getHelp,
      ],
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: usa ${code} para entrar en tu cuenta. Vale ${minutes}. No lo compartas con nadie.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: usa ${code} para cambiar tu contraseña. Vale ${minutes}. No lo compartas con nadie.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: usa ${code} para confirmar tu correo. Vale ${minutes}. No lo compartas con nadie.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: usa ${code} para confirmar tu teléfono. Vale ${minutes}. No lo compartas con nadie.`,
    password_changed: ({ tenant }) =>
      `${tenant}: tu contraseña ha cambiado y se han cerrado las otras sesiones. Si no la cambiaste, elige ya "Olvidé mi contraseña".`,
    email_changed: ({ tenant }) =>
      `${tenant}: el correo de tu cuenta ha cambiado. Si no lo cambiaste, avisa ya al equipo de soporte.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: el teléfono de tu cuenta ha cambiado. Si no lo cambiaste, avisa ya al equipo de soporte.`,
  },
}
