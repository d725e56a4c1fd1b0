import { modules } from '../../../app.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createLog } from '../../../platform/log/log.ts'
import { mergeHandler } from './jobs.ts'

/** An instance that merges acteurs until a test kills it. Arguments: database, timing. */
const [connection = '', timing = ''] = process.argv.slice(2)
const config = readConfig(modules, {}, { needsTokens: false })
const log = createLog('error')
const { db, pools } = connect(JSON.parse(connection), log)
const jobs = createJobs({ db, pool: pools.jobs, log }, JSON.parse(timing))
await jobs.start([mergeHandler({ db, config, jobs, modules, log })])
process.stdout.write('ready\n')
