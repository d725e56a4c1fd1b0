import { modules } from '../../../app.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createMailer } from '../../../platform/mail/mailer.ts'
import type { Deps } from '../../../platform/module.ts'
import { expandHandler } from './expand.ts'
import { sendMailsHandler } from './send.ts'
import { sendPushesHandler } from './send-pushes.ts'

/** An instance to be killed, with the intervals of production. Its argument gives the database; settings are its environment. */
const log = createLog('silent')
const { db, pools, reads, lists } = connect(JSON.parse(process.argv[2] ?? ''), log)
const jobs = createJobs({ db, pool: pools.jobs, log })
const config = readConfig(modules)
const mailer = createMailer({ ...config.mail, outboxDir: '/nowhere' })
const deps = {
  db,
  reads,
  lists,
  jobs,
  config,
  mailer,
  log,
  clock: () => new Date(),
  modules,
} as unknown as Deps
await jobs.start([expandHandler(deps), sendMailsHandler(deps), sendPushesHandler(deps)])
process.stdout.write('ready\n')
