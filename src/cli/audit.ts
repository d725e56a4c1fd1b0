import { readFile } from 'node:fs/promises'
import Type from 'typebox'
import { Compile } from 'typebox/schema'
import { modules } from '../app.ts'
import { readSecret } from '../embedded-postgres/files/secrets.ts'
import { findLastSeal, findUnsealedAge } from '../modules/audit/seals/queries.ts'
import { insertVerification } from '../modules/audit/seals/reading-queries.ts'
import { sealKey } from '../modules/audit/seals/seal.ts'
import { sealSettings } from '../modules/audit/seals/settings.ts'
import { type Anchor, anchorOf, verifyAuditLog } from '../modules/audit/seals/verify.ts'
import { type Config, readConfig, settingsOf } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { command, type Io, longLimits, text, withDatabase } from './command.ts'

/**
 * `audit verify [--anchor f]`, `audit anchor`. Exit code: 0, 1 when the log was tampered with, 2 when the command
 * failed.
 */
export const run = command(
  {
    name: 'audit',
    usage: `Usage: npm run audit -- verify [--anchor <file>]
  verifies the audit log against its seals and names each row that was edited, removed, reordered or inserted since;
  with stored anchors, also detects entries removed from the end and seals that were replaced. Exit code 1: something was
npm run -s audit -- anchor
  prints the last seal as a line of JSON, to be added to a file that is kept out of the database's reach
`,
    options: { anchor: text },
    allowPositionals: true,
  },
  async ({ values, positionals: [what, ...more] }, io) => {
    if (more.length > 0 || (what !== 'verify' && what !== 'anchor'))
      throw new StartError('Name what to do: verify or anchor.')
    if (what === 'verify') return verify(values.anchor ?? null, io)
    if (values.anchor !== undefined)
      throw new StartError('--anchor is an option of verify: it names the file that holds printed anchors.')
    return printAnchor(io)
  },
)

async function printAnchor(io: Io): Promise<number> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  const { last, isSealed } = await withDatabase(io, config, async ({ db }) => ({
    last: await findLastSeal(db),
    // Read after opening, as below.
    isSealed: findKeys(config).length > 0,
  }))
  if (last === null)
    throw new StartError(
      isSealed
        ? 'There is no seal yet: the service makes one within about a minute.'
        : 'There is no seal, because nothing is sealed without AUDIT_KEY: set it for the service.',
    )
  io.stdout.write(`${JSON.stringify(anchorOf(last))}\n`)
  return 0
}

async function verify(file: string | null, io: Io): Promise<number> {
  // Reads the file first, so that a wrong name does not start a database.
  const anchors = file === null ? [] : await readAnchors(file)
  const config = readConfig(modules, io.env, { needsTokens: false })
  const say = (line: string) => void io.stdout.write(`${line}\n`)
  const work = async ({ db }: { db: Database }) => {
    // Read after opening: a command that starts the database may create the folder's secrets.
    const keys = findKeys(config)
    if (keys.length === 0) throw new StartError('Set AUDIT_KEY: the audit log is verified with it.')
    const result = await verifyAuditLog(db, keys, anchors, say)
    await insertVerification(db, result)
    const keyIds = keys.map(({ id }) => id)
    return { ...result, unsealedAge: await findUnsealedAge(db, keyIds) }
  }
  const { seals, rows, faults, unsealedAge } = await withDatabase(io, config, work, { limits: longLimits })
  if (faults > 0) say(`${faults} ${faults === 1 ? 'fault' : 'faults'} in ${seals} seals of ${rows} rows.`)
  else say(`${rows} rows in ${seals} seals are as they were sealed.`)
  if (unsealedAge > 0) say(`Not sealed yet: what was added in the last ${Math.ceil(unsealedAge)} s.`)
  return faults > 0 ? 1 : 0
}

/** Returns the keys of AUDIT_KEY and of the embedded database. */
function findKeys(config: Config) {
  const { keys } = settingsOf(config, sealSettings)
  const kept = config.databaseUrl === null ? readSecret(config.dataDir, 'auditKey') : null
  return kept === null ? keys : [...keys, sealKey(kept)]
}

const isAnchor = Compile(
  Type.Object({
    seal: Type.Integer({ minimum: 1 }),
    rows: Type.Integer({ minimum: 1 }),
    last_seq: Type.Integer({ minimum: 1 }),
    mac: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
)

/** Reads one anchor per line, as `audit anchor` prints them. */
async function readAnchors(file: string): Promise<Anchor[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The file ${file} cannot be read (${error.code}).`)
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) throw new StartError(`The file ${file} contains no anchor.`)
  return lines.map((line, n) => {
    const anchor = parse(line)
    if (!isAnchor.Check(anchor)) throw new StartError(`Line ${n + 1} of ${file} is not an anchor.`)
    return anchor as Anchor
  })
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
