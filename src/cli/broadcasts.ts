import { modules } from '../app.ts'
import { queueWeeklyMails } from '../modules/subscribers/broadcasts/actualites.ts'
import { queueCollecteReminders } from '../modules/subscribers/broadcasts/collectes.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { command, withDatabase } from './command.ts'

const missed = { collectes: queueCollecteReminders, actualites: queueWeeklyMails }
const isMissed = (what: string): what is keyof typeof missed => Object.hasOwn(missed, what)

/** `broadcasts collectes | actualites`: queues what an outage left out. */
export const run = command(
  {
    name: 'broadcasts',
    usage: `Usage: npm run broadcasts -- collectes
  queues the reminders of collections that are missing: of tomorrow's, until the present hour; before 7:00, of today's
npm run broadcasts -- actualites
  queues the weekly messages of last Friday that are missing
What was queued before is not queued twice. The service sends it.
`,
    options: {},
    allowPositionals: true,
  },
  async ({ positionals: [what = '', ...more] }, io) => {
    if (more.length > 0 || !isMissed(what))
      throw new StartError('Name what was missed: collectes or actualites.')
    const config = readConfig(modules, io.env, { needsTokens: false })
    await withDatabase(io, config, async ({ db, pools }) => {
      const jobs = createJobs({ db, pool: pools.jobs, log: { warn: () => {}, error: () => {} } })
      const { signal } = new AbortController()
      const queueing = missed[what]({ db, jobs, clock: () => new Date() }, signal)
      const count = await queueing.finally(() => jobs.stop())
      await io.stdout.write(`Messages that were missing, now queued: ${count}.\n`)
    })
  },
)
