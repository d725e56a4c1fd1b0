import { addAbortSignal, type Readable } from 'node:stream'
import { modules } from '../app.ts'
import { loadAddresses } from '../loaders/addresses/load.ts'
import { loadCommunes } from '../loaders/communes/load.ts'
import { loadDefibrillateurs } from '../loaders/defibrillateurs/load.ts'
import { loadElus } from '../loaders/elus/load.ts'
import { loadGroups } from '../loaders/groups/load.ts'
import { loadMairies } from '../loaders/mairies/load.ts'
import { createRun, type Run, refusalsKept } from '../loaders/run.ts'
import { openSource, type Source, uncompressed } from '../loaders/source.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { ApiError } from '../platform/errors.ts'
import {
  type Arguments,
  type Io as CommandIo,
  command,
  ioOfProcess as commandIo,
  flag,
  longLimits,
  type Output,
  text,
  withDatabase,
} from './command.ts'

export type Io = CommandIo & { stdin: Readable; signal: AbortSignal }

const options = { file: text, strict: flag, 'accept-fall': flag }

/**
 * `load communes [--file f]`, `load groups [--file f]`, `load elus --file f`, `load mairies --file f`, `load defibrillateurs --file f
 * [--accept-fall]`, `load addresses --file f [--accept-fall]`. Exit code: 0 done, 1 done with --strict and refused rows, 2 failed, 130 stopped by a signal.
 */
export const run = command(
  {
    name: 'load',
    usage: `Usage: npm run load -- <what> [--file <path>] [--strict]
  communes  from the package that carries the register, or with --file from JSON of geo.api.gouv.fr
  groups    the intercommunalities with their members, from the same package, or with --file from JSON of its form
  elus      from a CSV of the Répertoire national des élus
  mairies   from JSON of the Annuaire de l'administration
  defibrillateurs  from the CSV of the registry Géo'DAE; --accept-fall accepts a file that lacks more than half of the
            present devices
  addresses from a Base Adresse Locale, of one or more communes; --accept-fall accepts less than half of the addresses
            that a commune has
--file may be an https address, and is read through gzip; --file - reads standard input. The file may be named without
--file. --strict exits with 1 when rows were refused.
`,
    options,
    allowPositionals: true,
  },
  async (given, io) => {
    const request = readRequest(given)
    try {
      return await load(request, io)
    } catch (error) {
      const resume = 'what was loaded so far stays, the same command completes it.'
      if (io.signal.aborted) {
        io.stderr.write(`Stopped: ${resume}\n`)
        return 130
      }
      if (error instanceof ApiError) throw new StartError(`The database became unavailable: ${resume}`)
      throw error
    }
  },
  ioOfProcess,
)

const loaders = {
  communes: loadCommunes,
  groups: loadGroups,
  elus: loadElus,
  mairies: loadMairies,
  defibrillateurs: loadDefibrillateurs,
  addresses: loadAddresses,
}
type Request = { what: keyof typeof loaders; file: string | null; strict: boolean; acceptFall: boolean }

function readRequest({ values, positionals: [name, ...more] }: Arguments<typeof options>): Request {
  const { file = more.shift() ?? null, strict, 'accept-fall': acceptFall } = values
  const what = (Object.keys(loaders) as Request['what'][]).find((loader) => loader === name)
  if (what === undefined || more.length > 0)
    throw new StartError('Name what to load: communes, groups, elus, mairies, defibrillateurs or addresses.')
  if (file === null && what !== 'communes' && what !== 'groups')
    throw new StartError(`Name the file of the ${what}: --file <path>, or --file - for standard input.`)
  if (acceptFall && what !== 'defibrillateurs' && what !== 'addresses')
    throw new StartError(
      '--accept-fall is an option of defibrillateurs and addresses: no other load is refused for a fall in rows.',
    )
  return { what, file, strict, acceptFall }
}

async function load({ what, file, strict, acceptFall }: Request, io: Io): Promise<number> {
  // Opens the file first, so that a wrong name does not start a database.
  const opened = await open(file, io)
  try {
    const input = opened?.input ?? null
    const progress = createProgress(io.stderr, what)
    const result = createRun({ onStep: progress.show, signal: io.signal })
    const config = readConfig(modules, io.env, { needsTokens: false })
    // The addresses of a commune are replaced in one transaction, for which another load of them waits.
    const limits = what === 'addresses' ? { limits: longLimits } : {}
    await withDatabase(
      io,
      config,
      ({ db, onOwnConnection }) =>
        input === null
          ? (what === 'groups' ? loadGroups : loadCommunes)(db, null, result)
          : loaders[what](db, input, result, { onOwnConnection, acceptFall }),
      limits,
    ).finally(progress.clear)
    await io.stdout.write(report(what, result))
    return strict && result.counts.refused > 0 ? 1 : 0
  } finally {
    await opened?.close()
  }
}

/** A signal also stops a run that waits for its input. */
async function open(file: string | null, { stdin, signal }: Io): Promise<Source | null> {
  if (file === null) return null
  if (file !== '-') return openSource(file, signal)
  return { input: uncompressed(addAbortSignal(signal, stdin)), close: async () => {} }
}

/** Prints progress in one line that it overwrites. */
function createProgress(stderr: Output, what: string) {
  let shownAt = 0
  return {
    show({ read, created, updated, unchanged }: Run['counts']) {
      if (!stderr.isTTY || performance.now() - shownAt < 100) return
      shownAt = performance.now()
      stderr.write(`\r\x1b[K${what}: ${read} read, ${created + updated + unchanged} placed`)
    },
    clear() {
      if (shownAt > 0) stderr.write('\r\x1b[K')
    },
  }
}

function report(what: string, { counts, refusals }: Run): string {
  const {
    read,
    setAside,
    created,
    updated,
    unchanged,
    removed,
    refused,
    membersAdded,
    membersRemoved,
    streets,
  } = counts
  const results = { read, created, updated, unchanged, ...(removed && { removed }), refused }
  const members = {
    ...(membersAdded && { 'members added': membersAdded }),
    ...(membersRemoved && { 'members removed': membersRemoved }),
    ...(streets && { streets }),
  }
  const aside = setAside > 0 ? { 'not concerned': setAside } : {}
  const figures = Object.entries({ ...results, ...aside, ...members }).map(
    ([name, count]) => `${count} ${name}`,
  )
  const lines = refusals.map(({ where, reason }) => `  ${where}: ${reason}`)
  if (refusals.length === refusalsKept && refused > refusalsKept)
    lines.push(`  and ${refused - refusalsKept} more`)
  return [`${what}: ${figures.join(', ')}`, ...lines, ''].join('\n')
}

/** Connects the command to the process; Ctrl-C or SIGTERM ends the run after the current batch. */
function ioOfProcess(): Io {
  const stop = new AbortController()
  return { ...commandIo(() => stop.abort()), stdin: process.stdin, signal: stop.signal }
}
