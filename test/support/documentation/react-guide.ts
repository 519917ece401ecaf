import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { blocksOf, readPage } from './page-blocks.ts'

const root = join(import.meta.dirname, '../../..')
const source = join(root, 'packages/client/src')

/** Where the client's entries are, in place of the installed package. */
const entries = {
  '@tenantry/client': join(source, 'index.ts'),
  '@tenantry/client/profile': join(source, 'profile.ts'),
  '@tenantry/client/react': join(source, 'react.ts'),
}

/** `tsconfig.app.json` of `npm create vite -- --template react-ts`, with the client's sources. */
const viteSettings = {
  compilerOptions: {
    target: 'es2023',
    lib: ['ES2023', 'DOM'],
    module: 'esnext',
    types: ['vite/client'],
    allowArbitraryExtensions: true,
    skipLibCheck: true,
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    moduleDetection: 'force',
    noEmit: true,
    jsx: 'react-jsx',
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    noFallthroughCasesInSwitch: true,
    paths: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [path]])),
  },
  include: ['src'],
}

/** Writes the app of docs/guides/quickstart-react.md into a folder. Returns the names of its files. */
export async function writeGuideApp(folder: string): Promise<string[]> {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(viteSettings))
  const blocks = blocksOf(await readPage('docs/guides/quickstart-react.md'))
  const files = blocks.filter(({ language }) => /^tsx?$/.test(language))
  for (const { file = '', text } of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  return files.map(({ file = '' }) => file)
}

/** The app as one module, with the values of `.env.local`. */
export async function bundleGuideApp(folder: string, baseUrl: string, tenantKey: string): Promise<string> {
  const build = await rolldown({
    input: join(folder, 'src/main.tsx'),
    platform: 'browser',
    // Longer names first, because a name also matches what begins with it.
    resolve: { alias: Object.fromEntries(Object.entries(entries).toReversed()) },
    transform: {
      define: {
        'process.env.NODE_ENV': '"development"',
        'import.meta.env.VITE_TENANTRY_URL': JSON.stringify(baseUrl),
        'import.meta.env.VITE_TENANTRY_KEY': JSON.stringify(tenantKey),
      },
    },
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  return output[0].code
}
