import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createLog } from '../../../platform/log/log.ts'
import { messages } from '../module.ts'
import { readMailsHandler } from './jobs.ts'

/** Reads a mailbox once, unless a test kills it. Arguments: database, mailbox. */
const [connection = '', url = ''] = process.argv.slice(2)
const env = { MAIL_INBOX_URL: url, MAIL_INBOX_ADDRESS: 'reponse+{token}@example.org' }
const config = readConfig([messages], env, { needsTokens: false })
const log = createLog('error')
const { db, close } = connect(JSON.parse(connection), log)
const { signal } = new AbortController()
await readMailsHandler({ db, log, config, modules: [messages], clock: () => new Date() }).perform(
  {},
  { id: 'job', attempt: 1, signal },
)
await close()
