/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** The URL of the server, such as `http://127.0.0.1:4000`. */
  readonly VITE_TENANTRY_URL: string
  /** A publishable key of the tenant. */
  readonly VITE_TENANTRY_KEY: string
  /** The client id of Google Sign-In. Without it, the page shows no Google button. */
  readonly VITE_GOOGLE_CLIENT_ID?: string
}
