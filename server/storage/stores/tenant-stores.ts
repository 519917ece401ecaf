import type { IdentityStore } from '../../accounts/identity.ts'
import type { SessionStore } from '../../accounts/sessions/session.ts'
import type { FormPromptStore } from '../../accounts/sign-in/form-prompts.ts'
import type { UsedIdTokenStore } from '../../accounts/used-id-tokens.ts'
import type { UserStore } from '../../accounts/user.ts'
import type { IdempotencyStore } from '../../core/idempotency.ts'
import type { MessageStore } from '../../delivery/message.ts'
import type { SmsSpending } from '../../delivery/sms-spending.ts'
import type { EventErasureStore } from '../../events/erasure.ts'
import type { EventQueueStore } from '../../events/event.ts'
import type { EventLogStore } from '../../events/log/event-log.ts'
import type { OtpStore } from '../../otp/otp-store.ts'
import type { UndoCodeStore } from '../../otp/undo-codes.ts'
import type { ProfileIndexStore } from '../../profiles/index/profile-index.ts'
import type { ProfileSearchStore } from '../../profiles/index/profile-search.ts'
import type { ProfileStore } from '../../profiles/profile-store.ts'
import type { TenantCountStore } from '../../statistics/tenant-counts.ts'
import type { TenantKeyStore, TenantStore } from '../../tenants/tenant.ts'
import type { Executor } from '../database.ts'
import type { Stores } from '../storage.ts'
import { SqlEventErasureStore } from './event-erasures.ts'
import { SqlEventLogStore } from './event-log.ts'
import { SqlEventQueueStore } from './event-queue.ts'
import { SqlFormPromptStore } from './form-prompts.ts'
import { SqlIdempotencyStore } from './idempotency.ts'
import { SqlIdentityStore } from './identities.ts'
import { SqlMessageStore } from './messages.ts'
import { SqlOtpStore } from './otps.ts'
import { SqlProfileIndexStore } from './profile-index.ts'
import { SqlProfileSearchStore } from './profile-search.ts'
import { SqlProfileStore } from './profiles.ts'
import { SqlSessionStore } from './sessions.ts'
import { SqlSmsSpending } from './sms-spending.ts'
import { SqlTenantCountStore } from './tenant-counts.ts'
import { SqlTenantKeyStore } from './tenant-keys.ts'
import { SqlTenantStore } from './tenants.ts'
import { SqlUndoCodeStore } from './undo-codes.ts'
import { SqlUsedIdTokenStore } from './used-id-tokens.ts'
import { SqlUserStore } from './users.ts'

/** The stores of one tenant, created on first use: a request rarely needs more than two. */
export class TenantStores implements Stores {
  protected readonly executor: Executor
  protected readonly tenantId: string
  #tenant?: TenantStore
  #keys?: TenantKeyStore
  #users?: UserStore
  #formPrompts?: FormPromptStore
  #identities?: IdentityStore
  #usedIdTokens?: UsedIdTokenStore
  #sessions?: SessionStore
  #otps?: OtpStore
  #undoCodes?: UndoCodeStore
  #messages?: MessageStore
  #smsSpending?: SmsSpending
  #profiles?: ProfileStore
  #profileIndex?: ProfileIndexStore
  #profileSearch?: ProfileSearchStore
  #idempotency?: IdempotencyStore
  #events?: EventQueueStore
  #eventErasures?: EventErasureStore
  #eventLog?: EventLogStore
  #counts?: TenantCountStore

  constructor(executor: Executor, tenantId: string) {
    this.executor = executor
    this.tenantId = tenantId
  }

  get tenant(): TenantStore {
    this.#tenant ??= new SqlTenantStore(this.executor, this.tenantId)
    return this.#tenant
  }

  get keys(): TenantKeyStore {
    this.#keys ??= new SqlTenantKeyStore(this.executor, this.tenantId)
    return this.#keys
  }

  get users(): UserStore {
    this.#users ??= new SqlUserStore(this.executor, this.tenantId)
    return this.#users
  }

  get formPrompts(): FormPromptStore {
    this.#formPrompts ??= new SqlFormPromptStore(this.executor, this.tenantId)
    return this.#formPrompts
  }

  get identities(): IdentityStore {
    this.#identities ??= new SqlIdentityStore(this.executor, this.tenantId)
    return this.#identities
  }

  get usedIdTokens(): UsedIdTokenStore {
    this.#usedIdTokens ??= new SqlUsedIdTokenStore(this.executor, this.tenantId)
    return this.#usedIdTokens
  }

  get sessions(): SessionStore {
    this.#sessions ??= new SqlSessionStore(this.executor, this.tenantId)
    return this.#sessions
  }

  get otps(): OtpStore {
    this.#otps ??= new SqlOtpStore(this.executor, this.tenantId)
    return this.#otps
  }

  get undoCodes(): UndoCodeStore {
    this.#undoCodes ??= new SqlUndoCodeStore(this.executor, this.tenantId)
    return this.#undoCodes
  }

  get messages(): MessageStore {
    this.#messages ??= new SqlMessageStore(this.executor, this.tenantId)
    return this.#messages
  }

  get smsSpending(): SmsSpending {
    this.#smsSpending ??= new SqlSmsSpending(this.executor, this.tenantId)
    return this.#smsSpending
  }

  get profiles(): ProfileStore {
    this.#profiles ??= new SqlProfileStore(this.executor, this.tenantId)
    return this.#profiles
  }

  get profileIndex(): ProfileIndexStore {
    this.#profileIndex ??= new SqlProfileIndexStore(this.executor, this.tenantId)
    return this.#profileIndex
  }

  get profileSearch(): ProfileSearchStore {
    this.#profileSearch ??= new SqlProfileSearchStore(this.executor, this.tenantId)
    return this.#profileSearch
  }

  get idempotency(): IdempotencyStore {
    this.#idempotency ??= new SqlIdempotencyStore(this.executor, this.tenantId)
    return this.#idempotency
  }

  get events(): EventQueueStore {
    this.#events ??= new SqlEventQueueStore(this.executor, this.tenantId)
    return this.#events
  }

  get eventErasures(): EventErasureStore {
    this.#eventErasures ??= new SqlEventErasureStore(this.executor, this.tenantId)
    return this.#eventErasures
  }

  get eventLog(): EventLogStore {
    this.#eventLog ??= new SqlEventLogStore(this.executor, this.tenantId)
    return this.#eventLog
  }

  get counts(): TenantCountStore {
    this.#counts ??= new SqlTenantCountStore(this.executor, this.tenantId)
    return this.#counts
  }
}
