import type { Language, Phrase } from './language.ts'

const ignore = 'お心当たりがない場合は、このメールを無視してください。コードが入力されなければ、何も変わりません。'
const itWasYou = 'ご本人による変更の場合、お手続きは不要です。'
const actNow = 'お心当たりがない場合は、すぐにサポートまでご連絡ください。'
const getHelp: Phrase = ({ tenant }) =>
  `お心当たりがない場合は、第三者がアカウントに入ったおそれがあります。すぐに${tenant}のサポートまでご連絡ください。`

/** Japanese. Its SMS cost one message up to 70 characters. */
export const japanese: Language = {
  tag: 'ja',
  minutes: (count) => `${count}分`,
  preheader: ({ minutes }) => `認証コードをお届けします。有効期限は${minutes}です。`,
  validity: ({ minutes, tenant }) =>
    `有効期限は${minutes}です。このコードは他の人に教えないでください。${tenant}からコードをお尋ねすることはありません。`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `【${tenant}】ログイン用の認証コード`,
      heading: ({ tenant }) => `${tenant}へのログイン`,
      intro: () => 'ログインするには、次のコードを入力してください。',
      notYou: () =>
        'お心当たりがない場合は、このメールを無視してください。コードがなければ、他の人がお客様のアカウントに入ることはできません。',
    },
    reset_password: {
      subject: ({ tenant }) => `【${tenant}】パスワード再設定の認証コード`,
      heading: () => 'パスワードの再設定',
      intro: ({ tenant }) =>
        `${tenant}のアカウントのパスワード再設定を受け付けました。ご本人の場合は、次のコードを入力してください。`,
      notYou: () => 'お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
    },
    email_verification: {
      subject: ({ tenant }) => `【${tenant}】メールアドレスの確認`,
      heading: () => 'メールアドレスの確認',
      intro: () => 'このメールアドレスがご本人のものであることを確認するため、次のコードを入力してください。',
      notYou: () => ignore,
    },
    phone_verification: {
      subject: ({ tenant }) => `【${tenant}】電話番号の確認`,
      heading: () => '電話番号の確認',
      intro: () => '電話番号を確認するため、次のコードを入力してください。',
      notYou: () => ignore,
    },
  },
  noticeEmails: {
    password_changed: {
      subject: ({ tenant }) => `【${tenant}】パスワードが変更されました`,
      heading: () => 'パスワードが変更されました',
      preheader: () => 'お心当たりがない場合は、すぐにパスワードを再設定してください。',
      paragraphs: [
        ({ tenant }) => `${tenant}のアカウントのパスワードが変更され、ほかのすべての端末からログアウトしました。`,
        () => itWasYou,
        ({ tenant }) =>
          `お心当たりがない場合は、すぐに${tenant}を開き、「パスワードをお忘れの方」から、ほかで使っていない新しいパスワードを設定してください。`,
      ],
    },
    email_changed: {
      subject: ({ tenant }) => `【${tenant}】メールアドレスが変更されました`,
      heading: () => 'メールアドレスが変更されました',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `${tenant}のアカウントのメールアドレスが変更されました。以前のメールアドレスではログインできません。`,
        () => itWasYou,
        getHelp,
      ],
    },
    phone_changed: {
      subject: ({ tenant }) => `【${tenant}】電話番号が変更されました`,
      heading: () => '電話番号が変更されました',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) => `${tenant}のアカウントの電話番号が変更されました。以前の電話番号ではログインできません。`,
        () => itWasYou,
        getHelp,
      ],
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) =>
      `【${tenant}】ログイン用の認証コード: ${code}（有効期限${minutes}）他の人に教えないでください。`,
    reset_password: ({ tenant, code, minutes }) =>
      `【${tenant}】パスワード再設定の認証コード: ${code}（有効期限${minutes}）他の人に教えないでください。`,
    email_verification: ({ tenant, code, minutes }) =>
      `【${tenant}】メールアドレス確認の認証コード: ${code}（有効期限${minutes}）他の人に教えないでください。`,
    phone_verification: ({ tenant, code, minutes }) =>
      `【${tenant}】電話番号確認の認証コード: ${code}（有効期限${minutes}）他の人に教えないでください。`,
    password_changed: ({ tenant }) =>
      `【${tenant}】パスワードが変更されました。お心当たりがない場合は、すぐにパスワードを再設定してください。`,
    email_changed: ({ tenant }) =>
      `【${tenant}】メールアドレスが変更されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
    phone_changed: ({ tenant }) =>
      `【${tenant}】電話番号が変更されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
  },
}
