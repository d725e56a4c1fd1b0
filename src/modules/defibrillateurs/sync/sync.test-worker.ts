import { readConfig } from '../../../platform/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { ownConnections } from '../../../platform/database/connections/own-connection.ts'
import { defibrillateursSettings } from '../settings.ts'
import { runSync } from './run.ts'

/** Does a sync in a process of its own, to be killed. Told by its arguments where the database is, and which sync. */
const [connection = '', syncId = ''] = process.argv.slice(2)
const where = JSON.parse(connection)
const { db } = connect(where, { warn: () => {} })
const config = readConfig([{ settings: defibrillateursSettings }], process.env, { needsTokens: false })
await runSync({ db, onOwnConnection: ownConnections(where), config }, syncId, {
  signal: new AbortController().signal,
})
