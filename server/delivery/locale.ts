/** The language of a message: what the request says, else the browser's first choice, else the tenant's (design 8). */
export function messageLocale(
  requested: string | undefined,
  acceptLanguage: string | undefined,
  tenantDefault: string | null,
): string | null {
  if (requested !== undefined) return requested
  const first = acceptLanguage?.split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? ''
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(first) ? first : tenantDefault
}
