import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type Container,
  composeContainers,
  findObject,
  kubernetesContainers,
  makeSecrets,
  readCompose,
  readKubernetes,
  type Yaml,
} from './manifests.ts'

/** The manifests of `deploy/`, with generated secrets. */
export interface Deployment {
  /** The folder of the secrets. */
  readonly secrets: string
  /** `compose.sqlite.yaml` */
  readonly sqlite: Yaml
  /** `compose.postgres.yaml` */
  readonly postgres: Yaml
  readonly kubernetes: readonly Yaml[]
  /** Every container that runs the image, of all manifests. */
  readonly containers: readonly Container[]
  /** The Kubernetes object of a kind; the name is needed where there are several. */
  objectOf(kind: string, name?: string): Yaml
  /** Deletes the secrets. */
  close(): Promise<void>
}

export async function readDeployment(): Promise<Deployment> {
  const secrets = await makeSecrets()
  const sqlite = await readCompose('compose.sqlite.yaml')
  const postgres = await readCompose('compose.postgres.yaml')
  const kubernetes = await readKubernetes()
  return {
    ...{ secrets, sqlite, postgres, kubernetes },
    containers: [...composeContainers(sqlite), ...composeContainers(postgres), ...kubernetesContainers(kubernetes)],
    objectOf: (kind, name) => findObject(kubernetes, kind, name),
    close: () => rm(dirname(secrets), { recursive: true, force: true }),
  }
}
