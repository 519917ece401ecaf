import {
  createSession,
  createTenantryClient,
  type Session,
  type StepUpProof,
  type StepUpRequest,
} from '@tenantry/client'

/** Answers the request for another proof; the dialog of the page sets it. */
export const stepUpPrompt: { ask: (request: StepUpRequest) => Promise<StepUpProof | null> } = {
  ask: () => Promise.resolve(null),
}

/** The address of the server and the tenant's publishable key are settings of the build. */
export const session: Session = createSession(
  createTenantryClient({
    baseUrl: import.meta.env.VITE_TENANTRY_URL,
    tenantKey: import.meta.env.VITE_TENANTRY_KEY,
  }),
  { onStepUp: (request) => stepUpPrompt.ask(request) },
)
