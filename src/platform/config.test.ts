import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readEnvFile, settingsOf } from './config.ts'
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
  { limits: { claim: '20/hour' }, retention: [{ name: 'claims', months: 24 }], settings: claimsSettings },
  { retention: [{ name: 'runs', months: 6 }] },
]

test('nothing set gives the documented defaults', () => {
  expect(readConfig(modules, {})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    metricsPort: null,
    shutdownDelayMs: 3_000,
    databaseUrl: null,
    dataDir: resolve('.data'),
    auth: { jwtSecret: null, jwks: { url: null, issuer: null, audience: null } },
    corsOrigins: [],
    trustProxy: [],
    rateLimits: { claim: { points: 20, seconds: 3_600 } },
    retentionMonths: { claims: 24, runs: 6 },
    logLevel: 'info',
    seed: null,
  })
})

test('what modules bring is read with the rest, and asked for by its own settings', () => {
  const config = readConfig(modules, {
    CLAIM_TTL_DAYS: '7',
    RATE_LIMIT_CLAIM: 'off',
    RETENTION_RUNS: '1',
  })
  expect(config).toMatchObject({ rateLimits: { claim: 'off' }, retentionMonths: { claims: 24, runs: 1 } })
  expect(settingsOf(config, claimsSettings)).toEqual({ requireBearer: false, ttlDays: 7 })
  expect(() => settingsOf(readConfig([], {}), claimsSettings)).toThrow('is its module listed?')
})

test('an empty setting counts as unset', () => {
  expect(readConfig(modules, { PORT: '', DATABASE_URL: '  ' })).toEqual(readConfig(modules, {}))
})

test('lists are separated by commas', () => {
  const config = readConfig(modules, {
    CORS_ORIGINS: 'https://a.example, https://b.example',
    TRUST_PROXY: '10.0.0.0/8,fd00::/8, loopback',
  })
  expect(config.corsOrigins).toEqual(['https://a.example', 'https://b.example'])
  expect(config.trustProxy).toEqual(['10.0.0.0/8', 'fd00::/8', 'loopback'])
})

test.each([
  ['PORT', '99999'],
  ['PORT', 'http'],
  ['PORT', '30.5'],
  ['METRICS_PORT', '-1'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_URL', 'nonsense'],
  ['MIGRATE_DATABASE_URL', 'http://x'],
  ['AUTH_JWT_SECRET', 'short'],
  ['AUTH_JWKS_URL', 'ftp://x'],
  ['AUTH_JWKS_URL', 'http://id.example/jwks'],
  ['AUTH_JWKS_URL', 'http://10.0.0.1/jwks'],
  ['AUTH_JWKS_URL', 'http://127.0.0.1.id.example/jwks'],
  ['AUTH_JWKS_URL', 'http://127.0.0.1@id.example/jwks'],
  ['AUTH_JWKS_URL', 'http://localhost.id.example/jwks'],
  ['CORS_ORIGINS', 'https://a.example/path'],
  ['CORS_ORIGINS', '*'],
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

test('a .env that is no file stops the start with one sentence that names it; none at all does not', () => {
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
])('the keys of an identity provider are read by https, or on a loopback address: %s', (AUTH_JWKS_URL) => {
  const provider = { AUTH_JWKS_URL, AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'x' }
  expect(readConfig(modules, provider).auth.jwks.url).toBe(AUTH_JWKS_URL)
})

test("an identity provider cannot bear the service's own name", () => {
  const provider = { AUTH_JWKS_URL: 'https://id.example/jwks', AUTH_ISSUER: 'parvis', AUTH_AUDIENCE: 'x' }
  expect(() => readConfig(modules, provider)).toThrow('AUTH_ISSUER')
})

test('the three settings of an identity provider go together', () => {
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

test('a secret is as long as its bytes', () => {
  const read = (AUTH_JWT_SECRET: string) => readConfig(modules, { AUTH_JWT_SECRET }).auth.jwtSecret
  expect(() => read('x'.repeat(31))).toThrow('AUTH_JWT_SECRET must be 32 bytes or longer')
  expect(read('é'.repeat(16))).toBe('é'.repeat(16))
})

test('an owner of the database is named beside the database', () => {
  const MIGRATE_DATABASE_URL = 'postgres://db.example/parvis'
  expect(() => readConfig(modules, { MIGRATE_DATABASE_URL })).toThrow('Set DATABASE_URL too')
})

test('a database of your own needs a way to check tokens', () => {
  const DATABASE_URL = 'postgres://db.example/parvis'
  expect(() => readConfig(modules, { DATABASE_URL })).toThrow('AUTH_JWT_SECRET')
  expect(readConfig(modules, { DATABASE_URL, AUTH_JWT_SECRET: secret }).databaseUrl).toBe(DATABASE_URL)
})
