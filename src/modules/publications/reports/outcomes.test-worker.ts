import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import { mailDueHandler, mailReporterHandler } from './mailing.ts'

/** An instance that tells reporters until a test kills it. Arguments: database, timing, mail server, SESSION_KEY. */
const [connection = '', timing = '', url = '', key = ''] = process.argv.slice(2)
const config = readConfig([], { MAIL_URL: url, SESSION_KEY: key }, { needsTokens: false })
const log = createLog('error')
const { db, pools } = connect(JSON.parse(connection), log)
const mailer = createMailer({ ...config.mail, outboxDir: '/nowhere' })
const jobs = createJobs({ db, pool: pools.jobs, log }, JSON.parse(timing))
const due = mailDueHandler({ db, jobs })
await jobs.start([due, mailReporterHandler({ db, mailer, config })])
// Instead of the schedule, which runs each minute.
await due.perform({}, { id: 'tick', attempt: 1, signal: new AbortController().signal })
process.stdout.write('ready\n')
