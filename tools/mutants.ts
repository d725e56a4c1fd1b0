import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { randomFrom } from '../test/processes/seed.ts'
import { type Mutant, mutantsOf } from './mutations.ts'

/**
 * `npm run test:mutants -- [COUNT] [FILE…]`: changes one thing at a time in the files that decide, in a copy of this
 * checkout, runs the tests of the module it lies in, and names the changes that no test has seen. MUTANTS_SEED repeats a
 * sample.
 */
const decisive = [
  'src/modules/**/{rules,states,visibility,rights,authorise,supervision,attachment,duplicates,signature,precedence,jobs,retention}.ts',
  'src/platform/{change,idempotency}.ts',
  'src/platform/access/{areas,mairies,rights,tokens,users}.ts',
  'src/platform/http/{conditional,versions,paging}.ts',
  'src/platform/http/rate-limits/*.ts',
  'src/platform/jobs/{attempt,job,jobs,workers}.ts',
]
const minutes = Number(process.env.MUTANTS_MINUTES ?? 60)
const seed = Number(process.env.MUTANTS_SEED ?? Math.floor(Math.random() * 1e6))
const [count = '300', ...given] = process.argv.slice(2)
const files = given.length > 0 ? given : decisive.flatMap((glob) => globSync(glob)).sort()
const isTest = (file: string) => /\.test[a-z-]*\.ts$/.test(file)

const all = files
  .filter((file) => !isTest(file))
  .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
const sample = shuffled(all, randomFrom(seed)).slice(0, Number(count))
const say = (line: string) => process.stdout.write(`${line}\n`)
say(`${sample.length} of ${all.length} mutants in ${files.length} files (MUTANTS_SEED=${seed})`)

const copy = mkdtempSync(join(tmpdir(), 'parvis-mutants-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
process.on('SIGINT', () => process.exit(130))
for (const name of [
  'bin',
  'demo',
  'docs',
  'src',
  'test',
  'tools',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
])
  cpSync(name, join(copy, name), { recursive: true })
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))

const end = Date.now() + minutes * 60_000
const survivors: Mutant[] = []
const unchanged = new Map<string, Promise<boolean>>()
let tried = 0
for (const mutant of sample) {
  if (Date.now() > end) break
  tried++
  if (await survives(mutant)) {
    survivors.push(mutant)
    say(`lived: ${mutant.file}:${mutant.line}  ${mutant.was}  →  ${mutant.is}`)
  }
}
const killed = tried - survivors.length
say(
  `${killed} of ${tried} killed (${Math.round((100 * killed) / Math.max(1, tried))} %), MUTANTS_SEED=${seed}`,
)
process.exit(killed >= 0.9 * tried ? 0 : 1)

/** Whether its tests pass all the same: those of the deed first, which are fewer. What hangs is seen too. */
async function survives({ file, text }: Mutant): Promise<boolean> {
  const target = join(copy, file)
  const original = readFileSync(target, 'utf8')
  for (const tests of testsOf(file)) {
    if (!(await passesUnchanged(tests))) throw new Error(`The tests of ${tests} fail without any change.`)
    writeFileSync(target, text)
    const passed = await passes(tests)
    writeFileSync(target, original)
    if (!passed) return false
  }
  return true
}

/** Looked at once: tests that fail anyway would kill everything. */
function passesUnchanged(tests: string): Promise<boolean> {
  const known = unchanged.get(tests) ?? passes(tests)
  unchanged.set(tests, known)
  return known
}

async function passes(tests: string): Promise<boolean> {
  const args = ['vitest', 'run', tests, '--bail', '1', '--reporter', 'dot', '--passWithNoTests']
  const child = spawn('npm', ['exec', '-c', args.join(' ')], { cwd: copy, stdio: 'ignore', detached: true })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGTERM'), 180_000)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  return code === 0
}

/** Of the deed, then of the whole module; of the platform, what lies in the same folder. */
function testsOf(file: string): string[] {
  const module = /^src\/modules\/[^/]+\//.exec(file)?.[0]
  return [...new Set([`${dirname(file)}/`, ...(module === undefined ? [] : [module])])]
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const order = list.map((one) => ({ one, at: random() }))
  return order.sort((a, b) => a.at - b.at).map(({ one }) => one)
}
