import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { randomFrom } from '../../test/processes/seed.ts'
import { decisive } from './decisive.ts'
import { type Mutant, mutantsOf } from './mutations.ts'
import { openRunner } from './runner.ts'
import { isUnseen, testsOf } from './tests-of.ts'

/**
 * `npm run test:mutants -- [COUNT] [FILE…]`: mutates one thing at a time in decisive files of a copy of this checkout,
 * runs the tests of its module, and lists mutations no test noticed. MUTANTS_SEED repeats a sample; MUTANTS_MINUTES
 * bounds it.
 */
const minutes = Number(process.env.MUTANTS_MINUTES ?? 60)
const seed = Number(process.env.MUTANTS_SEED ?? Math.floor(Math.random() * 1e6))
const [count = '300', ...given] = process.argv.slice(2)
const files = given.length > 0 ? given : decisive()
const all = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
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

const runner = openRunner(copy, 180_000)
const end = Date.now() + minutes * 60_000
const counts = { killed: 0, lived: 0 }
/** Tests that failed on a mutation of a file; they run first for its next mutation. */
const seenBy = new Map<string, string[]>()
const sound = new Map<string, boolean>()
/** Functions that each test file runs, once recorded. */
const reach = new Map<string, Set<string>>()
for (const mutant of sample) {
  if (Date.now() > end) break
  const { file, line, was, is } = mutant
  const { failed, ms } = await tried(mutant)
  counts[failed === null ? 'lived' : 'killed']++
  say(`${failed ?? 'LIVED'}  ${file}:${line}  ${was}  →  ${is}  ${(ms / 1000).toFixed(1)} s`)
}
await runner.close()
const tries = counts.killed + counts.lived
say(
  `${counts.killed} of ${tries} killed (${Math.floor((100 * counts.killed) / Math.max(1, tries))} %), ` +
    `${counts.lived} lived, MUTANTS_SEED=${seed}`,
)
// About 7 % of the mutations are equivalent in effect.
process.exit(counts.killed >= 0.85 * tries ? 0 : 1)

async function tried({ file, text, within }: Mutant) {
  const target = join(copy, file)
  const original = readFileSync(target, 'utf8')
  const before = seenBy.get(file) ?? []
  const mayReach = (test: string) =>
    within === null || isUnseen(test) || (reach.get(test)?.has(`${file}#${within}`) ?? true)
  const tests = [...new Set([...before, ...testsOf(file)])].filter(mayReach)
  writeFileSync(target, text)
  const outcome = await runner.run(file, tests)
  writeFileSync(target, original)
  const { failed, reached } = outcome
  for (const [test, functions] of Object.entries(reached)) reach.set(test, new Set(functions))
  if (failed === null || !tests.includes(failed)) return outcome
  if (!(await isSound(file, failed))) throw new Error(`${failed} fails without any change.`)
  seenBy.set(file, [failed, ...before])
  return outcome
}

/** Returns whether a test passes without a mutation. Checked once: a failing test would kill every mutant. */
async function isSound(file: string, test: string): Promise<boolean> {
  const known = sound.get(test) ?? (await runner.run(file, [test])).failed === null
  sound.set(test, known)
  return known
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const order = list.map((one) => ({ one, at: random() }))
  return order.sort((a, b) => a.at - b.at).map(({ one }) => one)
}
