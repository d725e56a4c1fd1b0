import { getRollbackPlans, PgBoss } from 'pg-boss'
import { expect, test } from 'vitest'
import { run } from '../../../../test/support/world.ts'
import { asOwner, jobsDatabase } from '../../jobs/jobs.test-kit.ts'
import { migrate } from './migrate.ts'
import { migrateJobs } from './migrate-jobs.ts'

const versionOf1230 = 40

test('the service role may write the job tables but not alter them', async () => {
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

test('upgrades the tables of pg-boss 12.30, including grants', async () => {
  const { owner, service } = await jobsDatabase()
  await asOwner(owner, async (client) => {
    const boss = new PgBoss({ db: { executeSql: (text, values) => client.query(text, values as unknown[]) } })
    const needed = (await boss.schemaVersion()) ?? 0
    expect(needed).toBeGreaterThan(versionOf1230)
    for (let version = needed; version > versionOf1230; version--) {
      await client.query(getRollbackPlans('pgboss', version))
    }
    await client.query(`revoke all on all tables in schema pgboss from ${service.user}`)
    await migrateJobs(owner)
    expect(await boss.schemaVersion()).toBe(needed)
    expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true })
  })
  await migrate(owner, service.user ?? '', async () => {})
  await run(service, 'select from pgboss.job')
})
