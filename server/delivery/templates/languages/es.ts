import type { Language, Phrase } from './language.ts'

const ignore = 'Si no ha solicitado este código, puede ignorar este correo electrónico.'
const byMistake = `${ignore} Es posible que alguien haya introducido su dirección por error.`
const getHelp: Phrase = ({ tenant }) =>
  `Si no reconoce esta operación, póngase en contacto de inmediato con el equipo de soporte de ${tenant}. Es posible que otra persona tenga acceso a su cuenta.`
const resetPassword: Phrase = ({ tenant }) =>
  `Si no reconoce esta operación, restablezca su contraseña ahora: abra ${tenant}, elija «He olvidado mi contraseña» y cree una contraseña que no utilice en ningún otro sitio.`

/** Spanish, formal. SMS texts avoid `código`, `sesión` and `número`: `ó` and `ú` are not in GSM 7 bit, `ñ` and `é` are. */
export const spanish: Language = {
  tag: 'es',
  minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
  hours: (count) => (count === 1 ? '1 hora' : `${count} horas`),
  preheader: ({ minutes }) => `Su código está en este correo electrónico. Es válido durante ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Este código es válido durante ${minutes}. No lo comparta con nadie: el personal de ${tenant} nunca se lo pedirá.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Su código para iniciar sesión en ${tenant}`,
      heading: ({ tenant }) => `Inicio de sesión en ${tenant}`,
      intro: () => 'Introduzca este código para iniciar sesión:',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `Su código para restablecer la contraseña de ${tenant}`,
      heading: () => 'Restablecimiento de su contraseña',
      intro: ({ tenant }) =>
        `Hemos recibido una solicitud para restablecer la contraseña de su cuenta de ${tenant}. Para continuar, introduzca este código:`,
      notYou: () =>
        'Si no ha solicitado restablecer la contraseña, puede ignorar este correo electrónico. Su contraseña no cambiará.',
    },
    email_verification: {
      subject: ({ tenant }) => `Confirme su dirección de correo electrónico para ${tenant}`,
      heading: () => 'Confirme su dirección de correo electrónico',
      intro: () => 'Introduzca este código para confirmar que esta dirección de correo electrónico es suya:',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `Confirme su número de teléfono para ${tenant}`,
      heading: () => 'Confirme su número de teléfono',
      intro: () => 'Introduzca este código para confirmar su número de teléfono:',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'Si no reconoce esta operación, actúe de inmediato.',
  wasYou: 'Si reconoce esta operación, no tiene que hacer nada.',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `Se ha añadido un método de inicio de sesión a su cuenta de ${tenant}`,
      heading: () => 'Se ha añadido un método de inicio de sesión',
      happened: ({ tenant }) =>
        `Se ha añadido un método de inicio de sesión a su cuenta de ${tenant}. Ya se puede usar para iniciar sesión.`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `Se ha eliminado un método de inicio de sesión de su cuenta de ${tenant}`,
      heading: () => 'Se ha eliminado un método de inicio de sesión',
      happened: ({ tenant }) =>
        `Se ha eliminado un método de inicio de sesión de su cuenta de ${tenant}. Ya no se puede usar para iniciar sesión.`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `Se ha añadido una contraseña a su cuenta de ${tenant}`,
      heading: () => 'Se ha añadido una contraseña',
      happened: ({ tenant }) =>
        `Se ha añadido una contraseña a su cuenta de ${tenant}. Ya se puede usar para iniciar sesión.`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `Se ha cambiado su contraseña de ${tenant}`,
      heading: () => 'Se ha cambiado su contraseña',
      happened: ({ tenant }) =>
        `Se ha cambiado la contraseña de su cuenta de ${tenant} y se ha cerrado la sesión en todos los demás dispositivos.`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `Se ha cambiado o eliminado el correo electrónico de su cuenta de ${tenant}`,
      heading: () => 'Se ha cambiado o eliminado su correo electrónico',
      happened: ({ tenant }) =>
        `Se ha cambiado o eliminado la dirección de correo electrónico de su cuenta de ${tenant}. Ya no se puede iniciar sesión con la dirección anterior.`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `Se ha cambiado o eliminado el número de teléfono de su cuenta de ${tenant}`,
      heading: () => 'Se ha cambiado o eliminado su número de teléfono',
      happened: ({ tenant }) =>
        `Se ha cambiado o eliminado el número de teléfono de su cuenta de ${tenant}. Ya no se puede iniciar sesión con el número anterior.`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `Se ha eliminado su cuenta de ${tenant}`,
      heading: () => 'Se ha eliminado su cuenta',
      happened: ({ tenant }) => `Se ha eliminado su cuenta de ${tenant}. Ya no puede iniciar sesión en ella.`,
      notYou: ({ tenant }) =>
        `Si no reconoce esta operación, póngase en contacto de inmediato con el equipo de soporte de ${tenant}.`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `Si no reconoce esta operación, deshaga el cambio ahora: abra ${tenant} e introduzca este código y esta referencia. Se restablecerá su dirección de correo electrónico anterior y se cerrará la sesión en todos los dispositivos.`,
      phone_changed: ({ tenant }) =>
        `Si no reconoce esta operación, deshaga el cambio ahora: abra ${tenant} e introduzca este código y esta referencia. Se restablecerá su número de teléfono anterior y se cerrará la sesión en todos los dispositivos.`,
    },
    codeLabel: 'Código',
    idLabel: 'Referencia',
    validity: ({ hours, tenant }) =>
      `El código es válido durante ${hours} desde el cambio. No lo comparta con nadie: el personal de ${tenant} nunca se lo pedirá.`,
    help: ({ tenant }) => `Si necesita ayuda, póngase en contacto con el equipo de soporte de ${tenant}.`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: se ha cambiado o eliminado el correo de su cuenta. Si no reconoce este cambio, puede deshacerlo durante ${hours}: introduzca en la app la clave ${code} y la referencia ${id}.`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: se ha cambiado o eliminado el teléfono de su cuenta. Si no reconoce este cambio, puede deshacerlo durante ${hours}: introduzca en la app la clave ${code} y la referencia ${id}.`,
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es su clave de acceso. Caduca en ${minutes}. No la comparta con nadie.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es su clave para restablecer la contraseña. Caduca en ${minutes}. No la comparta con nadie.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es su clave para confirmar su correo. Caduca en ${minutes}. No la comparta con nadie.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: ${code} es su clave para confirmar su teléfono. Caduca en ${minutes}. No la comparta con nadie.`,
    identity_added: ({ tenant }) =>
      `${tenant}: se ha añadido una forma de acceso a su cuenta. Si no reconoce este cambio, contacte de inmediato con soporte.`,
    identity_removed: ({ tenant }) =>
      `${tenant}: se ha eliminado una forma de acceso a su cuenta. Si no reconoce este cambio, contacte de inmediato con soporte.`,
    password_added: ({ tenant }) =>
      `${tenant}: se ha añadido una contraseña a su cuenta. Si no reconoce este cambio, contacte de inmediato con soporte.`,
    password_changed: ({ tenant }) =>
      `${tenant}: se ha cambiado su contraseña. Si no reconoce este cambio, elija "He olvidado mi contraseña" o contacte de inmediato con soporte.`,
    email_changed: ({ tenant }) =>
      `${tenant}: se ha cambiado o eliminado el correo de su cuenta. Si no reconoce este cambio, contacte de inmediato con soporte.`,
    phone_changed: ({ tenant }) =>
      `${tenant}: se ha cambiado o eliminado el teléfono de su cuenta. Si no reconoce este cambio, contacte de inmediato con soporte.`,
    account_deleted: ({ tenant }) =>
      `${tenant}: se ha eliminado su cuenta. Si no lo ha solicitado, contacte de inmediato con soporte.`,
  },
}
