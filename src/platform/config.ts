import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { defaultLimits, parseRateLimit } from './http/rate-limit-settings.ts'
import { parseMailFrom } from './mail/mail-address.ts'
import { parseMailUrl } from './mail/mail-url.ts'
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

/** The only reader of the environment. A wrong value stops the start with one sentence that names it. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = reader(env)
  const databaseUrl = read.optional('DATABASE_URL', postgresUrl)
  const migrateDatabaseUrl = read.optional('MIGRATE_DATABASE_URL', postgresUrl)
  if (databaseUrl === null && migrateDatabaseUrl !== null) {
    throw new StartError('Set DATABASE_URL too when MIGRATE_DATABASE_URL is set.')
  }
  const jwks = {
    url: read.optional('AUTH_JWKS_URL', httpUrl),
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
  if (databaseUrl !== null && jwtSecret === null && jwks.url === null) {
    throw new StartError('Set AUTH_JWT_SECRET (32 bytes or more) or AUTH_JWKS_URL when DATABASE_URL is set.')
  }
  return {
    host: read.or('HOST', text, '127.0.0.1'),
    port: read.or('PORT', port, 3000),
    metricsPort: read.optional('METRICS_PORT', port),
    databaseUrl,
    migrateDatabaseUrl,
    dataDir: resolve(read.or('DATA_DIR', text, '.data')),
    auth: { jwtSecret, jwks },
    corsOrigins: read.or('CORS_ORIGINS', list(origin), []),
    trustProxy: read.or('TRUST_PROXY', list(network), []),
    rateLimits: {
      create: read.or('RATE_LIMIT_CREATE', parseRateLimit, defaultLimits.create),
      report: read.or('RATE_LIMIT_REPORT', parseRateLimit, defaultLimits.report),
      claim: read.or('RATE_LIMIT_CLAIM', parseRateLimit, defaultLimits.claim),
      alert: read.or('RATE_LIMIT_ALERT', parseRateLimit, defaultLimits.alert),
      support: read.or('RATE_LIMIT_SUPPORT', parseRateLimit, defaultLimits.support),
      moderate: read.or('RATE_LIMIT_MODERATE', parseRateLimit, defaultLimits.moderate),
    },
    mail: {
      url: read.optional('MAIL_URL', checked(parseMailUrl)),
      from: read.or('MAIL_FROM', checked(parseMailFrom), 'Parvis <parvis@localhost.localdomain>'),
    },
    claims: {
      requireBearer: read.or('CLAIMS_REQUIRE_BEARER', trueOrFalse, false),
      ttlDays: read.or('CLAIM_TTL_DAYS', wholeNumber('days', 3_650), 30),
    },
    /** After how many months what is personal, or has served, goes. */
    retentionMonths: {
      claims: read.or('RETENTION_CLAIMS', months, 24),
      reports: read.or('RETENTION_REPORTS', months, 12),
      threads: read.or('RETENTION_THREADS', months, 36),
      webhooks: read.or('RETENTION_WEBHOOKS', months, 13),
      runs: read.or('RETENTION_RUNS', months, 6),
    },
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

type Parse<T> = (value: string) => T

function reader(env: NodeJS.ProcessEnv) {
  function optional<T>(name: string, parse: Parse<T>): T | null {
    const value = env[name]?.trim()
    if (value === undefined || value === '') return null
    try {
      return parse(value)
    } catch (error) {
      throw new StartError(`${name} ${(error as Error).message}.`)
    }
  }
  return {
    optional,
    or: <T>(name: string, parse: Parse<T>, fallback: T): T => optional(name, parse) ?? fallback,
  }
}

const must = (what: string) => new Error(`must be ${what}`)

const text: Parse<string> = (value) => value

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

function urlOf(what: string, ...protocols: string[]): Parse<string> {
  return (value) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) throw must(what)
    return value
  }
}
const httpUrl = urlOf('an http or https URL', 'http:', 'https:')
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

const trueOrFalse: Parse<boolean> = (value) => oneOf('true', 'false')(value) === 'true'

function wholeNumber(of: string, most: number): Parse<number> {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < 1 || number > most) throw must(`a number of ${of} from 1 to ${most}`)
    return number
  }
}
const months = wholeNumber('months', 1_200)

function list<T>(item: Parse<T>): Parse<T[]> {
  return (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item)
}

function oneOf<const T extends string>(...values: T[]): Parse<T> {
  return (value) => {
    const found = values.find((one) => one === value)
    if (found === undefined) throw must(`one of ${values.join(', ')}`)
    return found
  }
}
