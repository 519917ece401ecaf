/** The nonce of this page's content security policy, for style elements that libraries make. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
