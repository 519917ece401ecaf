import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import type { Config } from '../../../server/settings/config.ts'
import { readConfig } from '../../../server/settings/read-config.ts'
import type { Environ } from '../../../server/settings/settings-reader.ts'

/** Any YAML value. */
// biome-ignore lint/suspicious/noExplicitAny: the tests check the content of manifests
export type Yaml = any

const folder = join(import.meta.dirname, '../../../deploy')
export const readDeployFile = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')

/** The variables of the shell that runs Compose. */
const shell: Environ = { PUBLIC_URL: 'https://accounts.example.com', MAIL_FROM: 'Accounts <accounts@example.com>' }

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?error}` as Compose does. */
const interpolate = (text: string, env: Environ): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = env[name] ?? ''
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`)
    return value === '' ? rest : value
  })

/** The documents of a file; throws on invalid YAML and duplicate keys. */
async function readYaml(name: string, env?: Environ): Promise<Yaml[]> {
  const text = await readDeployFile(name)
  const documents = parseAllDocuments(env ? interpolate(text, env) : text, { merge: true })
  return documents.map((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

export const readCompose = async (name: string, env: Environ = shell): Promise<Yaml> => (await readYaml(name, env))[0]

/** Every object of deploy/kubernetes. */
export async function readKubernetes(): Promise<Yaml[]> {
  const names = await readdir(join(folder, 'kubernetes'))
  return (await Promise.all(names.sort().map((name) => readYaml(`kubernetes/${name}`)))).flat()
}

/** Runs make-secrets.sh in a new folder; returns the folder of the secrets. */
export async function makeSecrets(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'tenantry-secrets-'))
  await cp(join(folder, 'make-secrets.sh'), join(home, 'make-secrets.sh'))
  for (const _ of ['makes', 'keeps']) await promisify(execFile)('sh', [join(home, 'make-secrets.sh')])
  return join(home, 'secrets')
}

/** The variables of a container that runs the image, and its secrets: mount path to name. */
export interface Container {
  readonly name: string
  readonly env: Record<string, string>
  readonly secrets: ReadonlyMap<string, string>
}

/** The containers of a compose file that run the image. */
export function composeContainers({ services }: Yaml): Container[] {
  return Object.entries<Yaml>(services)
    .filter(([, { image }]) => image === 'tenantry')
    .map(([name, { environment, secrets }]) => ({
      name,
      // The image sets it; test/deploy/image.test.ts checks that.
      env: { TENANTRY_ENVIRONMENT: 'production', ...environment },
      secrets: new Map(secrets.map((secret: string) => [`/run/secrets/${secret}`, secret])),
    }))
}

/** The pods of Deployments, StatefulSets and Jobs. */
export const podsOf = (objects: readonly Yaml[]): Yaml[] =>
  objects
    .filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
    .map(({ spec }) => spec.template.spec)

/** The object of a kind; the name is needed where there are several. */
export const findObject = (objects: readonly Yaml[], kind: string, name?: string): Yaml =>
  objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name))

/** The containers of all pods, with their ConfigMaps and the keys of their Secrets. */
export function kubernetesContainers(objects: readonly Yaml[]): Container[] {
  const find = (kind: string, name: string) => {
    const found = findObject(objects, kind, name)
    if (found === undefined) throw new Error(`There is no ${kind} ${name}`)
    return found
  }
  return podsOf(objects).flatMap(({ containers, volumes }) =>
    containers.map(({ name, envFrom, volumeMounts }: Yaml) => {
      const mounts = volumeMounts.flatMap(({ name: volume, mountPath }: Yaml) => {
        // A volume of a StatefulSet's own is among its claims.
        const { secret } = volumes.find((each: Yaml) => each.name === volume) ?? {}
        const keys = secret ? Object.keys(find('Secret', secret.secretName).stringData) : []
        return keys.map((key) => [`${mountPath}/${key}`, key])
      })
      const maps = envFrom.map(({ configMapRef }: Yaml) => find('ConfigMap', configMapRef.name).data)
      return { name, env: Object.assign({}, ...maps), secrets: new Map<string, string>(mounts) }
    }),
  )
}

/** The settings of a container as the server reads them. */
interface Understood {
  readonly config: Config
  /** Every variable that the server read. */
  readonly looked: ReadonlySet<string>
}

/**
 * Reads the container's settings as the server would, its secrets from `secrets`.
 * @throws ConfigError for invalid settings; Error when a file is not mounted
 */
export function understand({ name, env, secrets: mounted }: Container, secrets: string): Understood {
  const there = Object.entries(env).map(([variable, value]) => {
    if (!variable.endsWith('_FILE')) return [variable, value]
    const secret = mounted.get(value)
    if (secret === undefined) throw new Error(`${name}: ${variable} is ${value}, where no secret is mounted`)
    return [variable, join(secrets, secret)]
  })
  const looked = new Set<string>()
  const watched = new Proxy<Record<string, string>>(Object.fromEntries(there), {
    get(target, variable: string) {
      looked.add(variable)
      return target[variable]
    },
  })
  return { config: readConfig(watched), looked }
}
