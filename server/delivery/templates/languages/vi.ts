import type { Language, Phrase } from './language.ts'

const ignore = 'Bạn không yêu cầu việc này? Hãy bỏ qua email này: không có mã thì sẽ không có gì xảy ra.'
const itWasYou = 'Nếu đó là bạn thì mọi việc đều ổn, bạn không cần làm gì thêm.'
const actNow = 'Nếu không phải bạn, hãy liên hệ hỗ trợ ngay.'
const getHelp: Phrase = ({ tenant }) =>
  `Nếu không phải bạn, hãy liên hệ ngay với bộ phận hỗ trợ của ${tenant}: có thể người khác đã vào được tài khoản của bạn.`

/** Vietnamese, with its marks in SMS too: 70 characters then cost one message, so those texts are the shortest. */
export const vietnamese: Language = {
  tag: 'vi',
  minutes: (count) => `${count} phút`,
  preheader: ({ minutes }) => `Mã của bạn có trong email này và có hiệu lực trong ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Mã có hiệu lực trong ${minutes}. Vui lòng không chia sẻ mã với bất kỳ ai: ${tenant} sẽ không bao giờ hỏi bạn mã này.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Mã đăng nhập ${tenant} của bạn`,
      heading: ({ tenant }) => `Đăng nhập ${tenant}`,
      intro: () => 'Nhập mã này để đăng nhập:',
      notYou: () =>
        'Bạn không yêu cầu đăng nhập? Hãy bỏ qua email này: không có mã thì không ai vào được tài khoản của bạn.',
    },
    reset_password: {
      subject: ({ tenant }) => `Mã đặt lại mật khẩu ${tenant} của bạn`,
      heading: () => 'Đặt lại mật khẩu',
      intro: ({ tenant }) =>
        `Có yêu cầu đặt lại mật khẩu cho tài khoản ${tenant} của bạn. Nếu đó là bạn, hãy nhập mã này:`,
      notYou: () => 'Không phải bạn? Hãy bỏ qua email này: mật khẩu của bạn vẫn giữ nguyên.',
    },
    email_verification: {
      subject: ({ tenant }) => `Xác nhận địa chỉ email của bạn cho ${tenant}`,
      heading: () => 'Xác nhận địa chỉ email',
      intro: () => 'Nhập mã này để xác nhận địa chỉ email này là của bạn:',
      notYou: () => ignore,
    },
    phone_verification: {
      subject: ({ tenant }) => `Xác nhận số điện thoại của bạn cho ${tenant}`,
      heading: () => 'Xác nhận số điện thoại',
      intro: () => 'Nhập mã này để xác nhận số điện thoại của bạn:',
      notYou: () => ignore,
    },
  },
  noticeEmails: {
    password_changed: {
      subject: ({ tenant }) => `Mật khẩu ${tenant} của bạn đã được thay đổi`,
      heading: () => 'Mật khẩu đã được thay đổi',
      preheader: () => 'Nếu không phải bạn, hãy đặt lại mật khẩu ngay.',
      paragraphs: [
        ({ tenant }) =>
          `Mật khẩu tài khoản ${tenant} của bạn vừa được thay đổi và mọi thiết bị khác đã được đăng xuất.`,
        () => itWasYou,
        ({ tenant }) =>
          `Nếu không phải bạn, hãy mở ${tenant} ngay, chọn “Quên mật khẩu” và đặt một mật khẩu mới mà bạn không dùng ở nơi nào khác.`,
      ],
    },
    email_changed: {
      subject: ({ tenant }) => `Địa chỉ email của tài khoản ${tenant} đã được thay đổi`,
      heading: () => 'Địa chỉ email đã được thay đổi',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Địa chỉ email của tài khoản ${tenant} của bạn vừa được thay đổi. Bạn không thể đăng nhập bằng địa chỉ cũ nữa.`,
        () => itWasYou,
        getHelp,
      ],
    },
    phone_changed: {
      subject: ({ tenant }) => `Số điện thoại của tài khoản ${tenant} đã được thay đổi`,
      heading: () => 'Số điện thoại đã được thay đổi',
      preheader: () => actNow,
      paragraphs: [
        ({ tenant }) =>
          `Số điện thoại của tài khoản ${tenant} của bạn vừa được thay đổi. Bạn không thể đăng nhập bằng số cũ nữa.`,
        () => itWasYou,
        getHelp,
      ],
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) => `${tenant}: mã đăng nhập ${code}, hiệu lực ${minutes}. Đừng chia sẻ.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: mã đặt lại mật khẩu ${code}, hiệu lực ${minutes}. Đừng chia sẻ.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: mã xác nhận email ${code}, hiệu lực ${minutes}. Đừng chia sẻ.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: mã xác nhận số này ${code}, hiệu lực ${minutes}. Đừng chia sẻ.`,
    password_changed: ({ tenant }) => `${tenant}: mật khẩu đã thay đổi. Không phải bạn? Chọn "Quên mật khẩu".`,
    email_changed: ({ tenant }) => `${tenant}: email đã thay đổi. Không phải bạn? Liên hệ hỗ trợ ngay.`,
    phone_changed: ({ tenant }) => `${tenant}: số điện thoại đã đổi. Không phải bạn? Liên hệ hỗ trợ ngay.`,
  },
}
