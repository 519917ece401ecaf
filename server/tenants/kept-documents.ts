/** The most recently used documents, each by its key. */
export class KeptDocuments<D extends { readonly body: Buffer }> {
  readonly #most: number
  readonly #documents = new Map<string, D>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): D | undefined {
    const document = this.#documents.get(key)
    if (document === undefined) return undefined
    // Maps iterate in the order of insertion, so the least recently used comes first.
    this.#documents.delete(key)
    this.#documents.set(key, document)
    return document
  }

  keep(key: string, document: D): void {
    this.#forget(key)
    this.#documents.set(key, document)
    this.#bytes += document.body.length
    const [oldest] = this.#documents.keys()
    if (this.#documents.size > this.#most) this.#forget(oldest!)
  }

  #forget(key: string): void {
    this.#bytes -= this.#documents.get(key)?.body.length ?? 0
    this.#documents.delete(key)
  }
}
