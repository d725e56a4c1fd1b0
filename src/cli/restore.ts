import { resolve } from 'node:path'
import { modules } from '../app.ts'
import { hasCluster, openCluster } from '../embedded-postgres/cluster/cluster.ts'
import { storeSecrets } from '../embedded-postgres/files/secrets.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { markHalfRestored, markWhole, refuseHalfRestored } from '../platform/database/backup/half-restored.ts'
import { checkBackup, restoreBackup } from '../platform/database/backup/restore-backup.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { attempt, fileOf, type Io, ioOfProcess, readOptions, sayer } from './command.ts'

/** `restore`: creates a new embedded database from a backup. */
export function run(args: string[], io: Io = ioOfProcess()): Promise<number> {
  return attempt(io, async () => {
    const options = { help: { type: 'boolean' } } as const
    const { values, positionals } = readOptions({ args, options, allowPositionals: true }, 'restore', io)
    if (values.help) io.stdout.write(usage)
    else await restore(resolve(fileOf(positionals, 'restore')), io)
  })
}

const usage = `Usage: npm run restore -- FILE
  makes the embedded database in DATA_DIR, where none may be yet, from a FILE that "npm run backup" wrote, with its secrets
`

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
    markHalfRestored(folder)
    storeSecrets(folder, secrets)
  }
  const cluster = await openCluster({ dataDir, names: clusterNames, log: sayer(io), prepare })
  try {
    await restoreBackup(cluster, file)
    markWhole(dataDir)
  } finally {
    await cluster.stop()
  }
  io.stdout.write(`${dataDir} is as it was at ${header.made_at}: start Parvis on it.\n`)
}

function refuseExisting(dataDir: string): void {
  if (hasCluster(dataDir, clusterNames))
    throw new StartError(`There is a database in ${dataDir}: move that folder away first.`)
}
