import { resolve } from 'node:path'
import { modules } from '../app.ts'
import { hasCluster, openCluster } from '../embedded-postgres/cluster/cluster.ts'
import { storeSecrets } from '../embedded-postgres/files/secrets.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import {
  finishRestore,
  markRestoring,
  refuseHalfRestored,
} from '../platform/database/backup/half-restored.ts'
import { checkBackup, restoreBackup } from '../platform/database/backup/restore-backup.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { command, fileOf, type Io, sayer } from './command.ts'

/** `restore`: creates a new embedded database from a backup. */
export const run = command(
  {
    name: 'restore',
    usage: `Usage: npm run restore -- FILE
  makes the embedded database in DATA_DIR, where none may be yet, from a FILE that "npm run backup" wrote, with its secrets
`,
    options: {},
    allowPositionals: true,
  },
  ({ positionals }, io) => restore(resolve(fileOf(positionals, 'restore')), io),
)

async function restore(file: string, io: Io): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(modules, io.env, { needsTokens: false })
  if (databaseUrl !== null)
    throw new StartError('With DATABASE_URL the database is restored by its own tools, such as pg_restore.')
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

function refuseExisting(dataDir: string): void {
  if (hasCluster(dataDir, clusterNames))
    throw new StartError(`There is a database in ${dataDir}: move that folder away first.`)
}
