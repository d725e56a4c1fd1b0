import { readFile } from 'node:fs/promises'
import Type from 'typebox'
import { Compile } from 'typebox/schema'
import { modules } from '../app.ts'
import type { Root } from '../modules/acts/proof.ts'
import { verifyActs } from '../modules/acts/verify.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { command, type Io, longLimits, text, withDatabase } from './command.ts'

/** `acts verify [--roots f]`. Exit code: 0, 1 when something was changed, 2 when the command failed. */
export const run = command(
  {
    name: 'acts',
    usage: `Usage: npm run acts -- verify [--roots <file>]
  verifies the chain of published acts, each act against its seal and each file against its digest; with a copy of
  /actes/racines.json also that the chain was not replaced. Exit code 1: something was changed
`,
    options: { roots: text },
    allowPositionals: true,
  },
  async ({ values: { roots }, positionals: [what = '', ...others] }, io) => {
    if (what !== 'verify' || others.length > 0) throw new StartError('Name what to do: verify.')
    return verify(roots ?? null, io)
  },
)

async function verify(file: string | null, io: Io): Promise<number> {
  // Reads the file first, so that a wrong name does not start a database.
  const kept = file === null ? [] : await readRoots(file)
  const config = readConfig(modules, io.env, { needsTokens: false })
  const say = (line: string) => void io.stdout.write(`${line}\n`)
  const { seals, acts, faults } = await withDatabase(io, config, ({ db }) => verifyActs(db, kept, say), {
    limits: longLimits,
  })
  if (faults > 0) say(`${faults} ${faults === 1 ? 'fault' : 'faults'} in ${seals} seals.`)
  else say(`${acts} acts in ${seals} seals are as they were sealed.`)
  return faults > 0 ? 1 : 0
}

const isRoots = Compile(
  Type.Object({
    racines: Type.Array(
      Type.Object({
        date: Type.String(),
        number: Type.Integer({ minimum: 1 }),
        seal: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
    ),
  }),
)

async function readRoots(file: string): Promise<Root[]> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new StartError(`${file} cannot be read.`)
  })
  try {
    const given: unknown = JSON.parse(content)
    if (isRoots.Check(given)) return given.racines
  } catch {
    // As a file without roots.
  }
  throw new StartError(`${file} is no copy of /actes/racines.json.`)
}
