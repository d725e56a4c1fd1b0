import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, readEnvFile } from './config.ts'
import { StartError } from './start-error.ts'

const secret = 'x'.repeat(32)

test('nothing set gives the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    metricsPort: null,
    databaseUrl: null,
    dataDir: resolve('.data'),
    auth: { jwtSecret: null, jwks: { url: null, issuer: null, audience: null } },
    corsOrigins: [],
    trustProxy: [],
    claims: { requireBearer: false, ttlDays: 30 },
    retentionMonths: { claims: 24, reports: 12, threads: 36, webhooks: 13, runs: 6 },
    logLevel: 'info',
    seed: null,
  })
})

test('an empty setting counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '  ' })).toEqual(readConfig({}))
})

test('lists are separated by commas', () => {
  const config = readConfig({
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
  const read = () => readConfig({ [name]: value })
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

test("an identity provider cannot bear the service's own name", () => {
  const provider = { AUTH_JWKS_URL: 'https://id.example/jwks', AUTH_ISSUER: 'parvis', AUTH_AUDIENCE: 'x' }
  expect(() => readConfig(provider)).toThrow('AUTH_ISSUER')
})

test('the three settings of an identity provider go together', () => {
  expect(() => readConfig({ AUTH_JWKS_URL: 'https://id.example/jwks' })).toThrow('together')
})

test('an owner of the database is named beside the database', () => {
  const MIGRATE_DATABASE_URL = 'postgres://db.example/parvis'
  expect(() => readConfig({ MIGRATE_DATABASE_URL })).toThrow('Set DATABASE_URL too')
})

test('a database of your own needs a way to check tokens', () => {
  const DATABASE_URL = 'postgres://db.example/parvis'
  expect(() => readConfig({ DATABASE_URL })).toThrow('AUTH_JWT_SECRET')
  expect(readConfig({ DATABASE_URL, AUTH_JWT_SECRET: secret }).databaseUrl).toBe(DATABASE_URL)
})

test('.env.example names every setting that the code reads', () => {
  const source = readFileSync(new URL('config.ts', import.meta.url), 'utf8')
  const read = [...source.matchAll(/read\.(?:or|optional)\(\s*'([A-Z_]+)'/g)].map(([, name]) => name)
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const listed = [...example.matchAll(/^#?\s?([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(read.length).toBeGreaterThan(10)
  expect(new Set(listed)).toEqual(new Set(read))
})
