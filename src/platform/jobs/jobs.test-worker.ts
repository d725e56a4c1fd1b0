import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect } from '../database/connect.ts'
import { createLog } from '../log/log.ts'
import { handle } from './job.ts'
import { noted } from './jobs.test-noted.ts'
import { createJobs } from './jobs.ts'

/**
 * An instance in a process of its own, to be killed. Told by its arguments where the database is, and its timing. A job
 * that the table "held" names does not end before it is taken out.
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
