import { Meta } from '../../../contract/envelope.ts'
import { Failure } from '../../../contract/failure.ts'
import type { Operation } from '../../../contract/operation.ts'
import { type LimitSettings, parseLimits } from '../../limits/limit-settings.ts'
import { consoleCookie } from '../console/console-cookie.ts'
import { describeExamples, headers, sharedRefusals } from './answers.ts'
import { parameterExamples } from './examples/client-examples.ts'
import { describeOperation, outputOf } from './operation.ts'
import { createSchemaCollection, type JsonObject } from './schemas.ts'
import { describeTags } from './tags.ts'

/** What the document says about the deployment. */
interface DocumentInfo {
  readonly version: string
  /** Base URL of the service; when absent, the one that serves the document. */
  readonly serverUrl?: string
  /** The deployment's limits; when absent, the defaults. */
  readonly limits?: LimitSettings
}

const introduction = `A multi-tenant account backend: one-time passwords, password reset, tenant configuration, and profiles whose fields each tenant defines.

- **Keys.** A tenant's client applications send the tenant key as \`X-Tenant-Key\`, and where a user is signed in the access token as \`Authorization: Bearer\`. The operator sends the admin key as \`Authorization: Bearer\`.
- **Answers** have \`meta\` and, on success, \`data\`; on failure \`error\` with a \`code\` to program against and a \`message\` to read. Fields may be added: ignore those you do not know.
- **Request ids.** Send \`X-Request-Id\` (1 to 64 of \`A-Za-z0-9._-\`) or get one: it comes back in \`meta.requestId\` and in the header.
- **Times** are ISO 8601 in UTC with milliseconds. Lengths count Unicode code points.
- **Limits** count each request of a client address, whatever answers it; \`RateLimit\` says what is left. An IPv6 client is its /64, and eight times as many requests are admitted from one /48.
`

const securitySchemes = {
  TenantKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Tenant-Key',
    description:
      'A key of the tenant: `tk_pub_…`, which may ship inside an app, or `tk_sec_…`, which stays on a server.',
  },
  UserToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of the signed-in user.',
  },
  ConsoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: consoleCookie,
    description:
      'The session of the console, which `POST /admin/session` starts. Only for pages of this server; a request that changes anything also has the header `X-Tenantry-Console: 1`.',
  },
  AdminKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The key of an operator, or the root key of this deployment.',
  },
}

const parameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A new random key for each operation to perform. A repeat with the same key and body answers the same for 24 hours and has no second effect; with another body it is 422 `IDEMPOTENCY_KEY_REUSED`.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]*$' },
    example: parameterExamples['Idempotency-Key'],
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The ETag of the revision that the change is meant for. When another one is stored, the answer is 412 and nothing is changed. `*`: any revision, but something must be stored.',
    schema: { type: 'string' },
    example: parameterExamples['If-Match'],
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the body that the client holds.',
    schema: { type: 'string' },
    example: parameterExamples['If-None-Match'],
  },
  'X-Client-IP': {
    name: 'X-Client-IP',
    in: 'header',
    required: false,
    description:
      'The address of the end user, from a back end with a secret tenant key: limits then count that address. One address without a port; anything else is ignored.',
    schema: { type: 'string' },
    example: parameterExamples['X-Client-IP'],
  },
}

/**
 * The OpenAPI 3.1 document of these operations, keyed by their names. Building it takes some milliseconds.
 *
 * @returns a JSON value; the same for the same operations
 */
export function buildOpenApi(operations: Readonly<Record<string, Operation>>, info: DocumentInfo): object {
  const { version, serverUrl = '/', limits = parseLimits(undefined) } = info
  const entries = Object.entries(operations)
  const all = entries.map(([, operation]) => operation)

  const schemas = createSchemaCollection()
  for (const schema of [Meta, Failure]) schemas.convert(schema, 'output')
  const outputs = all.map((operation) => outputOf(operation, schemas))
  const paths: Record<string, JsonObject> = {}
  for (const [index, [name, operation]] of entries.entries()) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const described = describeOperation(name, operation, outputs[index]!, schemas, limits)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described }
  }

  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Tenantry',
      version,
      description: introduction,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    ...describeTags(all.map(({ path }) => path)),
    paths,
    components: {
      schemas: schemas.components(),
      responses: sharedRefusals(all),
      parameters,
      examples: describeExamples(all),
      headers,
      securitySchemes,
    },
  }
  return document
}
