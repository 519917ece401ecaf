/** `to` if it is a path of this console, otherwise the overview: a link to the sign-in leads to no other page. */
export const ownPath = (to: string | undefined): string => {
  // Browsers drop tabs and line breaks from a URL, and read `\` as `/`.
  const isOwn = to !== undefined && /^\/(?!\/)/.test(to) && !/[\\\p{Cc}]/u.test(to)
  return isOwn && !/^\/sign-in(?:[/?#]|$)/.test(to) ? to : '/'
}
