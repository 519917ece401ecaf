/** Used ID tokens, stored until they expire: each works once. */
export interface UsedIdTokenStore {
  /**
   * Stores a token; false when it was used before. Of concurrent callers one succeeds.
   * @param hash SHA-256 of the token, lower-case hex
   * @param expiresAt epoch milliseconds; the token may be erased after that
   */
  add(hash: string, expiresAt: number): Promise<boolean>
}
