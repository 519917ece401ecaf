/** A page whose origin its tenant does not allow: the browser hides the answer from it. */
export interface RefusedOrigin {
  readonly tenantId: string
  readonly origin: string
}

/** Each tenant's most; anyone with a publishable key can send any origin. */
const mostOrigins = 20
/** One more clears what is remembered. */
const mostTenants = 500

/** As browsers send it; `null` is a page opened as a file, or in a sandbox. */
const origins = /^(?:null|https?:\/\/(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?)$/

/** Passes on each refused origin of a tenant once, in bounded memory. */
export function createRefusedOrigins(report: (refused: RefusedOrigin) => void): (refused: RefusedOrigin) => void {
  const known = new Map<string, Set<string>>()
  return (refused) => {
    const { tenantId, origin } = refused
    let ofTenant = known.get(tenantId)
    if (ofTenant?.has(origin) || !origins.test(origin)) return
    if (ofTenant === undefined) {
      if (known.size >= mostTenants) known.clear()
      ofTenant = new Set()
      known.set(tenantId, ofTenant)
    }
    if (ofTenant.size >= mostOrigins) return
    ofTenant.add(origin)
    report(refused)
  }
}
