import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { freePort } from '../free-port.ts'
import { createDockerignore, getStep, parseDockerfile, readEnv, type Stage } from './dockerfile.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
/** Only root can change the owner of files. */
const isRoot = process.getuid?.() === 0

/** The parsed Dockerfile. */
export const readStages = async (): Promise<Stage[]> =>
  parseDockerfile(await readFile(join(root, 'Dockerfile'), 'utf8'))

/** Every file of the repository that is sent to the build. */
export async function listBuildContext(): Promise<string[]> {
  const isSent = createDockerignore(await readFile(join(root, '.dockerignore'), 'utf8'))
  const top = await readdir(root, { withFileTypes: true })
  const lists = top
    // A pattern can send part of a folder; only these are too large to list.
    .filter(({ name }) => !['node_modules', '.git', 'data'].includes(name))
    .map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name]
      const within = await readdir(join(root, entry.name), { recursive: true, withFileTypes: true })
      return within.filter((each) => each.isFile()).map((each) => relative(root, join(each.parentPath, each.name)))
    })
  return (await Promise.all(lists)).flat().filter(isSent)
}

/** The file system of a container, built without containers: a folder that stands for `/`. */
interface Rehearsal extends AsyncDisposable {
  readonly folder: string
  /** The image's last stage. */
  readonly stage: Stage
}

/**
 * Builds the image in a new folder, step by step. A shell executes RUN in the folder that stands for the WORKDIR.
 * @param install replaces `npm ci`; gets the folder of package.json and the command
 */
export async function rehearseImage(install?: (folder: string, command: string) => Promise<void>): Promise<Rehearsal> {
  const home = await mkdtemp(join(tmpdir(), 'tenantry-image-'))
  await chmod(home, 0o755)
  const stages = await readStages()
  const context = await listBuildContext()
  for (const [index, { name, steps }] of stages.entries()) {
    const folder = join(home, name ?? 'image')
    let workdir = folder
    await mkdir(folder)
    for (const { instruction, text } of steps) {
      if (instruction === 'WORKDIR') {
        workdir = join(folder, text)
        await mkdir(workdir, { recursive: true })
      } else if (instruction === 'RUN' && text.startsWith('npm ci') && install) await install(workdir, text)
      else if (instruction === 'RUN' && text.startsWith('chown') && !isRoot) continue
      else if (instruction === 'RUN') {
        // An absolute path refers to the image.
        await run('sh', ['-ec', text.replaceAll(/(?<= )\/(?=\w)/g, `${folder}/`)], { cwd: workdir })
      } else if (instruction === 'COPY') await copy(text, { home, folder, workdir, context })
      else if (!['ENV', 'VOLUME', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'].includes(instruction)) {
        throw new Error(`Stage ${index}: ${instruction} is not rehearsed`)
      }
    }
  }
  return {
    folder: join(home, 'image'),
    stage: stages.at(-1)!,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  }
}

interface Places {
  readonly home: string
  readonly folder: string
  readonly workdir: string
  readonly context: readonly string[]
}

/** As Docker does. */
const keepDates = { preserveTimestamps: true }

async function copy(text: string, { home, folder, workdir, context }: Places): Promise<void> {
  const [, from, list = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(text) ?? []
  const sources = list.split(' ')
  const target = sources.pop()!
  const into = target.startsWith('/') ? join(folder, target) : join(workdir, target)
  if (from !== undefined)
    return cp(join(home, from, sources[0]!), into, { recursive: true, verbatimSymlinks: true, ...keepDates })
  for (const source of sources) {
    // Docker copies a file into the target, and what a folder contains.
    for (const path of context.filter((each) => each === source || each.startsWith(`${source}/`)))
      await cp(join(root, path), join(into, path === source ? basename(path) : relative(source, path)), keepDates)
  }
}

/** A server started as in the image. */
interface ImageServer {
  readonly url: string
  readonly output: () => string
  /** Runs the HEALTHCHECK of the image; returns its exit code. */
  checkHealth(): Promise<number | null>
  /** Sends SIGTERM; returns the exit code. */
  end(): Promise<number | null>
}

/** A JSON array of arguments, in which `node` is the current Node. */
const toCommand = (text: string): string[] =>
  (JSON.parse(text) as string[]).map((word) => (word === 'node' ? process.execPath : word))

/** Starts the image's command as the image's user, if the current user may switch to it. */
export async function startImage({ folder, stage }: Rehearsal): Promise<ImageServer> {
  const [uid = 0, gid = 0] = getStep(stage, 'USER').split(':').map(Number)
  const mayBecome = isRoot && spawnSync(process.execPath, ['-v'], { uid, gid, cwd: folder }).status === 0
  const identity = mayBecome ? { uid, gid } : {}
  if (isRoot && !mayBecome) await chown(join(folder, 'data'), process.getuid!(), process.getgid!())
  const port = await freePort()
  const options = {
    ...identity,
    cwd: folder,
    env: {
      ...readEnv(stage),
      PORT: String(port),
      HOST: '127.0.0.1',
      TENANTRY_PUBLIC_URL: 'https://accounts.example.com',
      TENANTRY_ADMIN_KEY: 'an-admin-key-of-at-least-32-characters',
      TENANTRY_MASTER_KEYS: generateMasterKeys(0),
      TENANTRY_DRAIN_SECONDS: '0',
      // Only the volume is writable: there is no temporary folder and no permission to create it.
      TMPDIR: join(folder, 'tmp'),
    },
  }
  const [command = '', ...args] = [...toCommand(getStep(stage, 'ENTRYPOINT')), ...toCommand(getStep(stage, 'CMD'))]
  const child = spawn(command, args, options)
  const ended = once(child, 'close') as Promise<[number | null]>
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const listening = (async () => {
    while (!output.includes('Server listening')) await once(child.stdout, 'data')
  })()
  await Promise.race([listening, ended.then(() => Promise.reject(new Error(output)))])
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async checkHealth() {
      const [check = '', ...words] = toCommand(getStep(stage, 'HEALTHCHECK').replace(/^.*?CMD /, ''))
      const [code] = await once(spawn(check, words, options), 'exit')
      return code as number | null
    },
    async end() {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}
