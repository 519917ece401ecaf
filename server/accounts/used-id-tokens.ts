/** ID tokens that were used, remembered until they expire: each works once. */
export interface UsedIdTokenStore {
  /**
   * Remembers a token; false when it was used before. Of N callers at once one succeeds.
   * @param hash SHA-256 of the token, lower-case hex
   * @param expiresAt epoch milliseconds; it may be forgotten after that
   */
  add(hash: string, expiresAt: number): Promise<boolean>
}
