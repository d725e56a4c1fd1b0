import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { parseRateLimit } from './http/rate-limits/settings.ts'
import { parseMailFrom } from './mail/mail-address.ts'
import { parseMailUrl } from './mail/mail-url.ts'
import {
  list,
  must,
  oneOf,
  type Parse,
  readerOf,
  type Settings,
  text,
  urlOf,
  wholeNumber,
} from './settings.ts'
import { StartError } from './start-error.ts'

/** Adds what a file of settings says, when there is one; what the environment says already goes before. */
export function readEnvFile(file = '.env'): void {
  if (!existsSync(file)) return
  try {
    process.loadEnvFile(file)
  } catch {
    throw new StartError(`${file} must be a file that this user may read.`)
  }
}

/** What modules bring that is set from outside. */
type Configurable = {
  limits?: Readonly<Record<string, string>>
  retention?: readonly { name: string; months: number }[]
  settings?: Settings<unknown>
}

/**
 * The only reader of the environment. A wrong value stops the start with one sentence that names it. What checks no
 * token, and signs none, needs no secret for them.
 */
export function readConfig(
  modules: readonly Configurable[],
  env: NodeJS.ProcessEnv = process.env,
  { needsTokens = true } = {},
) {
  const read = readerOf(env)
  const databaseUrl = read.optional('DATABASE_URL', postgresUrl)
  const migrateDatabaseUrl = read.optional('MIGRATE_DATABASE_URL', postgresUrl)
  if (databaseUrl === null && migrateDatabaseUrl !== null) {
    throw new StartError('Set DATABASE_URL too when MIGRATE_DATABASE_URL is set.')
  }
  const jwks = {
    url: read.optional('AUTH_JWKS_URL', keysUrl),
    issuer: read.optional('AUTH_ISSUER', text),
    audience: read.optional('AUTH_AUDIENCE', text),
  }
  const jwksGiven = Object.values(jwks).filter((value) => value !== null).length
  if (jwksGiven !== 0 && jwksGiven !== 3) {
    throw new StartError('Set AUTH_JWKS_URL, AUTH_ISSUER and AUTH_AUDIENCE together, or none of them.')
  }
  if (jwks.issuer === 'parvis')
    throw new StartError('AUTH_ISSUER must not be parvis: that is the issuer of the service itself.')
  const jwtSecret = read.optional('AUTH_JWT_SECRET', jwtSecretText)
  if (needsTokens && databaseUrl !== null && jwtSecret === null && jwks.url === null) {
    throw new StartError('Set AUTH_JWT_SECRET (32 bytes or more) or AUTH_JWKS_URL when DATABASE_URL is set.')
  }
  return {
    host: read.or('HOST', text, '127.0.0.1'),
    port: read.or('PORT', port, 3000),
    metricsPort: read.optional('METRICS_PORT', port),
    shutdownDelayMs: 1_000 * read.or('SHUTDOWN_DELAY', seconds, 3),
    databaseUrl,
    migrateDatabaseUrl,
    dataDir: resolve(read.or('DATA_DIR', text, '.data')),
    auth: { jwtSecret, jwks },
    corsOrigins: read.or('CORS_ORIGINS', list(origin), []),
    trustProxy: read.or('TRUST_PROXY', list(network), []),
    /** By the name of the limit, as in RATE_LIMIT_CREATE. */
    rateLimits: byName(
      modules.flatMap(({ limits = {} }) => Object.entries(limits)),
      (name, usual) => read.or(`RATE_LIMIT_${name}`, parseRateLimit, parseRateLimit(usual)),
    ),
    mail: {
      url: read.optional('MAIL_URL', checked(parseMailUrl)),
      from: read.or('MAIL_FROM', checked(parseMailFrom), 'Parvis <parvis@localhost.localdomain>'),
    },
    /** After how many months what is personal, or has served, goes: as in RETENTION_CLAIMS. */
    retentionMonths: byName(
      modules.flatMap(({ retention = [] }) =>
        retention.map(({ name, months }): [string, number] => [name, months]),
      ),
      (name, usual) => read.or(`RETENTION_${name}`, wholeNumber('months', 1_200), usual),
    ),
    /** Asked for by `settingsOf`. */
    modules: new Map(
      modules.flatMap(({ settings }) =>
        settings === undefined ? [] : [[settings.name, settings.read(read)]],
      ),
    ),
    logLevel: read.or(
      'LOG_LEVEL',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
      'info',
    ),
    seed: read.optional('SEED', oneOf('demo', 'none')),
  }
}

export type Config = ReturnType<typeof readConfig>

/** A secret that all instances on one database have in common, to key digests with. */
export const sharedSecret = ({ auth, databaseUrl }: Config): string => auth.jwtSecret ?? databaseUrl ?? ''

/** The settings of a module, as it reads them. */
export function settingsOf<T>({ modules }: Config, { name }: Settings<T>): T {
  if (!modules.has(name)) throw new Error(`The settings of ${name} were not read: is its module listed?`)
  return modules.get(name) as T
}

/** The embedded database keeps the secrets that nobody set; a database of your own keeps none. */
export function withKeptSecrets(
  config: Config,
  modules: readonly Configurable[],
  secret: ((name: string) => string) | null,
): Config {
  if (secret === null) return config
  const kept = new Map(config.modules)
  for (const { settings } of modules) {
    if (settings?.keep) kept.set(settings.name, settings.keep(settingsOf(config, settings), secret))
  }
  const jwtSecret = config.auth.jwtSecret ?? secret('jwtSecret')
  return { ...config, auth: { ...config.auth, jwtSecret }, modules: kept }
}

/** Each name once, in capitals where the environment has it. */
function byName<Value, Usual>(
  usual: (readonly [name: string, usual: Usual])[],
  read: (name: string, usual: Usual) => Value,
): Record<string, Value> {
  return Object.fromEntries(usual.map(([name, value]) => [name, read(name.toUpperCase(), value)]))
}

/** Refused when it cannot be read; kept as it is written. */
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

/** Whoever can change the keys on their way signs tokens for anybody. */
const keysUrl: Parse<string> = (value) => {
  const rule = 'an https URL, or an http one on a loopback address'
  const { protocol, hostname } = new URL(urlOf(rule, 'http:', 'https:')(value))
  if (protocol === 'http:' && !loopback.test(hostname)) throw must(rule)
  return value
}

/** As `URL` writes them: numbers in any form become dotted, and the brackets of IPv6 stay. */
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const seconds: Parse<number> = (value) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 300) throw must('a number of seconds from 0 to 300')
  return number
}

const postgresUrl = urlOf('a postgres:// URL', 'postgres:', 'postgresql:')

const origin: Parse<string> = (value) => {
  if (!URL.canParse(value) || new URL(value).origin !== value)
    throw must('a list of origins such as https://app.example.org')
  return value
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

const jwtSecretText: Parse<string> = (value) => {
  if (Buffer.byteLength(value) < 32) throw must('32 bytes or longer')
  return value
}
