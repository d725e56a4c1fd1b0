import { connect } from '../../platform/database/connect.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { createLog } from '../../platform/log/log.ts'
import { refreshHandler } from './refresh-lists.ts'

/** An instance that refreshes lists until a test kills it. Arguments: database, timing. */
const [connection = '', timing = ''] = process.argv.slice(2)
const log = createLog('error')
const { db, pools } = connect(JSON.parse(connection), log)
const jobs = createJobs({ db, pool: pools.jobs, log }, JSON.parse(timing))
await jobs.start([refreshHandler({ db, log })])
process.stdout.write('ready\n')
