import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseMailFrom } from '../formats/mail-address.ts'
import { parseMailUrl } from '../formats/mail-url.ts'
import { parseRateLimit } from '../rate-limit.ts'
import { findMisspelled } from './misspelled.ts'
import {
  readAddresses,
  readCdn,
  readDatabases,
  readMap,
  readProcesses,
  readSecrets,
} from './setting-groups.ts'
import { list, oneOf, type Parse, readerOf, type Settings, text, wholeNumber } from './settings.ts'
import { StartError } from './start-error.ts'
import { connectionsOrOff, longSecret, network, origin, seconds } from './values.ts'

/** Loads a .env file when there is one. Variables that are already set take precedence. */
export function readEnvFile(file = '.env'): void {
  if (!existsSync(file)) return
  try {
    process.loadEnvFile(file)
  } catch {
    throw new StartError(`${file} must be a file that this user may read.`)
  }
}

/** The settings that modules declare. */
type Configurable = {
  settings?: { own?: Settings<unknown>; limits?: Readonly<Record<string, string>> }
  retention?: readonly { name: string; months: number }[]
}

/**
 * Reads the configuration; nothing else reads the environment. An invalid value stops the start with one
 * sentence that names it. Commands that neither verify nor sign tokens need no token secret; only the service
 * and `sign-in` need SESSION_KEY.
 */
export function readConfig(
  modules: readonly Configurable[],
  env: NodeJS.ProcessEnv = process.env,
  { needsTokens = true, needsSessionKey = false, platform = process.platform } = {},
) {
  const asked = new Set<string>()
  const read = readerOf(env, asked)
  const mustHaveFactor = (fallback: 'admin' | 'none') =>
    read.or('SECOND_FACTOR', oneOf('admin', 'all', 'none'), fallback)
  const databases = readDatabases(read)
  const secrets = readSecrets(read, databases, { needsTokens, needsSessionKey })
  const processes = readProcesses(read, databases, env.PARVIS_INSTANCE, platform)
  const dataDir = resolve(read.or('DATA_DIR', text, '.data'))
  return {
    host: read.or('HOST', text, '127.0.0.1'),
    ...processes,
    ...readAddresses(read, processes.port),
    ...databases,
    ...secrets,
    /** Users who must have a second factor: administrators, everybody, or nobody. */
    secondFactor: mustHaveFactor('admin'),
    /** The same on the embedded database with demo content. */
    secondFactorOfDemo: mustHaveFactor('none'),
    shutdownDelayMs: 1_000 * read.or('SHUTDOWN_DELAY', seconds, 3),
    dataDir,
    /** Newest first. If empty, a generated key is stored in the database. */
    erasureKeys: read.or('ERASURE_KEY', list(longSecret), []),
    /** Whether `/backoffice/` is served. */
    backoffice: read.or('BACKOFFICE', oneOf('on', 'off'), 'on') === 'on',
    /** Whether `/docs` is served. */
    docs: read.or('DOCS', oneOf('on', 'off'), 'on') === 'on',
    /** Whether `/mcp` is served. */
    mcp: read.or('MCP', oneOf('on', 'off'), 'on') === 'on',
    /** Background of the maps in the back-office; without both addresses: the outline of the départements. */
    map: readMap(read),
    corsOrigins: read.or('CORS_ORIGINS', list(origin), []),
    trustProxy: read.or('TRUST_PROXY', list(network), []),
    cdn: readCdn(read),
    maxConnectionsPerAddress: read.or('MAX_CONNECTIONS_PER_ADDRESS', connectionsOrOff, 512),
    /** By the name of the limit, as in RATE_LIMIT_CREATE. */
    rateLimits: byName(
      modules.flatMap(({ settings }) => Object.entries(settings?.limits ?? {})),
      (name, fallback) => read.or(`RATE_LIMIT_${name}`, parseRateLimit, parseRateLimit(fallback)),
    ),
    mail: {
      url: read.optional('MAIL_URL', checked(parseMailUrl)),
      from: read.or('MAIL_FROM', checked(parseMailFrom), 'Parvis <parvis@localhost.localdomain>'),
      /** Where mails are files while no mail server is set. */
      outboxDir: join(dataDir, 'outbox'),
    },
    /** Retention in months by name, as in RETENTION_CLAIMS. */
    retentionMonths: byName(
      modules.flatMap(({ retention = [] }) =>
        retention.map(({ name, months }): [string, number] => [name, months]),
      ),
      (name, fallback) => read.or(`RETENTION_${name}`, wholeNumber('months', 1_200), fallback),
    ),
    /** Read through `settingsOf`. */
    modules: new Map(
      modules.flatMap(({ settings: { own } = {} }) => (own ? [[own.name, own.read(read)]] : [])),
    ),
    logLevel: read.or(
      'LOG_LEVEL',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'info',
    ),
    seed: read.optional('SEED', oneOf('demo', 'none')),
    /** Variables that were probably meant to be settings; last, once all have been asked for. */
    misspelled: findMisspelled(env, asked),
  }
}

export type Config = ReturnType<typeof readConfig>
/** See JOBS. */
export type JobsRole = Config['jobs']

/** A secret shared by all instances on one database, used to key digests. */
export const sharedSecret = ({ auth, databaseUrl }: Config): string => auth.jwtSecret ?? databaseUrl ?? ''

/** Returns the settings of a module as the module parsed them. */
export function settingsOf<T>({ modules }: Config, { name }: Settings<T>): T {
  if (!modules.has(name)) throw new Error(`The settings of ${name} were not read: is its module listed?`)
  return modules.get(name) as T
}

/** Name of the session key among the secrets stored with the embedded database. */
export const storedSessionKey = 'sessionKey'

/**
 * Fills in missing secrets from those stored with the embedded database; with an external database, none are
 * stored.
 */
export function withStoredSecrets(
  config: Config,
  modules: readonly Configurable[],
  secret: ((name: string) => string) | null,
): Config {
  if (secret === null) return config
  const filled = new Map(config.modules)
  for (const { settings: { own } = {} } of modules) {
    if (own?.fillStored) filled.set(own.name, own.fillStored(settingsOf(config, own), secret))
  }
  const jwtSecret = config.auth.jwtSecret ?? secret('jwtSecret')
  const sessionKeys = config.sessionKeys.length > 0 ? config.sessionKeys : [secret(storedSessionKey)]
  return { ...config, auth: { ...config.auth, jwtSecret }, sessionKeys, modules: filled }
}

/** Reads one setting for each name; the environment variable has the name in capitals. */
function byName<Value, Fallback>(
  settings: (readonly [name: string, fallback: Fallback])[],
  read: (name: string, fallback: Fallback) => Value,
): Record<string, Value> {
  return Object.fromEntries(settings.map(([name, value]) => [name, read(name.toUpperCase(), value)]))
}

/** Validates the value and returns its text. */
const checked = (parse: Parse<unknown>): Parse<string> => {
  return (value) => {
    parse(value)
    return value
  }
}
