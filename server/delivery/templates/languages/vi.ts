import type { Language, Phrase } from './language.ts'

const ignore = 'Nếu bạn không yêu cầu mã này, vui lòng bỏ qua email này.'
const byMistake = `${ignore} Có thể ai đó đã nhập nhầm địa chỉ của bạn.`
const getHelp: Phrase = ({ tenant }) =>
  `Nếu không phải bạn thực hiện, hãy liên hệ ngay với bộ phận hỗ trợ của ${tenant}. Người khác có thể đã truy cập được vào tài khoản của bạn.`
const resetPassword: Phrase = ({ tenant }) =>
  `Nếu không phải bạn thực hiện, hãy đặt lại mật khẩu ngay: mở ${tenant}, chọn “Quên mật khẩu” và đặt một mật khẩu mà bạn không dùng ở nơi nào khác.`

/** Vietnamese, with diacritics in SMS too: such an SMS costs one message up to 70 characters, hence the short texts. */
export const vietnamese: Language = {
  tag: 'vi',
  minutes: (count) => `${count} phút`,
  hours: (count) => `${count} giờ`,
  preheader: ({ minutes }) => `Mã của bạn có trong email này và có hiệu lực trong ${minutes}.`,
  validity: ({ minutes, tenant }) =>
    `Mã này có hiệu lực trong ${minutes}. Không chia sẻ mã với bất kỳ ai: nhân viên ${tenant} sẽ không bao giờ hỏi bạn mã này.`,
  codeEmails: {
    otp_signin: {
      subject: ({ tenant }) => `Mã đăng nhập ${tenant} của bạn`,
      heading: ({ tenant }) => `Đăng nhập vào ${tenant}`,
      intro: () => 'Nhập mã này để đăng nhập:',
      notYou: () => byMistake,
    },
    reset_password: {
      subject: ({ tenant }) => `Mã đặt lại mật khẩu ${tenant} của bạn`,
      heading: () => 'Đặt lại mật khẩu',
      intro: ({ tenant }) =>
        `Chúng tôi đã nhận được yêu cầu đặt lại mật khẩu cho tài khoản ${tenant} của bạn. Để tiếp tục, hãy nhập mã này:`,
      notYou: () =>
        'Nếu bạn không yêu cầu đặt lại mật khẩu, vui lòng bỏ qua email này. Mật khẩu của bạn sẽ không thay đổi.',
    },
    email_verification: {
      subject: ({ tenant }) => `Xác nhận địa chỉ email của bạn cho ${tenant}`,
      heading: () => 'Xác nhận địa chỉ email',
      intro: () => 'Nhập mã này để xác nhận địa chỉ email này là của bạn:',
      notYou: () => byMistake,
    },
    phone_verification: {
      subject: ({ tenant }) => `Xác nhận số điện thoại của bạn cho ${tenant}`,
      heading: () => 'Xác nhận số điện thoại',
      intro: () => 'Nhập mã này để xác nhận số điện thoại của bạn:',
      notYou: () => ignore,
    },
  },
  noticePreheader: 'Nếu không phải bạn thực hiện, hãy xử lý ngay.',
  wasYou: 'Nếu chính bạn thực hiện, bạn không cần làm gì thêm.',
  noticeEmails: {
    identity_added: {
      subject: ({ tenant }) => `Đã thêm phương thức đăng nhập vào tài khoản ${tenant} của bạn`,
      heading: () => 'Đã thêm phương thức đăng nhập',
      happened: ({ tenant }) =>
        `Một phương thức đăng nhập đã được thêm vào tài khoản ${tenant} của bạn. Từ bây giờ, có thể đăng nhập bằng phương thức này.`,
      notYou: getHelp,
    },
    identity_removed: {
      subject: ({ tenant }) => `Đã xóa phương thức đăng nhập khỏi tài khoản ${tenant} của bạn`,
      heading: () => 'Đã xóa phương thức đăng nhập',
      happened: ({ tenant }) =>
        `Một phương thức đăng nhập đã được xóa khỏi tài khoản ${tenant} của bạn. Không thể đăng nhập bằng phương thức này nữa.`,
      notYou: getHelp,
    },
    password_added: {
      subject: ({ tenant }) => `Đã thêm mật khẩu vào tài khoản ${tenant} của bạn`,
      heading: () => 'Đã thêm mật khẩu',
      happened: ({ tenant }) =>
        `Một mật khẩu đã được thêm vào tài khoản ${tenant} của bạn. Từ bây giờ, có thể đăng nhập bằng mật khẩu này.`,
      notYou: resetPassword,
    },
    password_changed: {
      subject: ({ tenant }) => `Mật khẩu ${tenant} của bạn đã được thay đổi`,
      heading: () => 'Mật khẩu đã được thay đổi',
      happened: ({ tenant }) =>
        `Mật khẩu tài khoản ${tenant} của bạn đã được thay đổi và mọi thiết bị khác đã được đăng xuất.`,
      notYou: resetPassword,
    },
    email_changed: {
      subject: ({ tenant }) => `Địa chỉ email của tài khoản ${tenant} đã được thay đổi hoặc xóa`,
      heading: () => 'Địa chỉ email đã được thay đổi hoặc xóa',
      happened: ({ tenant }) =>
        `Địa chỉ email của tài khoản ${tenant} của bạn đã được thay đổi hoặc xóa. Không thể đăng nhập bằng địa chỉ cũ nữa.`,
      notYou: getHelp,
    },
    phone_changed: {
      subject: ({ tenant }) => `Số điện thoại của tài khoản ${tenant} đã được thay đổi hoặc xóa`,
      heading: () => 'Số điện thoại đã được thay đổi hoặc xóa',
      happened: ({ tenant }) =>
        `Số điện thoại của tài khoản ${tenant} của bạn đã được thay đổi hoặc xóa. Không thể đăng nhập bằng số cũ nữa.`,
      notYou: getHelp,
    },
    account_deleted: {
      subject: ({ tenant }) => `Tài khoản ${tenant} của bạn đã được xóa`,
      heading: () => 'Tài khoản của bạn đã được xóa',
      happened: ({ tenant }) =>
        `Tài khoản ${tenant} của bạn đã được xóa. Bạn không thể đăng nhập vào tài khoản này nữa.`,
      notYou: ({ tenant }) => `Nếu không phải bạn thực hiện, hãy liên hệ ngay với bộ phận hỗ trợ của ${tenant}.`,
    },
  },
  undo: {
    email: {
      email_changed: ({ tenant }) =>
        `Nếu không phải bạn thực hiện, hãy hoàn tác thay đổi này ngay: mở ${tenant} rồi nhập mã và số tham chiếu này. Địa chỉ email cũ của bạn sẽ được khôi phục và mọi thiết bị sẽ được đăng xuất.`,
      phone_changed: ({ tenant }) =>
        `Nếu không phải bạn thực hiện, hãy hoàn tác thay đổi này ngay: mở ${tenant} rồi nhập mã và số tham chiếu này. Số điện thoại cũ của bạn sẽ được khôi phục và mọi thiết bị sẽ được đăng xuất.`,
    },
    codeLabel: 'Mã',
    idLabel: 'Số tham chiếu',
    validity: ({ hours, tenant }) =>
      `Mã có hiệu lực trong ${hours} kể từ khi thay đổi. Không chia sẻ mã với bất kỳ ai: nhân viên ${tenant} sẽ không bao giờ hỏi bạn mã này.`,
    help: ({ tenant }) => `Nếu cần trợ giúp, hãy liên hệ với bộ phận hỗ trợ của ${tenant}.`,
    sms: {
      email_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: email đã đổi hoặc xóa. Không phải bạn? Trong ${hours}, vào ứng dụng nhập mã ${code}, tham chiếu ${id}.`,
      phone_changed: ({ tenant, code, id, hours }) =>
        `${tenant}: SĐT đã đổi hoặc xóa. Không phải bạn? Trong ${hours}, vào ứng dụng nhập mã ${code}, tham chiếu ${id}.`,
    },
  },
  sms: {
    otp_signin: ({ tenant, code, minutes }) => `${tenant}: mã đăng nhập ${code}, hiệu lực ${minutes}. Không chia sẻ.`,
    reset_password: ({ tenant, code, minutes }) =>
      `${tenant}: mã đặt lại mật khẩu ${code}, hiệu lực ${minutes}. Không chia sẻ.`,
    email_verification: ({ tenant, code, minutes }) =>
      `${tenant}: mã xác nhận email ${code}, hiệu lực ${minutes}. Không chia sẻ.`,
    phone_verification: ({ tenant, code, minutes }) =>
      `${tenant}: mã xác nhận SĐT ${code}, hiệu lực ${minutes}. Không chia sẻ.`,
    identity_added: ({ tenant }) => `${tenant}: đã thêm cách đăng nhập. Không phải bạn? Liên hệ hỗ trợ ngay.`,
    identity_removed: ({ tenant }) => `${tenant}: đã xóa cách đăng nhập. Không phải bạn? Liên hệ hỗ trợ ngay.`,
    password_added: ({ tenant }) => `${tenant}: đã thêm mật khẩu. Không phải bạn? Liên hệ hỗ trợ ngay.`,
    password_changed: ({ tenant }) => `${tenant}: mật khẩu đã đổi. Không phải bạn? Chọn "Quên mật khẩu" ngay.`,
    email_changed: ({ tenant }) => `${tenant}: email đã đổi hoặc xóa. Không phải bạn? Liên hệ hỗ trợ ngay.`,
    phone_changed: ({ tenant }) => `${tenant}: SĐT đã đổi hoặc xóa. Không phải bạn? Liên hệ hỗ trợ ngay.`,
    account_deleted: ({ tenant }) => `${tenant}: tài khoản đã xóa. Không phải bạn? Liên hệ hỗ trợ ngay.`,
  },
}
