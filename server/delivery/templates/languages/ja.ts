import type { Language, Phrase } from './language.ts'

const ignore = 'お心当たりがない場合は、このメールを無視していただいて問題ありません。'
const byMistake = `${ignore}別の方が誤ってメールアドレスを入力した可能性があります。`
const getHelp: Phrase = ({ tenant }) =>
  `お心当たりがない場合は、すぐに${tenant}のサポートまでご連絡ください。第三者がアカウントにアクセスしているおそれがあります。`
const resetPassword: Phrase = ({ tenant }) =>
  `お心当たりがない場合は、すぐにパスワードを再設定してください。${tenant}を開き、「パスワードをお忘れの方」から、ほかで使用していないパスワードを設定してください。`

/** Japanese, polite. An SMS of up to 70 characters costs one message. */
export const japanese: Language = {
  tag: 'ja',
  minutes: (count) => `${count}分`,
  hours: (count) => `${count}時間`,
  preheader: ({ minutes }) => `認証コードをお届けします。有効期限は${minutes}です。`,
  validity: ({ minutes, tenant }) =>
    `このコードの有効期限は${minutes}です。他の人に教えないでください。${tenant}の担当者がコードをお尋ねすることはありません。`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `【${tenant}】ログイン用の認証コード`,
      heading: ({ tenant }) => `${tenant}へのログイン`,
      intro: () => 'ログインするには、次のコードを入力してください。',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `【${tenant}】パスワード再設定の認証コード`,
      heading: () => 'パスワードの再設定',
      intro: ({ tenant }) =>
        `${tenant}のアカウントについて、パスワード再設定のご依頼を受け付けました。続けるには、次のコードを入力してください。`,
      notYou: () => `${ignore}パスワードは変更されません。`,
    },
    email_verification: {
      subject: ({ tenant }) => `【${tenant}】メールアドレスの確認`,
      heading: () => 'メールアドレスの確認',
      intro: () => 'このメールアドレスがご本人のものであることを確認するため、次のコードを入力してください。',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `【${tenant}】電話番号の確認`,
      heading: () => '電話番号の確認',
      intro: () => '電話番号を確認するため、次のコードを入力してください。',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'お心当たりがない場合は、すぐにご対応ください。',
  wasYou: 'ご本人による操作の場合、お手続きは不要です。',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `【${tenant}】ログイン方法が追加されました`,
      heading: () => 'ログイン方法が追加されました',
      happened: ({ tenant }) =>
        `${tenant}のアカウントにログイン方法が追加されました。今後、この方法でログインできます。`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `【${tenant}】ログイン方法が削除されました`,
      heading: () => 'ログイン方法が削除されました',
      happened: ({ tenant }) =>
        `${tenant}のアカウントからログイン方法が削除されました。今後、この方法ではログインできません。`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `【${tenant}】パスワードが追加されました`,
      heading: () => 'パスワードが追加されました',
      happened: ({ tenant }) =>
        `${tenant}のアカウントにパスワードが追加されました。今後、このパスワードでログインできます。`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `【${tenant}】パスワードが変更されました`,
      heading: () => 'パスワードが変更されました',
      happened: ({ tenant }) =>
        `${tenant}のアカウントのパスワードが変更され、ほかのすべての端末からログアウトしました。`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `【${tenant}】メールアドレスが変更または削除されました`,
      heading: () => 'メールアドレスが変更または削除されました',
      happened: ({ tenant }) =>
        `${tenant}のアカウントのメールアドレスが変更または削除されました。以前のメールアドレスではログインできません。`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `【${tenant}】電話番号が変更または削除されました`,
      heading: () => '電話番号が変更または削除されました',
      happened: ({ tenant }) =>
        `${tenant}のアカウントの電話番号が変更または削除されました。以前の電話番号ではログインできません。`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `【${tenant}】アカウントが削除されました`,
      heading: () => 'アカウントが削除されました',
      happened: ({ tenant }) => `${tenant}のアカウントが削除されました。今後、このアカウントにはログインできません。`,
      notYou: ({ tenant }) => `お心当たりがない場合は、すぐに${tenant}のサポートまでご連絡ください。`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `お心当たりがない場合は、すぐに変更を取り消してください。${tenant}を開き、次のコードと照会番号を入力すると、以前のメールアドレスに戻り、すべての端末からログアウトします。`,
      phone_changed: ({ tenant }) =>
        `お心当たりがない場合は、すぐに変更を取り消してください。${tenant}を開き、次のコードと照会番号を入力すると、以前の電話番号に戻り、すべての端末からログアウトします。`,
    },
    codeLabel: 'コード',
    idLabel: '照会番号',
    validity: ({ hours, tenant }) =>
      `コードの有効期限は、変更から${hours}です。他の人に教えないでください。${tenant}の担当者がコードをお尋ねすることはありません。`,
    help: ({ tenant }) => `ご不明な点は、${tenant}のサポートまでお問い合わせください。`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `【${tenant}】メールアドレスが変更または削除されました。お心当たりがない場合は、${hours}以内にアプリでコード ${code} と照会番号 ${id} を入力してください。`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `【${tenant}】電話番号が変更または削除されました。お心当たりがない場合は、${hours}以内にアプリでコード ${code} と照会番号 ${id} を入力してください。`,
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
    identity_added: ({ tenant }) =>
      `【${tenant}】ログイン方法が追加されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
    identity_removed: ({ tenant }) =>
      `【${tenant}】ログイン方法が削除されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
    password_added: ({ tenant }) =>
      `【${tenant}】パスワードが追加されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
    password_changed: ({ tenant }) =>
      `【${tenant}】パスワードが変更されました。お心当たりがない場合は、すぐにパスワードを再設定してください。`,
    email_changed: ({ tenant }) =>
      `【${tenant}】メールアドレスが変更または削除されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
    phone_changed: ({ tenant }) =>
      `【${tenant}】電話番号が変更または削除されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
    account_deleted: ({ tenant }) =>
      `【${tenant}】アカウントが削除されました。お心当たりがない場合は、すぐにサポートまでご連絡ください。`,
  },
}
