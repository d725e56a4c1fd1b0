import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { messages } from '../module.ts'
import { sendReplyHandler } from './jobs.ts'

/** An instance that sends replies until a test kills it. Arguments: database, timing, mail server. */
const [connection = '', timing = '', url = ''] = process.argv.slice(2)
const config = readConfig([messages], { MAIL_URL: url }, { needsTokens: false })
const log = createLog('error')
const { db, pools } = connect(JSON.parse(connection), log)
const mailer = createMailer({ ...config.mail, outboxDir: '/nowhere' })
const jobs = createJobs({ db, pool: pools.jobs, log }, JSON.parse(timing))
await jobs.start([sendReplyHandler({ db, mailer, config })])
process.stdout.write('ready\n')
