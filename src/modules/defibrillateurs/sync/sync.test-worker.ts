import { readConfig } from '../../../platform/config/config.ts'
import { connect } from '../../../platform/database/connect.ts'
import { ownConnections } from '../../../platform/database/connections/own-connection.ts'
import { defibrillateursSettings } from '../settings.ts'
import { runSync } from './jobs.ts'

/** Runs a sync in a separate process that the test can kill. Arguments: the database and the sync. */
const [connection = '', syncId = ''] = process.argv.slice(2)
const where = JSON.parse(connection)
const { db } = connect(where, { warn: () => {} })
const config = readConfig([{ settings: { own: defibrillateursSettings } }], process.env, {
  needsTokens: false,
})
await runSync({ db, onOwnConnection: ownConnections(where), config }, syncId, {
  signal: new AbortController().signal,
})
