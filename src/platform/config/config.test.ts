import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readEnvFile, settingsOf, withStoredSecrets } from './config.ts'
import { type Settings, trueOrFalse, wholeNumber } from './settings.ts'
import { StartError } from './start-error.ts'

const secret = 'x'.repeat(32)

const claimsSettings = {
  name: 'claims',
  read: (read) => ({
    requireBearer: read.or('CLAIMS_REQUIRE_BEARER', trueOrFalse, false),
    ttlDays: read.or('CLAIM_TTL_DAYS', wholeNumber('days', 3_650), 30),
  }),
} satisfies Settings<{ requireBearer: boolean; ttlDays: number }>
const modules = [
  {
    settings: { own: claimsSettings, limits: { claim: '20/hour' } },
    retention: [{ name: 'claims', months: 24 }],
  },
  { retention: [{ name: 'runs', months: 6 }] },
]

test('uses the documented defaults when nothing is set', () => {
  expect(readConfig(modules, {})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    metricsPort: null,
    shutdownDelayMs: 3_000,
    databaseUrl: null,
    dataDir: resolve('.data'),
    erasureKeys: [],
    auth: { jwtSecret: null, olderJwtSecrets: [], jwks: { url: null, issuer: null, audience: null } },
    corsOrigins: [],
    trustProxy: [],
    rateLimits: { claim: { points: 20, seconds: 3_600 } },
    retentionMonths: { claims: 24, runs: 6 },
    logLevel: 'info',
    seed: null,
  })
})

test('reads the settings that modules declare', () => {
  const config = readConfig(modules, {
    CLAIM_TTL_DAYS: '7',
    RATE_LIMIT_CLAIM: 'off',
    RETENTION_RUNS: '1',
  })
  expect(config).toMatchObject({ rateLimits: { claim: 'off' }, retentionMonths: { claims: 24, runs: 1 } })
  expect(settingsOf(config, claimsSettings)).toEqual({ requireBearer: false, ttlDays: 7 })
  expect(() => settingsOf(readConfig([], {}), claimsSettings)).toThrow('is its module listed?')
})

test.each([
  ['PROT', 'PORT'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['MAILURL', 'MAIL_URL'],
  ['CLAIM_TTL_DAY', 'CLAIM_TTL_DAYS'],
  ['WORKERSS', 'WORKERS'],
])('names %s, which was probably meant to be %s', (name, setting) => {
  expect(readConfig(modules, { [name]: 'x' }).misspelled).toEqual([{ name, setting }])
})

test('names no variable of others, nor one that is a setting', () => {
  expect(
    readConfig(modules, { PATH: '/bin', HOME: '/root', SHELL: 'sh', PWD: '/', HOST: '::1' }).misspelled,
  ).toEqual([])
})

test('treats an empty setting as unset', () => {
  expect(readConfig(modules, { PORT: '', DATABASE_URL: '  ' })).toEqual(readConfig(modules, {}))
})

test('the bound of connections per address is 512, a number, or off', () => {
  const bound = (env: NodeJS.ProcessEnv) => readConfig(modules, env).maxConnectionsPerAddress
  const set = (value: string) => bound({ MAX_CONNECTIONS_PER_ADDRESS: value })
  expect([bound({}), set('20'), set('off')]).toEqual([512, 20, Number.POSITIVE_INFINITY])
})

test('starts one instance, a number of them, or one for each processor', () => {
  const workers = (env: NodeJS.ProcessEnv) => readConfig(modules, env).workers
  expect([workers({}), workers({ WORKERS: '3' })]).toEqual([1, 3])
  expect(workers({ WORKERS: 'auto' })).toBe(availableParallelism())
  const external = { DATABASE_URL: 'postgres://db.example/parvis', AUTH_JWT_SECRET: secret }
  expect(workers({ ...external, WORKERS: '3', JOBS: 'only' })).toBe(1)
})

test.each(['darwin', 'win32'] as const)(
  'refuses several instances on %s, which cannot share a port',
  (platform) => {
    const workers = (WORKERS: string) => readConfig(modules, { WORKERS }, { platform }).workers
    expect(workers('1')).toBe(1)
    expect(() => workers('2')).toThrow(
      'Set WORKERS=1: this system does not divide the connections of one port among processes, as Linux does.',
    )
  },
)

test('refuses a METRICS_PORT after which not every instance has a port', () => {
  const metricsPort = (METRICS_PORT: string) =>
    readConfig(modules, { METRICS_PORT, WORKERS: '2' }).metricsPort
  expect(metricsPort('65534')).toBe(65_534)
  expect(() => metricsPort('65535')).toThrow(
    'Set a smaller METRICS_PORT: each of the WORKERS has the next one.',
  )
})

test('splits lists at commas', () => {
  const config = readConfig(modules, {
    CORS_ORIGINS: 'https://a.example, https://b.example',
    TRUST_PROXY: '10.0.0.0/8,fd00::/8, loopback',
  })
  expect(config.corsOrigins).toEqual(['https://a.example', 'https://b.example'])
  expect(config.trustProxy).toEqual(['10.0.0.0/8', 'fd00::/8', 'loopback'])
})

test.each([
  ['WORKERS', '0'],
  ['WORKERS', '65'],
  ['WORKERS', 'all'],
  ['PORT', '99999'],
  ['PORT', 'http'],
  ['PORT', '30.5'],
  ['METRICS_PORT', '-1'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'nonsense'],
  ['DATABASE_URL', 'postgres://parvis@one.example,two.example/parvis'],
  ['DATABASE_URL', 'postgres://parvis@one.example:5432,two.example:5432/parvis'],
  ['DATABASE_URL', 'postgres://parvis@one.example/parvis?target_session_attrs=read-write'],
  ['MIGRATE_DATABASE_URL', 'postgres://parvis@/parvis?host=one.example%2Ctwo.example'],
  ['MIGRATE_DATABASE_URL', 'http://x'],
  ['DIRECT_DATABASE_URL', 'http://x'],
  ['READ_DATABASE_URL', 'http://x'],
  ['READ_DATABASE_URL', 'postgres://parvis@one.example,two.example/parvis'],
  ['PREPARED_STATEMENTS', 'yes'],
  ['JOBS', 'maybe'],
  ['AUTH_JWT_SECRET', 'short'],
  ['AUTH_JWKS_URL', 'ftp://x'],
  ['AUTH_JWKS_URL', 'http://id.example/jwks'],
  ['AUTH_JWKS_URL', 'http://10.0.0.1/jwks'],
  ['AUTH_JWKS_URL', 'http://127.0.0.1.id.example/jwks'],
  ['AUTH_JWKS_URL', 'http://127.0.0.1@id.example/jwks'],
  ['AUTH_JWKS_URL', 'http://localhost.id.example/jwks'],
  ['SESSION_KEY', 'short'],
  ['SESSION_KEY', 'a key that is long enough to be one of two,short'],
  ['SESSION_KEY', 'x'.repeat(32).concat(',', 'y'.repeat(32), ',', 'z'.repeat(32))],
  ['CORS_ORIGINS', ','],
  ['PUBLIC_SITE_URL', 'www.example.org'],
  ['PUBLIC_SITE_URL', 'javascript:alert(1)'],
  ['PUBLIC_SITE_URL', 'https://www.example.org/?page=1'],
  ['PUBLIC_URL', 'parvis.example.org'],
  ['PUBLIC_URL', 'ftp://parvis.example.org'],
  ['PUBLIC_URL', 'https://parvis.example.org/backoffice'],
  ['SECOND_FACTOR', 'sms'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'ftp://a.example'],
  ['MAP_HOSTS', 'https://a.example;script-src'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '300'],
  ['TRUST_PROXY', '999.1.1.1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.0/8/9'],
  ['TRUST_PROXY', '10.0.0.0/'],
  ['TRUST_PROXY', 'fe80::1%docker-0'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['TRUST_PROXY', '1.2.3.4/00'],
  ['CDN', 'true'],
  ['CDN_PURGE_URL', 'cdn.example'],
  ['CDN_PURGE_METHOD', 'BAN'],
  ['CDN_PURGE_TOKEN', 'two words'],
  ['MAX_CONNECTIONS_PER_ADDRESS', '0'],
  ['MAX_CONNECTIONS_PER_ADDRESS', 'none'],
  ['CLAIMS_REQUIRE_BEARER', 'yes'],
  ['CLAIM_TTL_DAYS', '0'],
  ['CLAIM_TTL_DAYS', '1e3'],
  ['RETENTION_CLAIMS', '-1'],
  ['RETENTION_RUNS', '1201'],
  ['LOG_LEVEL', 'loud'],
  ['SEED', 'prod'],
])('%s=%s stops the start with one sentence that names it', (name, value) => {
  const read = () => readConfig(modules, { [name]: value })
  expect(read).toThrow(StartError)
  expect(read).toThrow(new RegExp(`^${name} must be .+\\.$`))
})

test('the public site is at the root of its host, another site may have a path', () => {
  const env = { PUBLIC_SITE_URL: 'https://site.example/ville' }
  expect(() => readConfig(modules, env)).toThrow(/^Set PUBLIC_SITE_URL without a path, or SITE=off: .+\.$/)
  expect(readConfig(modules, { ...env, SITE: 'off' }).publicSiteUrl).toBe(env.PUBLIC_SITE_URL)
  expect(readConfig(modules, { PUBLIC_SITE_URL: 'https://site.example/' }).publicSiteUrl).toBe(
    'https://site.example',
  )
})

test('an address for purges needs CDN=on, and a token such an address', () => {
  const purge = { CDN_PURGE_URL: 'http://varnish:6081/' }
  const read = (env: NodeJS.ProcessEnv) => readConfig(modules, env).cdn
  expect(() => read(purge)).toThrow(new StartError('Set CDN=on when CDN_PURGE_URL is set.'))
  expect(() => read({ CDN: 'on', CDN_PURGE_TOKEN: 'x' })).toThrow(
    new StartError('Set CDN_PURGE_URL when CDN_PURGE_TOKEN is set.'),
  )
  expect(read({ ...purge, CDN: 'on' })).toMatchObject({ isOn: true, purgeMethod: 'POST', purgeToken: null })
})

test('a .env that is not a file stops the start; a missing one does not', () => {
  const folder = import.meta.dirname
  expect(() => readEnvFile(folder)).toThrow(
    new StartError(`${folder} must be a file that this user may read.`),
  )
  expect(() => readEnvFile(`${folder}/.env`)).not.toThrow()
})

test.each([
  'https://id.example',
  'http://localhost:8080',
  'http://127.1',
  'http://127.8.8.8:1',
  'http://[::1]:9',
])("requires https or a loopback address for the provider's keys: %s", (AUTH_JWKS_URL) => {
  const provider = { AUTH_JWKS_URL, AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'x' }
  expect(readConfig(modules, provider).auth.jwks.url).toBe(AUTH_JWKS_URL)
})

test('refuses an identity provider with the issuer name of the service itself', () => {
  const provider = { AUTH_JWKS_URL: 'https://id.example/jwks', AUTH_ISSUER: 'parvis', AUTH_AUDIENCE: 'x' }
  expect(() => readConfig(modules, provider)).toThrow('AUTH_ISSUER')
})

test('requires the three settings of an identity provider together', () => {
  const all = {
    AUTH_JWKS_URL: 'https://id.example/jwks',
    AUTH_ISSUER: 'https://id.example',
    AUTH_AUDIENCE: 'x',
  }
  for (const [name, value] of Object.entries(all)) {
    expect(() => readConfig(modules, { [name]: value })).toThrow('together')
    expect(() => readConfig(modules, { ...all, [name]: '' })).toThrow('together')
  }
})

test('measures the length of a secret in bytes', () => {
  const read = (AUTH_JWT_SECRET: string) => readConfig(modules, { AUTH_JWT_SECRET }).auth.jwtSecret
  expect(() => read('x'.repeat(31))).toThrow('AUTH_JWT_SECRET must be 32 bytes or longer')
  expect(read('é'.repeat(16))).toBe('é'.repeat(16))
})

test('AUTH_JWT_SECRET takes two secrets during a rotation; a comma within one is refused', () => {
  const read = (AUTH_JWT_SECRET: string) => readConfig(modules, { AUTH_JWT_SECRET }).auth
  const [one, other] = ['n'.repeat(32), 'o'.repeat(32)]
  expect(read(`${one}, ${other}`)).toMatchObject({ jwtSecret: one, olderJwtSecrets: [other] })
  for (const wrong of [`${one},short`, `${one},`, `a,${one}`, `${one},${other},${one}`])
    expect(() => read(wrong)).toThrow('AUTH_JWT_SECRET must be one secret, or two')
})

test('the service requires SESSION_KEY with an external database; commands without sessions do not', () => {
  const env = { DATABASE_URL: 'postgres://db.example/parvis', AUTH_JWT_SECRET: secret }
  const read = (SESSION_KEY?: string) => {
    const key = SESSION_KEY === undefined ? {} : { SESSION_KEY }
    return readConfig(modules, { ...env, ...key }, { needsSessionKey: true }).sessionKeys
  }
  expect(() => read()).toThrow('Set SESSION_KEY (32 bytes or more) when DATABASE_URL is set.')
  expect(readConfig(modules, env).sessionKeys).toEqual([])
  const [next, former] = ['n'.repeat(32), 'f'.repeat(32)]
  expect(read(next)).toEqual([next])
  expect(read(`${next}, ${former}`)).toEqual([next, former])
})

test('a process without jobs, or with jobs only, needs DATABASE_URL, and so do DIRECT_DATABASE_URL and READ_DATABASE_URL', () => {
  for (const JOBS of ['off', 'only']) {
    expect(() => readConfig(modules, { JOBS })).toThrow('Set DATABASE_URL when JOBS is off or only')
    const env = { JOBS, DATABASE_URL: 'postgres://db.example/parvis', AUTH_JWT_SECRET: secret }
    expect(readConfig(modules, env).jobs).toBe(JOBS)
  }
  expect(readConfig(modules, {}).jobs).toBe('on')
  for (const name of ['DIRECT_DATABASE_URL', 'READ_DATABASE_URL'])
    expect(() => readConfig(modules, { [name]: 'postgres://db.example/parvis' })).toThrow(
      `Set DATABASE_URL too when ${name} is set.`,
    )
})

test('with the embedded database a session key is created and stored, unless one is set', () => {
  const kept = (env: Record<string, string>) =>
    withStoredSecrets(readConfig(modules, env), modules, (name) => `kept ${name}`).sessionKeys
  expect(kept({})).toEqual(['kept sessionKey'])
  expect(kept({ SESSION_KEY: 'n'.repeat(32) })).toEqual(['n'.repeat(32)])
})

test('the public address uses the port and has no trailing slash', () => {
  expect(readConfig(modules, {}).publicUrl).toBe('http://localhost:3000')
  expect(readConfig(modules, { PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  const PUBLIC_URL = 'https://parvis.example.org/'
  expect(readConfig(modules, { PUBLIC_URL }).publicUrl).toBe('https://parvis.example.org')
})

test('administrators must have a second factor, except with demo content in the embedded database', () => {
  const read = (env: Record<string, string>) => {
    const { secondFactor, secondFactorOfDemo } = readConfig(modules, env)
    return [secondFactor, secondFactorOfDemo]
  }
  expect(read({})).toEqual(['admin', 'none'])
  expect(read({ SECOND_FACTOR: 'all' })).toEqual(['all', 'all'])
  expect(read({ SECOND_FACTOR: 'none' })).toEqual(['none', 'none'])
})

test('MIGRATE_DATABASE_URL requires DATABASE_URL', () => {
  const MIGRATE_DATABASE_URL = 'postgres://db.example/parvis'
  expect(() => readConfig(modules, { MIGRATE_DATABASE_URL })).toThrow('Set DATABASE_URL too')
})

test('requires a way to check tokens with an external database', () => {
  const DATABASE_URL = 'postgres://db.example/parvis'
  expect(() => readConfig(modules, { DATABASE_URL })).toThrow('AUTH_JWT_SECRET')
  expect(readConfig(modules, { DATABASE_URL, AUTH_JWT_SECRET: secret }).databaseUrl).toBe(DATABASE_URL)
})
