import { addAbortSignal, type Readable } from 'node:stream'
import { modules } from '../app.ts'
import type { PublicSource } from '../loaders/public-source.ts'
import { createRun, type Run, refusalsKept } from '../loaders/run.ts'
import { openSource, type Source, uncompressed } from '../loaders/source.ts'
import { sources } from '../loaders/sources.ts'
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

const names = sources.map(({ name }) => name)
const listed = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
const withFalls = sources.filter(({ refusesFalls }) => refusesFalls).map(({ name }) => name)

function usageOf({ name, usage, licence, address }: PublicSource): string {
  const newest = address === null ? '' : `${' '.repeat(19)}newest (${licence}): ${address}\n`
  return `  ${name.padEnd(16)} ${usage}\n${newest}`
}

/**
 * `load <source> [--file f] [--strict] [--accept-fall]`. Exit code: 0 done, 1 done with --strict and refused rows, 2 failed, 130
 * stopped by a signal.
 */
export const run = command(
  {
    name: 'load',
    usage: `Usage: npm run load -- <what> [--file <path>] [--strict] [--accept-fall]
${sources.map(usageOf).join('')}--accept-fall accepts a file of ${withFalls.join(', ')} that lacks or changes much more than usual.
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

type Request = { source: PublicSource; file: string | null; strict: boolean; acceptFall: boolean }

function readRequest({ values, positionals: [name, ...more] }: Arguments<typeof options>): Request {
  const { file = more.shift() ?? null, strict, 'accept-fall': acceptFall } = values
  const source = sources.find((known) => known.name === name)
  if (source === undefined || more.length > 0) throw new StartError(`Name what to load: ${listed}.`)
  if (file === null && !source.isPackaged)
    throw new StartError(`Name the file of the ${name}: --file <path>, or --file - for standard input.`)
  if (acceptFall && !source.refusesFalls)
    throw new StartError(
      `--accept-fall is an option of ${withFalls.join(', ')}: no other load is refused for a fall in rows.`,
    )
  return { source, file, strict, acceptFall }
}

async function load({ source, file, strict, acceptFall }: Request, io: Io): Promise<number> {
  // Opens the file first, so that a wrong name does not start a database.
  const opened = await open(file, io)
  try {
    const input = opened?.input ?? null
    const progress = createProgress(io.stderr, source.name)
    const { signal } = io
    const result = createRun({ onStep: progress.show, signal, asOf: opened?.asOf, acceptFall })
    const config = readConfig(modules, io.env, { needsTokens: false })
    await withDatabase(
      io,
      config,
      ({ db, onOwnConnection }) => source.load(db, input, result, { onOwnConnection, acceptFall }),
      source.isLong ? { limits: longLimits } : {},
    ).finally(progress.clear)
    await io.stdout.write(report(source.name, result))
    return strict && result.counts.refused > 0 ? 1 : 0
  } finally {
    await opened?.close()
  }
}

/** A signal also stops a run that waits for its input. */
async function open(file: string | null, { stdin, signal }: Io): Promise<Source | null> {
  if (file === null) return null
  if (file !== '-') return openSource(file, signal)
  return { input: uncompressed(addAbortSignal(signal, stdin)), close: async () => {}, asOf: null }
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
