import { sessionKey } from '../../../../test/support/factories.ts'
import { connect } from '../../../platform/database/connect.ts'
import { createLog } from '../../../platform/log/log.ts'
import { senderOf } from '../receiver.test-kit.ts'

/** An instance that sends webhooks until a test kills it. Arguments: database, timing. */
const [connection = ''] = process.argv.slice(2)
const { db } = connect(JSON.parse(connection), createLog('error'))
process.stdout.write('ready\n')
await senderOf({ db, config: { sessionKeys: [sessionKey] } }).send()
