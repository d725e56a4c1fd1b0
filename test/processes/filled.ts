import { spawnSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openCluster } from '../../src/embedded-postgres/cluster/cluster.ts'
import { fillNewDatabase } from '../../src/first-loads.ts'
import { clusterNames } from '../../src/platform/database/cluster-names.ts'
import { migrate } from '../../src/platform/database/migrate/migrate.ts'
import { connect } from './postgres.ts'
import { newDataDir } from './service.ts'

/**
 * A data folder as a first start without demo content leaves it, for tests of what comes later: a copy of the one that
 * is made once for a run. What root's PostgreSQL cannot reach in place has no copies: then the folder is not there yet.
 */
export async function filledDataDir(dataDir = newDataDir()): Promise<string> {
  const filled = await fillOnce()
  if (existsSync(join(filled, 'cluster-id'))) return dataDir
  const { status, stderr } = spawnSync('cp', ['-a', '--', filled, dataDir])
  if (status !== 0) throw new Error(stderr.toString())
  return dataDir
}

/** By whoever needs it first; other workers wait meanwhile. */
async function fillOnce(): Promise<string> {
  const filled = join(inject('filled'), 'data')
  const client = await connect(inject('server').superuser)
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
  await migrate(owner, service.user, (db) => fillNewDatabase(db, false, () => {})).finally(stop)
  renameSync(dataDir, filled)
}
