import { type ParseArgsConfig, parseArgs } from 'node:util'
import pg from 'pg'
import { isClusterHeld } from '../embedded-postgres/cluster/cluster.ts'
import { ensureSecret, readSecret } from '../embedded-postgres/files/secrets.ts'
import { type Config, sharedSecret } from '../platform/config.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { connect, type Database, type Pools } from '../platform/database/connect.ts'
import { type OnOwnConnection, ownConnections } from '../platform/database/connections/own-connection.ts'
import { usualPools } from '../platform/database/pools/pools.ts'
import { ApiError } from '../platform/errors.ts'
import { StartError, sentenceOf } from '../platform/start-error.ts'
import { type CommandDatabase, openForCommand } from './open-for-command.ts'

export type Output = { write(text: string): unknown; isTTY?: boolean }
export type Io = { stdout: Output; stderr: Output; env: NodeJS.ProcessEnv }

/** Runs a short command. The exit code is 0, or 2 with one sentence on standard error. */
export async function attempt(io: Io, work: () => Promise<void>): Promise<number> {
  try {
    await work()
    return 0
  } catch (error) {
    io.stderr.write(`${explain(error)}\n`)
    return 2
  }
}

/** A command is told of a signal, and finished rather than cut: a database that it started is stopped with it. */
export function ioOfProcess(stop: () => void = () => {}): Io {
  let at: number | null = null
  const receive = () => {
    // npm delivers one Ctrl-C twice in the same instant: only a later signal means "now".
    at ??= performance.now()
    if (performance.now() - at >= 1_000) process.exit(130)
    stop()
  }
  process.on('SIGINT', receive).on('SIGTERM', receive)
  const { stdout, stderr, env } = process
  return { stdout: awaitedOutput(stdout), stderr, env }
}

/** A write is done when its text has left: much to say is no more at a time than its reader takes. */
function awaitedOutput(stream: NodeJS.WriteStream): Output {
  // A reader that closes the pipe has seen enough.
  stream.on('error', () => {})
  return { write: (text) => new Promise<void>((resolve) => stream.write(text, () => resolve())) }
}

export function readOptions<const T extends ParseArgsConfig>(config: T, command: Command, { env }: Io) {
  refuseSwallowed(config, command, env)
  try {
    return parseArgs(config)
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('.')[0]}. See npm run ${command} -- --help.`)
  }
}

/** The one file that a command is called with. */
export function fileOf([file, ...more]: string[], command: Command): string {
  if (file === undefined || more.length > 0)
    throw new StartError(`Name one file, as in ${examples[command]}.`)
  return file
}

type Opened = { db: Database; pools: Pools; onOwnConnection: OnOwnConnection }

/** The service's database, beside it or without it. */
export async function withDatabase<T>(
  io: Io,
  config: Config,
  work: (opened: Opened) => Promise<T>,
  { limits = usualPools }: { limits?: typeof usualPools } = {},
): Promise<T> {
  const database = await openForCommand(config, sayer(io))
  try {
    sayDatabase(io, database)
    const { db, pools, close } = connect(database.service, { warn: () => {} }, { limits })
    const onOwnConnection = ownConnections(database.service)
    return await work({ db, pools, onOwnConnection }).finally(close)
  } finally {
    await database.close()
  }
}

/** For what looks at whole tables: nobody waits for an answer, and nothing else is held up. */
export const longLimits = Object.fromEntries(
  Object.entries(usualPools).map(([name, { max }]) => [name, { max, statementMs: 600_000, lockMs: 60_000 }]),
) as typeof usualPools

/** Looked at before the database is opened: afterwards this command may be the one that serves the data folder. */
export const isServed = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl === null && isClusterHeld(dataDir, clusterNames)

/** The secret that the service verifies with. Only who has the data folder to itself makes one. */
export function findSecret({ auth, dataDir }: Config, isServed: boolean): string {
  const known = auth.jwtSecret ?? readSecret(dataDir, 'jwtSecret')
  if (known !== null) return known
  if (isServed)
    throw new StartError(
      'The running service has its secret from AUTH_JWT_SECRET: set it for this command too.',
    )
  return ensureSecret(dataDir, 'jwtSecret')
}

/** What the service keys digests with, for a command that makes or finds them. */
export const sharedSecretOf = (config: Config, isServed: boolean): string =>
  config.databaseUrl === null ? findSecret(config, isServed) : sharedSecret(config)

/** To whoever watches, what is done meanwhile. */
export const sayer = (io: Io) => (message: string) =>
  void (io.stderr.isTTY && io.stderr.write(`${message}\n`))

/** Settings that a shell or a folder brings along may be others than those of the service. */
export const sayDatabase = (io: Io, { name }: CommandDatabase) => void io.stderr.write(`Database: ${name}\n`)

/** In a sentence, for whoever gave the command. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) return 'The database went away: try again when it is back.'
  // Its detail would quote rows.
  if (error instanceof pg.DatabaseError) return `The database refused: ${error.message}.`
  return sentenceOf(error)
}

/** npm keeps for itself what stands before its `--`, and tells it in the environment. */
function refuseSwallowed(
  { args = [], options = {} }: ParseArgsConfig,
  command: Command,
  env: Io['env'],
): void {
  const isGiven = (name: string) => args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
  // An address may stand in the settings of npm itself.
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
  audit: 'npm run audit -- verify --anchor anchors.jsonl',
  backup: 'npm run backup -- parvis.backup',
  load: 'npm run load -- elus --file elus.csv',
  migrate: 'npm run migrate -- --help',
  payments: 'npm run payments -- replay --failed',
  privacy: 'npm run privacy -- erase --email zoe@example.org --dry-run',
  restore: 'npm run restore -- parvis.backup',
  retention: 'npm run retention -- --dry-run',
  sources: "npm run sources -- set --code bresse --label 'Bresse'",
  token: 'npm run -s token -- --email admin@example.org',
}
type Command = keyof typeof examples
