import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabases } from '../databases.ts'
import { folder, stopAll } from '../process.ts'
import { circumstances, type Row, tableOf } from '../report.ts'
import { startService } from '../service.ts'
import { lookAround } from '../world.ts'
import { openStage } from './stage.ts'
import { trials } from './trials.ts'

/** `npm run bench:web`: measures the budgets of the back-office and of the public site in a real browser, on the production build. */
const { values: options } = parseArgs({
  options: {
    publications: { type: 'string', default: '1000000' },
    decisions: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
  },
})
const count = Number(options.publications)
const say = (text: string) => process.stderr.write(`${text}\n`)

const databases = await openDatabases(say)
try {
  const filled = await databases.copy(count)
  const service = await startService({
    name: 'web',
    database: filled.database,
    env: { DATA_DIR: join(folder, 'web') },
  })
  const { session } = await lookAround(filled)
  const stage = await openStage(`http://127.0.0.1:${service.port}`, session)
  const rows: Row[] = []
  for (const { name, run } of trials) {
    if (!name.includes(options.only)) continue
    say(name)
    rows.push({ scenario: name, ...(await run(stage, Number(options.decisions))) })
  }
  await stage.close()
  const rest = { postgresql: databases.version, publications: count }
  console.log(tableOf(circumstances({ ...rest, loadMaker: 'Chromium', turns: 'one browser' }), rows))
} finally {
  await stopAll()
  await databases.close()
}
