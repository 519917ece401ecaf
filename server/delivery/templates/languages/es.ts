import type { Language, Phrase } from './language.ts'

const ignore = 'Si no has solicitado este código, puedes ignorar este correo.'
const byMistake = `${ignore} Es posible que alguien haya escrito tu dirección por error.`
const getHelp: Phrase = ({ tenant }) =>
  `Si no has sido tú, ponte en contacto de inmediato con el equipo de soporte de ${tenant}. Es posible que otra persona tenga acceso a tu cuenta.`
const resetPassword: Phrase = ({ tenant }) =>
  `Si no has sido tú, restablece tu contraseña ahora: abre ${tenant}, elige «He olvidado mi contraseña» y crea una contraseña que no uses en ningún otro sitio.`

/** Spanish. Its SMS do without `código`, `sesión` and `tú`: `ó` and `ú` are not in GSM 7 bit, `ñ` and `é` are. */
export const spanish: Language = {
  tag: 'es',
  minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
  hours: (count) => (count === 1 ? '1 hora' : `${count} horas`),
  preheader: ({ minutes }) => `Tu código está en este correo. Es válido durante ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Este código es válido durante ${minutes}. No lo compartas: nadie de ${tenant} te lo pedirá nunca.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Tu código para iniciar sesión en ${tenant}`,
      heading: ({ tenant }) => `Inicia sesión en ${tenant}`,
      intro: () => 'Introduce este código para iniciar sesión:',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `Tu código para restablecer la contraseña de ${tenant}`,
      heading: () => 'Restablece tu contraseña',
      intro: ({ tenant }) =>
        `Hemos recibido una solicitud para restablecer la contraseña de tu cuenta de ${tenant}. Para continuar, introduce este código:`,
      notYou: () =>
        'Si no has solicitado restablecer la contraseña, puedes ignorar este correo. Tu contraseña no cambiará.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirma tu correo electrónico para ${tenant}`,
      heading: () => 'Confirma tu correo electrónico',
      intro: () => 'Introduce este código para confirmar que esta dirección de correo es tuya:',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirma tu número de teléfono para ${tenant}`,
      heading: () => 'Confirma tu número de teléfono',
      intro: () => 'Introduce este código para confirmar tu número de teléfono:',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'Si no has sido tú, actúa de inmediato.',
  wasYou: 'Si has sido tú, no tienes que hacer nada.',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `Se ha añadido un método de inicio de sesión a tu cuenta de ${tenant}`,
      heading: () => 'Se ha añadido un método de inicio de sesión',
      happened: ({ tenant }) =>
        `Se ha añadido un método de inicio de sesión a tu cuenta de ${tenant}. Ya se puede usar para iniciar sesión.`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `Se ha eliminado un método de inicio de sesión de tu cuenta de ${tenant}`,
      heading: () => 'Se ha eliminado un método de inicio de sesión',
      happened: ({ tenant }) =>
        `Se ha eliminado un método de inicio de sesión de tu cuenta de ${tenant}. Ya no se puede usar para iniciar sesión.`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `Se ha añadido una contraseña a tu cuenta de ${tenant}`,
      heading: () => 'Se ha añadido una contraseña',
      happened: ({ tenant }) =>
        `Se ha añadido una contraseña a tu cuenta de ${tenant}. Ya se puede usar para iniciar sesión.`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `Se ha cambiado tu contraseña de ${tenant}`,
      heading: () => 'Se ha cambiado tu contraseña',
      happened: ({ tenant }) =>
        `Se ha cambiado la contraseña de tu cuenta de ${tenant} y se ha cerrado la sesión en todos los demás dispositivos.`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `Se ha cambiado o eliminado el correo electrónico de tu cuenta de ${tenant}`,
      heading: () => 'Se ha cambiado o eliminado tu correo electrónico',
      happened: ({ tenant }) =>
        `Se ha cambiado o eliminado el correo electrónico de tu cuenta de ${tenant}. Ya no se puede iniciar sesión con la dirección anterior.`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `Se ha cambiado o eliminado el número de teléfono de tu cuenta de ${tenant}`,
      heading: () => 'Se ha cambiado o eliminado tu número de teléfono',
      happened: ({ tenant }) =>
        `Se ha cambiado o eliminado el número de teléfono de tu cuenta de ${tenant}. Ya no se puede iniciar sesión con el número anterior.`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `Se ha eliminado tu cuenta de ${tenant}`,
      heading: () => 'Se ha eliminado tu cuenta',
      happened: ({ tenant }) => `Se ha eliminado tu cuenta de ${tenant}. Ya no puedes iniciar sesión en ella.`,
      notYou: ({ tenant }) =>
        `Si no has sido tú, ponte en contacto de inmediato con el equipo de soporte de ${tenant}.`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `Si no has sido tú, deshaz el cambio ahora: abre ${tenant} e introduce este código y esta referencia. Se restablecerá tu correo electrónico anterior y se cerrará la sesión en todos los dispositivos.`,
      phone_changed: ({ tenant }) =>
        `Si no has sido tú, deshaz el cambio ahora: abre ${tenant} e introduce este código y esta referencia. Se restablecerá tu número de teléfono anterior y se cerrará la sesión en todos los dispositivos.`,
    },
    codeLabel: 'Código',
    idLabel: 'Referencia',
    validity: ({ hours, tenant }) =>
      `El código es válido durante ${hours} desde el cambio. No lo compartas: nadie de ${tenant} te lo pedirá nunca.`,
    help: ({ tenant }) => `Si necesitas ayuda, ponte en contacto con el equipo de soporte de ${tenant}.`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: se ha cambiado o eliminado el correo de tu cuenta. Si no lo has hecho, puedes deshacerlo durante ${hours}: introduce en la app la clave ${code} y la referencia ${id}.`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: se ha cambiado o eliminado el teléfono de tu cuenta. Si no lo has hecho, puedes deshacerlo durante ${hours}: introduce en la app la clave ${code} y la referencia ${id}.`,
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es tu clave para entrar en tu cuenta. Vale ${minutes}. No la compartas con nadie.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es tu clave para cambiar la contraseña. Vale ${minutes}. No la compartas con nadie.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es tu clave para confirmar tu correo. Vale ${minutes}. No la compartas con nadie.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es tu clave para confirmar tu teléfono. Vale ${minutes}. No la compartas con nadie.`,
    identity_added: ({ tenant }) =>
      `${tenant}: se ha añadido una forma de acceso a tu cuenta. Si no lo has hecho, contacta de inmediato con soporte.`,
    identity_removed: ({ tenant }) =>
      `${tenant}: se ha eliminado una forma de acceso a tu cuenta. Si no lo has hecho, contacta de inmediato con soporte.`,
    password_added: ({ tenant }) =>
      `${tenant}: se ha añadido una contraseña a tu cuenta. Si no lo has hecho, contacta de inmediato con soporte.`,
    password_changed: ({ tenant }) =>
      `${tenant}: se ha cambiado tu contraseña. Si no lo has hecho, elige "He olvidado mi contraseña" o contacta de inmediato con soporte.`,
    email_changed: ({ tenant }) =>
      `${tenant}: se ha cambiado o eliminado el correo de tu cuenta. Si no lo has hecho, contacta de inmediato con soporte.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: se ha cambiado o eliminado el teléfono de tu cuenta. Si no lo has hecho, contacta de inmediato con soporte.`,
    account_deleted: ({ tenant }) =>
      `${tenant}: se ha eliminado tu cuenta. Si no lo has hecho, contacta de inmediato con soporte.`,
  },
}
