import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import Type from 'typebox'
import { Compile } from 'typebox/schema'
import { modules } from '../app.ts'
import { readSecret } from '../embedded-postgres/files/secrets.ts'
import { ArchiveError, archiveMonths, restoreMonth } from '../modules/audit/archives/archive.ts'
import { archivedRows } from '../modules/audit/archives/archived.ts'
import { listArchives } from '../modules/audit/archives/queries.ts'
import { findLastSeal, findUnsealedAge } from '../modules/audit/seals/queries.ts'
import { insertVerification } from '../modules/audit/seals/reading-queries.ts'
import { sealKeys } from '../modules/audit/seals/seal.ts'
import { sealSettings } from '../modules/audit/seals/settings.ts'
import { type Anchor, anchorOf, nothingArchived, verifyAuditLog } from '../modules/audit/seals/verify.ts'
import { type Config, readConfig, settingsOf } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { connect, type Database } from '../platform/database/connect.ts'
import { patientTimes } from '../platform/database/pools/responsiveness.ts'
import { command, type Io, longLimits, sayDatabase, sayer, text, withDatabase } from './command.ts'
import { openForCommand } from './open-for-command.ts'

/**
 * `audit verify [--anchor f] [--archives d]`, `audit anchor`, `audit archive --archives d [--keep n]`, `audit restore
 * --archives d <file>`. Exit code: 0, 1 when the log was tampered with, 2 when the command failed.
 */
export const run = command(
  {
    name: 'audit',
    usage: `Usage: npm run audit -- verify [--anchor <file>] [--archives <folder>]
  verifies the audit log against its seals and names each row that was edited, removed, reordered or inserted since;
  with stored anchors, also detects entries removed from the end and seals that were replaced. What was archived is read from
  the folder. Exit code 1: something was
npm run -s audit -- anchor
  prints the last seal as a line of JSON, to be added to a file that is kept out of the database's reach
npm run audit -- archive --archives <folder> [--keep <months>]
  moves whole months into files in this folder, all but the last 12 (or --keep, at least 2). Needs MIGRATE_DATABASE_URL
npm run audit -- restore --archives <folder> <file>
  inserts the rows of an archive again. Needs MIGRATE_DATABASE_URL
`,
    options: { anchor: text, archives: text, keep: text },
    allowPositionals: true,
  },
  async ({ values: { anchor, archives, keep }, positionals: [what = '', ...names] }, io) => {
    const options = Object.entries({ anchor, archives, keep }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    )
    const form = forms[what]
    if (form === undefined || names.length !== form.files)
      throw new StartError('Name what to do: verify, anchor, archive, or restore and one file.')
    const strange = options.find((name) => !form.options.includes(name))
    if (strange !== undefined) throw new StartError(`--${strange} is no option of ${what}.`)
    if (what === 'verify') return verify(anchor ?? null, archives ?? null, io)
    if (what === 'anchor') return printAnchor(io)
    if (archives === undefined) throw new StartError('Name the folder of the archives: --archives <folder>.')
    if (what === 'archive') return archive(archives, readMonths(keep ?? '12'), io)
    return restore(archives, names[0] ?? '', io)
  },
)

const forms: Record<string, { options: string[]; files: number }> = {
  verify: { options: ['anchor', 'archives'], files: 0 },
  anchor: { options: [], files: 0 },
  archive: { options: ['archives', 'keep'], files: 0 },
  restore: { options: ['archives'], files: 1 },
}

/** The dashboard counts the rejections of the last weeks in the log. */
function readMonths(value: string): number {
  const months = Number(value)
  if (!/^\d+$/.test(value) || months < 2 || months > 1_200)
    throw new StartError('--keep must be a number of months from 2 to 1200.')
  return months
}

/** Archives all whole months but the last `keep` ones. */
async function archive(folder: string, keep: number, io: Io): Promise<number> {
  const now = new Date()
  const until = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - keep))
  const made = await asOwner(folder, io, (options) => archiveMonths(options, until))
  for (const { name, rows } of made) io.stdout.write(`${name}: ${rows} rows\n`)
  if (made.length === 0)
    io.stdout.write(`No whole month before ${until.toISOString().slice(0, 7)} is in the log.\n`)
  return 0
}

async function restore(folder: string, name: string, io: Io): Promise<number> {
  const { rows } = await asOwner(folder, io, (options) => restoreMonth(options, basename(name)))
  io.stdout.write(`${rows} rows of ${basename(name)} are in the log again. The file was not deleted.\n`)
  return 0
}

/** Archives are made by the owner of the tables: the service's role cannot delete entries. */
async function asOwner<T>(
  folder: string,
  io: Io,
  work: (options: Parameters<typeof restoreMonth>[0]) => Promise<T>,
): Promise<T> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new StartError(`${folder} is no folder.`)
  const config = readConfig(modules, io.env, { needsTokens: false })
  const database = await openForCommand(config, sayer(io))
  try {
    sayDatabase(io, database)
    if (database.owner === null)
      throw new StartError(
        'Set MIGRATE_DATABASE_URL: only the owner of the tables may move entries of the audit log.',
      )
    const options = { limits: longLimits, responsivenessTimes: patientTimes }
    const { db, close } = connect(database.owner, { warn: () => {} }, options)
    const keys = findKeys(config)
    if (keys.length === 0) throw new StartError('Set AUDIT_KEY: the audit log is verified with it.')
    return await work({ db, keys, folder })
      .catch((error) => {
        throw error instanceof ArchiveError ? new StartError(`Not done: ${error.message}.`) : error
      })
      .finally(close)
  } finally {
    await database.close()
  }
}

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

async function verify(file: string | null, folder: string | null, io: Io): Promise<number> {
  // Reads the file first, so that a wrong name does not start a database.
  const anchors = file === null ? [] : await readAnchors(file)
  const config = readConfig(modules, io.env, { needsTokens: false })
  const say = (line: string) => void io.stdout.write(`${line}\n`)
  const work = async ({ db }: { db: Database }) => {
    // Read after opening: a command that starts the database may create the folder's secrets.
    const keys = findKeys(config)
    if (keys.length === 0) throw new StartError('Set AUDIT_KEY: the audit log is verified with it.')
    const archives = await listArchives(db)
    if (archives.length > 0 && folder === null)
      throw new StartError('Parts of the audit log are archived: name their folder, --archives <folder>.')
    const archived = folder === null ? nothingArchived : archivedRows(folder, archives)
    const result = await verifyAuditLog(db, keys, anchors, say, archived)
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
  return kept === null ? keys : [...keys, ...sealKeys(kept)]
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
