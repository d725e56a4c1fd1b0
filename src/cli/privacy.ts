import { modules } from '../app.ts'
import { type Erasure, erasePerson } from '../modules/privacy/erase.ts'
import { exportPerson } from '../modules/privacy/export.ts'
import { findPerson, listUnsureRecords, type PersonQuery } from '../modules/privacy/person.ts'
import { addressPattern, findTraces, type Trace } from '../modules/privacy/traces.ts'
import { identityDigests } from '../platform/access/erased-identities.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { ApiError } from '../platform/errors.ts'
import { isUuid } from '../platform/formats/uuid.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { createLog } from '../platform/log/log.ts'
import { systemClock } from '../platform/time/clock.ts'
import {
  command,
  flag,
  type Io,
  isServed,
  longLimits,
  sessionKeysOf,
  sharedSecretOf,
  text,
  withDatabase,
} from './command.ts'

/** `privacy export --email e | --user id`, `privacy erase … [--dry-run]`. */
export const run = command(
  {
    name: 'privacy',
    usage: `Usage: npm run -s privacy -- export --email <address> | --user <id>
  prints all that is kept of a person as JSON
npm run privacy -- erase --email <address> | --user <id> [--dry-run]
  removes identifying data in one transaction and lists the changed rows; it cannot be undone.
  --dry-run lists these rows and changes nothing
--email selects every record with this address and the accounts that have verified it; --user selects one account, and
its address if verified
--also <id> adds a claim or thread of another account that was named as left out
`,
    options: { email: text, user: text, also: { ...text, multiple: true }, 'dry-run': flag },
    allowPositionals: true,
  },
  async ({ values, positionals: [what, ...more] }, io) => {
    const { email, user, also, 'dry-run': dryRun } = values
    if (more.length > 0 || (what !== 'export' && what !== 'erase'))
      throw new StartError('Name what to do: export or erase.')
    if (what === 'export' && dryRun)
      throw new StartError('--dry-run is an option of erase: an export changes nothing.')
    if (also?.some((id) => !isUuid(id))) throw new StartError('--also takes the id of a record.')
    const asked = { ...readPerson(email, user), ...(also && { also }) }
    if (what === 'export') await printExport(asked, io)
    else await erase(asked, dryRun, io)
  },
)

function readPerson(email: string | undefined, user: string | undefined): PersonQuery {
  if (email !== undefined && user === undefined) return { email }
  if (user !== undefined && email === undefined) return { user }
  throw new StartError('Name the person: --email <address>, or --user <id>.')
}

async function printExport(asked: PersonQuery, io: Io): Promise<void> {
  const read = readConfig(modules, io.env, { needsTokens: false, needsSessionKey: true })
  const served = isServed(read)
  const work = async ({ db }: { db: Database }) => {
    const config = { ...read, sessionKeys: sessionKeysOf(read, served) }
    const { person, unsure } = await findPerson(db, asked).catch(explain(asked))
    sayUnsure(unsure, await listUnsureRecords(db, { modules, config }, person), io)
    for await (const piece of exportPerson({ db, modules, config, clock: systemClock }, person))
      await io.stdout.write(piece)
  }
  await withDatabase(io, read, work, { limits: longLimits })
}

async function erase(asked: PersonQuery, dryRun: boolean, io: Io): Promise<void> {
  const read = readConfig(modules, io.env, { needsSessionKey: true })
  const served = isServed(read)
  const log = createLog('silent')
  await withDatabase(
    io,
    read,
    async ({ db, pools }) => {
      const config = { ...read, sessionKeys: sessionKeysOf(read, served) }
      const digests = identityDigests(config, sharedSecretOf(config, served))
      const jobs = createJobs({ db, pool: pools.jobs, log })
      const tools = { db, jobs, modules, config, clock: systemClock, digests }
      const erased = await erasePerson(tools, asked, { dryRun })
        .catch(explain(asked))
        .finally(() => jobs.stop())
      sayUnsure(erased.unsure, await listUnsureRecords(db, { modules, config }, erased.person), io)
      io.stdout.write(report(erased, dryRun))
      // In a dry run, these would include rows that are to be erased.
      if (dryRun) return
      io.stdout.write(reportTraces(await findTraces(db, erased.person.emails.map(addressPattern))))
    },
    { limits: longLimits },
  )
}

/** Turns a refusal into a sentence about the options of the command. */
const explain =
  (asked: PersonQuery) =>
  (error: unknown): never => {
    const code = error instanceof ApiError ? error.code : null
    if (code === 'last_admin')
      throw new StartError('This is the last administrator: make somebody else one first (npm run token).')
    if (code !== 'validation_failed') throw error
    throw new StartError(
      'user' in asked ? `There is no user ${asked.user}.` : `${asked.email} is not a plain e-mail address.`,
    )
  }

function sayUnsure(ids: string[], records: Record<string, string[]>, io: Io): void {
  for (const [name, recordIds] of Object.entries(records))
    io.stderr.write(
      `Left out: ${name} ${recordIds.join(', ')} contain this address but belong to another account. See --also.\n`,
    )
  for (const id of ids)
    io.stderr.write(`Left out: the user ${id} states this address, but it is not verified. See --user.\n`)
}

function report({ changed }: Erasure, dryRun: boolean): string {
  const lines = Object.entries(changed)
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) => `${name}: ${ids.length} (${ids.join(', ')})\n`)
  if (lines.length === 0) return 'There is nothing to erase.\n'
  return `${lines.join('')}${dryRun ? 'Nothing was changed: this was a dry run.' : 'Erased.'}\n`
}

/** Lists texts by other people that contain the address: a person must read them before erasing. */
const reportTraces = (traces: Trace[]): string =>
  traces
    .map(
      ({ table, column, rows }) =>
        `The address still occurs in ${table}.${column}, in ${rows} rows: review these rows.\n`,
    )
    .join('')
