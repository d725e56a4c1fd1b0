import { spawnSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openCluster } from '../../src/embedded-postgres/cluster/cluster.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import { migrate } from '../../src/platform/database/migrate/migrate.ts'
import { fillNewDatabase } from '../../src/seed-data.ts'
import { connect } from './postgres.ts'
import { newDataDir } from './service.ts'

/**
 * Returns a copy of a data folder after a first start without demo content, made once per run. Where root's PostgreSQL
 * is staged there are no copies, and the folder does not exist yet.
 */
export async function filledDataDir(dataDir = newDataDir()): Promise<string> {
  const filled = await fillOnce()
  if (existsSync(join(filled, 'cluster-id'))) return dataDir
  const { status, stderr } = spawnSync('cp', ['-a', '--', filled, dataDir])
  if (status !== 0) throw new Error(stderr.toString())
  return dataDir
}

/** Made by the first caller; other workers wait. */
async function fillOnce(): Promise<string> {
  const filled = join(inject('filled'), 'data')
  const client = await connect(inject('locks'))
  try {
    await client.query('select pg_advisory_lock(1)')
    if (!existsSync(filled)) await fill(filled)
  } finally {
    await client.end()
  }
  return filled
}

async function fill(filled: string): Promise<void> {
  const dataDir = join(inject('filled'), 'new')
  const { owner, service, stop } = await openCluster({
    dataDir,
    names: clusterNames,
    durable: false,
    log: () => {},
  })
  await migrate(owner, service.user, (db) => fillNewDatabase(db, null, () => {})).finally(stop)
  renameSync(dataDir, filled)
}
