import { type ParseArgsConfig, parseArgs } from 'node:util'
import pg from 'pg'
import { isClusterHeld } from '../embedded-postgres/cluster/cluster.ts'
import { ensureSecret, readSecret } from '../embedded-postgres/files/secrets.ts'
import { type Role, roles } from '../platform/access/areas.ts'
import { type Config, sharedSecret, storedSessionKey } from '../platform/config/config.ts'
import { StartError, sentenceOf } from '../platform/config/start-error.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { connect, type Database, type Pools } from '../platform/database/connect.ts'
import { type OnOwnConnection, ownConnections } from '../platform/database/connections/own-connection.ts'
import { defaultPools } from '../platform/database/pools/pools.ts'
import { patientTimes } from '../platform/database/pools/responsiveness.ts'
import { ApiError } from '../platform/errors.ts'
import { type CommandDatabase, openForCommand } from './open-for-command.ts'

export type Output = { write(text: string): unknown; isTTY?: boolean }
export type Io = { stdout: Output; stderr: Output; env: NodeJS.ProcessEnv }

type Options = NonNullable<ParseArgsConfig['options']>
/** The arguments of a command with these options. */
export type Arguments<O extends Options> = {
  values: ReturnType<typeof parseArgs<{ options: O }>>['values']
  positionals: string[]
}

export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

type About<O> = { name: Command; usage: string; options: O; allowPositionals?: boolean }

/**
 * Returns a command, which prints its usage for `--help`. Exit code: what the work returns, or 0; 2 with one sentence on
 * standard error.
 */
export function command<const O extends Options, I extends Io = Io>(
  about: About<O>,
  work: (given: Arguments<O>, io: I) => Promise<number> | Promise<void>,
  openIo: () => I = ioOfProcess as () => I,
): (args: string[], io?: I) => Promise<number> {
  return async (args, io = openIo()) => {
    try {
      const given = readArgs(args, about, io)
      if (!isHelp(given)) return (await work(given, io)) ?? 0
      await io.stdout.write(about.usage)
      return 0
    } catch (error) {
      io.stderr.write(`${explain(error)}\n`)
      return 2
    }
  }
}

function readArgs<O extends Options>(
  args: string[],
  { name, options, allowPositionals = false }: About<O>,
  { env }: Io,
): Arguments<O> {
  const config = { args, options: { ...options, help: { ...flag, short: 'h' } }, allowPositionals }
  refuseSwallowed(config, name, env)
  try {
    return parseArgs(config) as Arguments<O>
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('.')[0]}. See npm run ${name} -- --help.`)
  }
}

const isHelp = ({ values }: { values: object }) => (values as { help?: boolean }).help === true

/** Connects a command to the process. A signal lets it finish, so that a database it started is stopped. */
export function ioOfProcess(stop: () => void = () => {}): Io {
  let at: number | null = null
  const receive = () => {
    // npm delivers one Ctrl-C twice: only a signal at least a second later exits immediately.
    at ??= performance.now()
    if (performance.now() - at >= 1_000) process.exit(130)
    stop()
  }
  process.on('SIGINT', receive).on('SIGTERM', receive)
  const { stdout, stderr, env } = process
  return { stdout: awaitedOutput(stdout), stderr, env }
}

/** Wraps a stream so that a write resolves once it is flushed: memory stays bounded with a slow reader. */
function awaitedOutput(stream: NodeJS.WriteStream): Output {
  // Ignores errors: a reader may close the pipe early.
  stream.on('error', () => {})
  return { write: (text) => new Promise<void>((resolve) => stream.write(text, () => resolve())) }
}

/** Returns the single file argument of a command. */
export function fileOf([file, ...more]: string[], command: Command): string {
  if (file === undefined || more.length > 0)
    throw new StartError(`Name one file, as in ${examples[command]}.`)
  return file
}

type OpenDatabase = { db: Database; pools: Pools; onOwnConnection: OnOwnConnection }

/** Opens the service's database, with or without a running service. */
export async function withDatabase<T>(
  io: Io,
  config: Config,
  work: (opened: OpenDatabase) => Promise<T>,
  { limits = defaultPools }: { limits?: typeof defaultPools } = {},
): Promise<T> {
  const database = await openForCommand(config, sayer(io))
  try {
    sayDatabase(io, database)
    const { service, isPooled } = database
    const options = { limits, responsivenessTimes: patientTimes, isPooled }
    const { db, pools, close } = connect(service, { warn: () => {} }, options)
    const onOwnConnection = ownConnections(service, isPooled)
    return await work({ db, pools, onOwnConnection }).finally(close)
  } finally {
    await database.close()
  }
}

/** Limits for whole-table work: no request waits for it, and it blocks no other work. */
export const longLimits = Object.fromEntries(
  Object.entries(defaultPools).map(([name, { max }]) => [
    name,
    { max, statementMs: 600_000, lockMs: 60_000 },
  ]),
) as typeof defaultPools

/** Call this before opening the database: afterwards, this command may hold the data folder's lock. */
export const isServed = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl === null && isClusterHeld(dataDir, clusterNames)

/** Returns the secret that verifies tokens. Only the holder of the data folder may create one. */
export function findSecret({ auth, dataDir }: Config, isServed: boolean): string {
  const known = auth.jwtSecret ?? readSecret(dataDir, 'jwtSecret')
  if (known !== null) return known
  if (isServed)
    throw new StartError(
      'The running service has its secret from AUTH_JWT_SECRET: set it for this command too.',
    )
  return ensureSecret(dataDir, 'jwtSecret')
}

/** Returns the keys that links are derived from. Creates one only if no service holds the data folder. */
export function sessionKeysOf({ sessionKeys, databaseUrl, dataDir }: Config, isServed: boolean): string[] {
  if (sessionKeys.length > 0 || databaseUrl !== null) return sessionKeys
  const known = readSecret(dataDir, storedSessionKey)
  if (known !== null) return [known]
  if (isServed)
    throw new StartError('The running service has its key from SESSION_KEY: set it for this command too.')
  return [ensureSecret(dataDir, storedSessionKey)]
}

/** Returns the secret with which the service keys its digests. */
export const sharedSecretOf = (config: Config, isServed: boolean): string =>
  config.databaseUrl === null ? findSecret(config, isServed) : sharedSecret(config)

/** Reports progress on standard error. */
export const sayer = (io: Io) => (message: string) =>
  void (io.stderr.isTTY && io.stderr.write(`${message}\n`))

/** Prints the database's name, because a shell or folder may have other settings than the service. */
export const sayDatabase = (io: Io, { name }: CommandDatabase) => void io.stderr.write(`Database: ${name}\n`)

/** Explains an error in one sentence. */
function explain(error: unknown): string {
  if (error instanceof ApiError) return 'The database became unavailable: try again later.'
  // Omits the error's detail, which would quote rows.
  if (error instanceof pg.DatabaseError) return `The database refused: ${error.message}.`
  return sentenceOf(error)
}

/** Refuses options that npm consumed because they came before its `--`. */
function refuseSwallowed(
  { args, options }: { args: string[]; options: Options },
  command: Command,
  env: Io['env'],
): void {
  const isGiven = (name: string) => args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  // npm's own `email` setting may contain an address.
  const isNpms = (name: string) => name === 'email' && args.some((arg) => arg.startsWith('-'))
  const swallowed = Object.keys(options).find(
    (name) => env[`npm_config_${name.replaceAll('-', '_')}`] && !isGiven(name) && !isNpms(name),
  )
  if (swallowed === undefined) return
  throw new StartError(
    `npm kept --${swallowed} for itself: put -- before what is meant for the command, as in ${examples[command]}.`,
  )
}

const examples = {
  acts: 'npm run acts -- verify --roots racines.json',
  audit: 'npm run audit -- verify --anchor anchors.jsonl',
  backup: 'npm run backup -- parvis.backup',
  broadcasts: 'npm run broadcasts -- collectes',
  jobs: 'npm run jobs -- requeue --all',
  load: 'npm run load -- elus --file elus.csv',
  media: 'npm run media -- move --to s3',
  migrate: 'npm run migrate -- --help',
  payments: 'npm run payments -- replay --failed',
  privacy: 'npm run privacy -- erase --email zoe@example.org --dry-run',
  restore: 'npm run restore -- parvis.backup',
  retention: 'npm run retention -- --dry-run',
  'sign-in': 'npm run -s sign-in -- --email admin@example.org --role admin',
  sources: "npm run sources -- set --code bresse --label 'Bresse'",
  token: 'npm run -s token -- --email admin@example.org',
}
type Command = keyof typeof examples

/** Reads the option `--role`; null without it. */
export function readRole(text: string | undefined): Role | null {
  if (text === undefined) return null
  const role = roles.find((name) => name === text)
  if (role === undefined) throw new StartError(`There is no role ${text}: the roles are ${roles.join(', ')}.`)
  return role
}
