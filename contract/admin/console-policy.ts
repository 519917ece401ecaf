/**
 * The content security policy of the console's page, for the service and for the development server. The page runs scripts
 * of its server only, and sends requests to it only. Mantine adds style elements, which carry the nonce.
 * `trusted-types default`: one policy in `before-paint.js`, which lets text without markup pass.
 * @param scripts more sources of scripts
 */
export const consolePagePolicy = (nonce: string, scripts: readonly string[] = []): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')

/**
 * The policy of `mail-frame.html`, which runs its own script only, at no origin; a message has styles in its elements and
 * pictures in its text.
 * @param scriptHash base64 SHA-256 of the script
 */
export const mailFramePolicy = (scriptHash: string): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/** The script in the text of `mail-frame.html`. */
export const scriptOfMailFrame = (html: string): string => /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''

/** Headers of every answer of the console. */
export const consoleHeaders = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const
