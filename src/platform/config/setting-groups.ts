import { list, oneOf, type Reader, text, trustedUrl, urlOf } from './settings.ts'
import { StartError } from './start-error.ts'
import {
  headerValue,
  jwtSecretTexts,
  mapUrl,
  origin,
  port,
  postgresUrl,
  publicOrigin,
  publicSite,
  sessionKeyList,
  workersOrAuto,
} from './values.ts'

type Databases = ReturnType<typeof readDatabases>

export function readDatabases(read: Reader) {
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
  return {
    databaseUrl,
    migrateDatabaseUrl,
    /** PostgreSQL itself, if DATABASE_URL leads through a connection pooler. */
    directDatabaseUrl,
    /** A replica of the database, or a proxy in front of several, for public reads. */
    readDatabaseUrl,
    /** Whether `db` and `reads` prepare statements. */
    preparesStatements: read.or('PREPARED_STATEMENTS', oneOf('on', 'off'), 'on') === 'on',
  }
}

/** Reads the secrets that sign tokens and keep sessions. With an external database, those that are needed must be set. */
export function readSecrets(
  read: Reader,
  { databaseUrl }: Databases,
  { needsTokens, needsSessionKey }: { needsTokens: boolean; needsSessionKey: boolean },
) {
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
  return {
    /** The first secret signs; during a rotation, tokens of the older secret are accepted too. */
    auth: { jwtSecret, olderJwtSecrets, jwks },
    /** The first key encrypts and derives; during a rotation, a second key is used only for reading. */
    sessionKeys,
  }
}

/** Reads which processes there are, what each does, and where it listens. `started`: the number that the supervisor gave. */
export function readProcesses(
  read: Reader,
  { databaseUrl }: Databases,
  started: string | undefined,
  platform: NodeJS.Platform,
) {
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
  const instance = started === undefined ? null : Number(started)
  if (instance === null && metricsPort !== null && metricsPort + workers > 65_536)
    throw new StartError('Set a smaller METRICS_PORT: each of the WORKERS has the next one.')
  return {
    port: listenPort,
    metricsPort,
    /** Whether this process runs jobs beside serving requests, or only one of the two. */
    jobs,
    /** Instances that share the port. */
    workers,
    /** The number of this one, from 0, set by the supervisor that has started it; null without one, and in the supervisor. */
    instance,
  }
}

/** Reads the addresses at which people reach the service. */
export function readAddresses(read: Reader, listenPort: number) {
  const hasSite = read.or('SITE', oneOf('on', 'off'), 'on') === 'on'
  const publicSiteUrl = read.optional('PUBLIC_SITE_URL', publicSite)
  if (hasSite && publicSiteUrl !== null && URL.parse(publicSiteUrl)?.pathname !== '/')
    throw new StartError(
      'Set PUBLIC_SITE_URL without a path, or SITE=off: the links of the public site begin at the root of its host.',
    )
  const publicUrl = read.or('PUBLIC_URL', publicOrigin, `http://localhost:${listenPort}`)
  return {
    /** The origin at which browsers reach the service. */
    publicUrl,
    /** Where readers see what is published; null: nowhere. */
    publicSiteUrl: publicSiteUrl ?? (hasSite ? publicUrl : null),
    /** Whether the service serves the public site. */
    hasSite,
  }
}

/** Reads the settings of an edge cache in front of the service. */
export function readCdn(read: Reader) {
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

/** The IGN's plan of France: free, without a key, with all that it loads on one host. */
const ignStyle = 'https://data.geopf.fr/annexes/ressources/vectorTiles/styles/PLAN.IGN/standard.json'

/** Reads the map settings. Browsers may load map data from the hosts of both, and from MAP_HOSTS. */
export function readMap(read: Reader) {
  const chosen = read.optional('MAP_STYLE_URL', (value) => (value === 'none' ? value : mapUrl(value)))
  const pmtilesUrl = read.optional('MAP_PMTILES', mapUrl)
  if (chosen !== null && chosen !== 'none' && pmtilesUrl !== null)
    throw new StartError('Set MAP_STYLE_URL or MAP_PMTILES, not both.')
  const styleUrl = chosen === 'none' || pmtilesUrl !== null ? null : (chosen ?? ignStyle)
  const own = [styleUrl, pmtilesUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin]))
  return { styleUrl, pmtilesUrl, hosts: [...new Set([...own, ...read.or('MAP_HOSTS', list(origin), [])])] }
}
