import { getRollbackPlans, PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import { run } from '../../../test/harness/world.ts'
import { migrate } from '../database/migrate.ts'
import { asOwner, jobsDatabase } from './jobs.test-kit.ts'
import { jobsVersion, migrateJobs } from './migrate-jobs.ts'

test('the service may fill the tables of the jobs, not change them', async () => {
  const { service } = await jobsDatabase()
  for (const statement of [
    'create table pgboss.mine ()',
    'alter table pgboss.job add column mine int',
    'truncate pgboss.job',
    'update pgboss.bam set command = null',
    'insert into pgboss.version values (1)',
  ]) {
    await expect(run(service, statement)).rejects.toThrow(/permission denied|must be owner/)
  }
})

test('the tables of an older pg-boss are brought to the version of this one, rights included', async () => {
  const { owner, service } = await jobsDatabase()
  await asOwner(owner, async (client) => {
    for (let version = jobsVersion; version > jobsVersion - 6; version--) {
      await client.query(getRollbackPlans('pgboss', version))
    }
    await client.query(`revoke all on all tables in schema pgboss from ${service.user}`)
    await migrateJobs(client)
    const boss = new PgBoss({ db: { executeSql: (text, values) => client.query(text, values as unknown[]) } })
    expect(await boss.schemaVersion()).toBe(jobsVersion)
    expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true })
  })
  await migrate(owner, service.user ?? '', async () => {})
  await run(service, 'select from pgboss.job')
})
