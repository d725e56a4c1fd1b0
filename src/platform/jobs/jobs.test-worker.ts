import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect } from '../database/connect.ts'
import { createLog } from '../log/log.ts'
import { handle } from './job.ts'
import { noted } from './jobs.test-noted.ts'
import { createJobs } from './jobs.ts'

/**
 * A separate instance to be killed. Its arguments give the database and the timing. A job listed in the table "held"
 * does not end until it is removed there.
 */
const [connection = '', timing = ''] = process.argv.slice(2)
const log = createLog('warn')
const { db, pools } = connect(JSON.parse(connection), log)
const jobs = createJobs({ db, pool: pools.jobs, log }, JSON.parse(timing))
const worker = String(process.pid)
await jobs.start([
  handle(noted, async ({ takesMs }, { id }) => {
    await sql`insert into runs (job, worker) values (${id}, ${worker})`.execute(db)
    await sleep(takesMs)
    while ((await sql`select from held where job = ${id}`.execute(db)).rows.length > 0) await sleep(50)
    await sql`update runs set ended = clock_timestamp() where job = ${id} and worker = ${worker}`.execute(db)
  }),
])
process.stdout.write('ready\n')
