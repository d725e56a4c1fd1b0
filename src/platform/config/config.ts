import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { parseMailFrom } from '../formats/mail-address.ts'
import { parseMailUrl } from '../formats/mail-url.ts'
import { parseRateLimit } from '../rate-limit.ts'
import { findMisspelled } from './misspelled.ts'
import {
  list,
  must,
  oneOf,
  type Parse,
  readerOf,
  type Settings,
  text,
  trustedUrl,
  urlOf,
  wholeNumber,
} from './settings.ts'
import { StartError } from './start-error.ts'

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
  limits?: Readonly<Record<string, string>>
  retention?: readonly { name: string; months: number }[]
  settings?: Settings<unknown>
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
  const databaseUrl = read.optional('DATABASE_URL', postgresUrl)
  const migrateDatabaseUrl = read.optional('MIGRATE_DATABASE_URL', postgresUrl)
  const directDatabaseUrl = read.optional('DIRECT_DATABASE_URL', postgresUrl)
  const readDatabaseUrl = read.optional('READ_DATABASE_URL', postgresUrl)
  for (const [name, url] of Object.entries({
    MIGRATE_DATABASE_URL: migrateDatabaseUrl,
    DIRECT_DATABASE_URL: directDatabaseUrl,
    READ_DATABASE_URL: readDatabaseUrl,
  })) {
    if (databaseUrl === null && url !== null)
      throw new StartError(`Set DATABASE_URL too when ${name} is set.`)
  }
  const jwks = {
    url: read.optional('AUTH_JWKS_URL', trustedUrl),
    issuer: read.optional('AUTH_ISSUER', text),
    audience: read.optional('AUTH_AUDIENCE', text),
  }
  const jwksGiven = Object.values(jwks).filter((value) => value !== null).length
  if (jwksGiven !== 0 && jwksGiven !== 3) {
    throw new StartError('Set AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE together, or none of them.')
  }
  if (jwks.issuer === 'parvis')
    throw new StartError('AUTH_ISSUER must not be parvis: that is the issuer of the service itself.')
  const [jwtSecret = null, ...olderJwtSecrets] = read.or('AUTH_JWT_SECRET', jwtSecretTexts, [])
  if (needsTokens && databaseUrl !== null && jwtSecret === null && jwks.url === null) {
    throw new StartError('Set AUTH_JWT_SECRET (32 bytes or more) or AUTH_JWKS_URL when DATABASE_URL is set.')
  }
  const sessionKeys = read.or('SESSION_KEY', sessionKeyList, [])
  if (needsSessionKey && databaseUrl !== null && sessionKeys.length === 0) {
    throw new StartError('Set SESSION_KEY (32 bytes or more) when DATABASE_URL is set.')
  }
  const jobs = read.or('JOBS', oneOf('on', 'off', 'only'), 'on')
  if (databaseUrl === null && jobs !== 'on')
    throw new StartError(
      'Set DATABASE_URL when JOBS is off or only: the embedded database serves one process.',
    )
  // A process that runs jobs only has none beside it.
  const workers = jobs === 'only' ? 1 : read.or('WORKERS', workersOrAuto, 1)
  if (workers > 1 && ['darwin', 'win32'].includes(platform))
    throw new StartError(
      'Set WORKERS=1: this system does not divide the connections of one port among processes, as Linux does.',
    )
  const listenPort = read.or('PORT', port, 3000)
  const metricsPort = read.optional('METRICS_PORT', port)
  const instance = env.PARVIS_INSTANCE === undefined ? null : Number(env.PARVIS_INSTANCE)
  if (instance === null && metricsPort !== null && metricsPort + workers > 65_536)
    throw new StartError('Set a smaller METRICS_PORT: each of the WORKERS has the next one.')
  const seed = read.optional('SEED', oneOf('demo', 'none'))
  const mustHaveFactor = (fallback: 'admin' | 'none') =>
    read.or('SECOND_FACTOR', oneOf('admin', 'all', 'none'), fallback)
  const hasSite = read.or('SITE', oneOf('on', 'off'), 'on') === 'on'
  const publicSiteUrl = read.optional('PUBLIC_SITE_URL', publicSite)
  if (hasSite && publicSiteUrl !== null && URL.parse(publicSiteUrl)?.pathname !== '/')
    throw new StartError(
      'Set PUBLIC_SITE_URL without a path, or SITE=off: the links of the public site begin at the root of its host.',
    )
  const publicUrl = read.or('PUBLIC_URL', publicOrigin, `http://localhost:${listenPort}`)
  const dataDir = resolve(read.or('DATA_DIR', text, '.data'))
  return {
    host: read.or('HOST', text, '127.0.0.1'),
    port: listenPort,
    /** The origin at which browsers reach the service. */
    publicUrl,
    /** Where readers see what is published; null: nowhere. */
    publicSiteUrl: publicSiteUrl ?? (hasSite ? publicUrl : null),
    /** Whether the service serves the public site. */
    hasSite,
    /** The first key encrypts and derives; during a rotation, a second key is used only for reading. */
    sessionKeys,
    /** Users who must have a second factor: administrators, everybody, or nobody. */
    secondFactor: mustHaveFactor('admin'),
    /** The same on the embedded database with demo content. */
    secondFactorOfDemo: mustHaveFactor('none'),
    metricsPort,
    shutdownDelayMs: 1_000 * read.or('SHUTDOWN_DELAY', seconds, 3),
    databaseUrl,
    migrateDatabaseUrl,
    /** PostgreSQL itself, if DATABASE_URL leads through a connection pooler. */
    directDatabaseUrl,
    /** A replica of the database, or a proxy in front of several, for public reads. */
    readDatabaseUrl,
    /** Whether `db` and `reads` prepare statements. */
    preparesStatements: read.or('PREPARED_STATEMENTS', oneOf('on', 'off'), 'on') === 'on',
    dataDir,
    /** The first secret signs; during a rotation, tokens of the older secret are accepted too. */
    auth: { jwtSecret, olderJwtSecrets, jwks },
    /** Newest first. If empty, a generated key is stored in the database. */
    erasureKeys: read.or('ERASURE_KEY', list(longSecret), []),
    /** Whether `/backoffice/` is served. */
    backoffice: read.or('BACKOFFICE', oneOf('on', 'off'), 'on') === 'on',
    /** Whether `/docs` is served. */
    docs: read.or('DOCS', oneOf('on', 'off'), 'on') === 'on',
    /** Background of the maps in the back-office; without both addresses: the outline of the départements. */
    map: readMap(read),
    corsOrigins: read.or('CORS_ORIGINS', list(origin), []),
    trustProxy: read.or('TRUST_PROXY', list(network), []),
    cdn: readCdn(read),
    maxConnectionsPerAddress: read.or('MAX_CONNECTIONS_PER_ADDRESS', connectionsOrOff, 512),
    /** By the name of the limit, as in RATE_LIMIT_CREATE. */
    rateLimits: byName(
      modules.flatMap(({ limits = {} }) => Object.entries(limits)),
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
      modules.flatMap(({ settings }) =>
        settings === undefined ? [] : [[settings.name, settings.read(read)]],
      ),
    ),
    /** Whether this process runs jobs beside serving requests, or only one of the two. */
    jobs,
    /** Instances that share the port. */
    workers,
    /** The number of this one, from 0, set by the supervisor that has started it; null without one, and in the supervisor. */
    instance,
    logLevel: read.or(
      'LOG_LEVEL',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'info',
    ),
    seed,
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
  for (const { settings } of modules) {
    if (settings?.fillStored)
      filled.set(settings.name, settings.fillStored(settingsOf(config, settings), secret))
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

const port: Parse<number> = (value) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65535) throw must('a port number from 0 to 65535')
  return number
}

const connectionsOrOff: Parse<number> = (value) => {
  const number = Number(value)
  if (value === 'off') return Number.POSITIVE_INFINITY
  if (!/^\d+$/.test(value) || number < 1 || number > 4_096) throw must('off, or a number from 1 to 4096')
  return number
}

const workersOrAuto: Parse<number> = (value) => {
  if (value === 'auto') return Math.min(availableParallelism(), maxWorkers)
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > maxWorkers)
    throw must(`auto, or a number from 1 to ${maxWorkers}`)
  return number
}
const maxWorkers = 64

const seconds: Parse<number> = (value) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 300) throw must('a number of seconds from 0 to 300')
  return number
}

const singlePostgresUrl = urlOf('a postgres:// URL', 'postgres:', 'postgresql:')

/** Refuses several hosts, which only libpq can try in turn: a proxy has to find the primary. */
const postgresUrl: Parse<string> = (value) => {
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/(?:[^/?]*@)?([^/?@]*)/.exec(value) ?? []
  if (hosts.includes(',') || /[?&]target_session_attrs=|[?&]host=[^&]*(,|%2c)/i.test(value))
    throw must(
      'the address of one server: put a proxy such as HAProxy before several, which finds the primary',
    )
  return singlePostgresUrl(value)
}

const origin: Parse<string> = (value) => {
  // A host with a semicolon would end a directive of the Content-Security-Policy.
  if (URL.parse(value)?.origin !== value || !/^https?:\/\/[\w.:[\]-]+$/.test(value))
    throw must('a list of origins such as https://app.example.org')
  return value
}

/**
 * Parses an origin, with or without a trailing slash. Without TLS it is safe only for a browser on the same
 * machine.
 */
const publicOrigin: Parse<string> = (value) => {
  const { origin } = URL.parse(value) ?? {}
  const isOrigin = /^https?:/.test(origin ?? '') && (value === origin || value === `${origin}/`)
  if (origin === undefined || !isOrigin) throw must('an origin such as https://parvis.example.org')
  return origin
}

/** Reads the settings of an edge cache in front of the service. */
function readCdn(read: ReturnType<typeof readerOf>) {
  const isOn = read.or('CDN', oneOf('on', 'off'), 'off') === 'on'
  const purgeUrl = read.optional('CDN_PURGE_URL', urlOf('an http or https URL', 'http:', 'https:'))
  const purgeToken = read.optional('CDN_PURGE_TOKEN', headerValue)
  if (!isOn && purgeUrl !== null) throw new StartError('Set CDN=on when CDN_PURGE_URL is set.')
  if (purgeUrl === null && purgeToken !== null)
    throw new StartError('Set CDN_PURGE_URL when CDN_PURGE_TOKEN is set.')
  return {
    isOn,
    purgeUrl,
    purgeToken,
    purgeMethod: read.or('CDN_PURGE_METHOD', oneOf('POST', 'PURGE'), 'POST'),
  }
}

const headerValue: Parse<string> = (value) => {
  if (!/^[!-~]+$/.test(value)) throw must('visible ASCII characters')
  return value
}

/** The IGN's plan of France: free, without a key, with all that it loads on one host. */
const ignStyle = 'https://data.geopf.fr/annexes/ressources/vectorTiles/styles/PLAN.IGN/standard.json'

/** Reads the map settings. Browsers may load map data from the hosts of both, and from MAP_HOSTS. */
function readMap(read: ReturnType<typeof readerOf>) {
  const chosen = read.optional('MAP_STYLE_URL', (value) => (value === 'none' ? value : mapUrl(value)))
  const pmtilesUrl = read.optional('MAP_PMTILES', mapUrl)
  if (chosen !== null && chosen !== 'none' && pmtilesUrl !== null)
    throw new StartError('Set MAP_STYLE_URL or MAP_PMTILES, not both.')
  const styleUrl = chosen === 'none' || pmtilesUrl !== null ? null : (chosen ?? ignStyle)
  const own = [styleUrl, pmtilesUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin]))
  return { styleUrl, pmtilesUrl, hosts: [...new Set([...own, ...read.or('MAP_HOSTS', list(origin), [])])] }
}

/** Parses the address of the public site, without its trailing slash: paths such as `/communes/lyon` follow it. */
const publicSite: Parse<string> = (value) => {
  const { protocol, origin, pathname, search, hash, username } = URL.parse(value) ?? {}
  if (!/^https?:$/.test(protocol ?? '') || search || hash || username)
    throw must('an http or https URL such as https://www.example.org')
  return `${origin}${pathname?.replace(/\/+$/, '')}`
}

const mapUrl = urlOf('an https URL', 'https:')

const sessionKeyList: Parse<string[]> = (value) => {
  const keys = list(text)(value)
  const isLong = keys.every((key) => Buffer.byteLength(key) >= 32)
  if (!isLong || keys.length === 0 || keys.length > 2)
    throw must('one key of 32 bytes or more, or two separated by a comma')
  return keys
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

const network: Parse<string> = (value) => {
  const [, address = '', bits = '1'] = /^([\da-f.:]+(?:%[\da-z]+)?)(?:\/(\d+))?$/i.exec(value) ?? []
  const longest = { 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isNetwork = Number(bits) >= 1 && Number(bits) <= longest
  if (!isNetwork && !namedNetworks.includes(value))
    throw must('a list of addresses or networks such as 10.0.0.0/8, never /0')
  return value
}

const longSecret: Parse<string> = (value) => {
  if (Buffer.byteLength(value) < 32) throw must('32 bytes or longer')
  return value
}

/**
 * Parses one secret, or two during a rotation. A comma always separates: within a secret it leaves parts that
 * are too short.
 */
const jwtSecretTexts: Parse<string[]> = (value) => {
  const parts = value.split(',').map((part) => part.trim())
  if (parts.length === 1) return [longSecret(value)]
  if (parts.length > 2 || parts.some((part) => Buffer.byteLength(part) < 32))
    throw must(
      'one secret, or two while one replaces the other (new,old), each 32 bytes or longer and without a comma',
    )
  return parts
}
