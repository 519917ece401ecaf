import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The package as `npm publish` would upload it. */
export interface PackedClient extends AsyncDisposable {
  readonly tarball: string
  /** The paths in the package. */
  readonly files: readonly string[]
  /** A new project with the package installed, and with the named packages of this repository. */
  createProject(files: Readonly<Record<string, string>>, packages?: readonly string[]): Promise<string>
}

/** Builds and packs a copy of `packages/client`: other tests build it in its place at the same time. */
export async function packClient(): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-client-'))
  const source = join(folder, 'source')
  for (const path of ['tsconfig.json', 'contract', 'packages/client']) {
    const filter = (file: string) => !['dist', 'node_modules'].includes(basename(file))
    await cp(join(root, path), join(source, path), { recursive: true, filter })
  }
  await symlink(join(root, 'node_modules'), join(source, 'node_modules'))
  const pack = ['pack', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: join(source, 'packages/client') })
  // The build prints before the report.
  const [report] = JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1))
  const tarball = join(folder, report.filename)
  let projects = 0
  return {
    tarball,
    files: report.files.map(({ path }: { path: string }) => path),
    async createProject(files, packages = []) {
      const project = join(folder, `project-${projects++}`)
      const all = { 'package.json': '{ "private": true, "type": "module" }', ...files }
      for (const [path, text] of Object.entries(all)) {
        await mkdir(dirname(join(project, path)), { recursive: true })
        await writeFile(join(project, path), text)
      }
      // The package has no dependencies, so this needs no registry.
      await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
      for (const name of packages) {
        await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true })
        await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name))
      }
      return project
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The `node` of a major version on the PATH; undefined when there is none. */
export async function findNode(major: number): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    if (!existsSync(node)) continue
    const { stdout } = await run(node, ['--version'])
    if (stdout.startsWith(`v${major}.`)) return node
  }
  return undefined
}

/** Runs a tool of this repository's node_modules. */
export async function runTool(name: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run(join(root, 'node_modules/.bin', name), args, { cwd, maxBuffer: 16 * 1024 ** 2 })
    return stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    throw new Error(`${name} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

export const readText = (...path: string[]): Promise<string> => readFile(join(...path), 'utf8')
