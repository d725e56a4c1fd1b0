import { resolve } from 'node:path'
import pg from 'pg'
import { modules } from '../app.ts'
import { hasCluster, openCluster } from '../embedded-postgres/cluster/cluster.ts'
import { storeSecrets } from '../embedded-postgres/files/secrets.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import {
  finishRestore,
  markRestoring,
  refuseHalfRestored,
} from '../platform/database/backup/half-restored.ts'
import { checkBackup, restoreBackup } from '../platform/database/backup/restore-backup.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import type { Connection } from '../platform/database/connection.ts'
import { command, fileOf, type Io, sayer } from './command.ts'
import { openToMigrate } from './open-for-command.ts'

/** `restore`: creates a new embedded database from a backup, or fills an empty one of one's own. */
export const run = command(
  {
    name: 'restore',
    usage: `Usage: npm run restore -- FILE
  makes the embedded database in DATA_DIR, where none may be yet, from a FILE that "npm run backup" wrote, with its secrets;
  or fills the empty database that DATABASE_URL names, as the role that MIGRATE_DATABASE_URL names, without the secrets
`,
    options: {},
    allowPositionals: true,
  },
  ({ positionals }, io) => restore(resolve(fileOf(positionals, 'restore')), io),
)

async function restore(file: string, io: Io): Promise<void> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  return config.databaseUrl === null ? makeEmbedded(file, io, config) : fillEmpty(file, io, config)
}

async function makeEmbedded(file: string, io: Io, { dataDir }: Config): Promise<void> {
  await refuseHalfRestored(dataDir)
  refuseExisting(dataDir)
  const { header, secrets } = await checkBackup(file)
  io.stderr.write(`Database: a new embedded one in ${dataDir}\n`)
  const prepare = (folder: string) => {
    refuseExisting(folder)
    markRestoring(folder)
    storeSecrets(folder, secrets)
  }
  const cluster = await openCluster({ dataDir, names: clusterNames, log: sayer(io), prepare })
  try {
    await restoreBackup(cluster, file)
    finishRestore(dataDir)
  } finally {
    await cluster.stop()
  }
  io.stdout.write(`${dataDir} is as it was at ${header.made_at}: start Parvis on it.\n`)
}

/** The secrets of the backup become settings, which the operator has. */
async function fillEmpty(file: string, io: Io, config: Config): Promise<void> {
  const { header } = await checkBackup(file)
  const { owner, service, name } = await openToMigrate(config, sayer(io))
  if (owner === null)
    throw new StartError('Set MIGRATE_DATABASE_URL to the role that owns the database, beside DATABASE_URL.')
  io.stderr.write(`Database: ${name}\n`)
  await refuseUnfit(owner)
  await restoreBackup({ owner, service, superuser: owner }, file)
  io.stdout.write(
    `It is as the backup was at ${header.made_at}: start Parvis with the secrets that it had.\n`,
  )
}

async function refuseUnfit(owner: Connection): Promise<void> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const { rows } = await client.query(`
      select current_user as role, has_parameter_privilege('session_replication_role', 'set') as may,
        to_regclass('public.first_loads') is not null as made`)
    const [{ role, may, made }] = rows
    if (!may)
      throw new StartError(
        `The role ${role} may not load rows past the triggers: run "grant set on parameter session_replication_role to ${role}" as a superuser, and revoke it afterwards.`,
      )
    if (made && (await client.query('select from first_loads')).rowCount !== 0)
      throw new StartError('The database that DATABASE_URL names is not empty: restore into an empty one.')
  } finally {
    await client.end()
  }
}

function refuseExisting(dataDir: string): void {
  if (hasCluster(dataDir, clusterNames))
    throw new StartError(`There is a database in ${dataDir}: move that folder away first.`)
}
