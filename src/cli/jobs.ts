import { sql } from 'kysely'
import { modules } from '../app.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { deadLetters } from '../platform/jobs/boss.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { command, flag, type Io, text, withDatabase } from './command.ts'

/** `jobs failed`, `jobs requeue --queue <queue> | --all`. */
export const run = command(
  {
    name: 'jobs',
    usage: `Usage: npm run jobs -- failed
  lists the jobs that have failed for good, the newest first, with their last error
npm run jobs -- requeue --queue <queue> | --all
  enqueues those of one queue again, or all of them, with all their attempts; the service runs them
`,
    options: { queue: text, all: flag },
    allowPositionals: true,
  },
  async ({ values: { queue = null, all }, positionals: [what, ...more] }, io) => {
    if (more.length > 0 || (what !== 'failed' && what !== 'requeue'))
      throw new StartError('Name what to do: failed or requeue.')
    if (what === 'failed' && (queue !== null || all))
      throw new StartError('--queue and --all go with requeue.')
    if (what === 'requeue' && (queue === null) !== all)
      throw new StartError('Name the jobs: --queue <queue>, or --all.')
    const config = readConfig(modules, io.env, { needsTokens: false })
    await withDatabase(io, config, async ({ db, pools }) => {
      if (what === 'failed') return listFailed(db, io)
      const jobs = createJobs({ db, pool: pools.jobs, log: { warn: () => {}, error: () => {} } })
      const count = await jobs.requeue(queue).finally(() => jobs.stop())
      await io.stdout.write(`Enqueued again: ${count}.\n`)
    })
  },
)

const maxListed = 100

async function listFailed(db: Database, io: Io): Promise<void> {
  const { rows } = await sql<{ queue: string; at: Date; message: string | null; total: number }>`
    select source_name as queue, created_on as at, source_output ->> 'message' as message, (count(*) over ())::int as total
    from pgboss.job where name = ${deadLetters} and state < 'completed'
    order by created_on desc limit ${maxListed}`.execute(db)
  if (rows.length === 0) return void (await io.stdout.write('None has failed.\n'))
  for (const { queue, at, message } of rows) {
    await io.stdout.write(
      `${at.toISOString()} ${queue}: ${(message ?? 'no message').replaceAll(/\s+/g, ' ')}\n`,
    )
  }
  const [{ total } = { total: 0 }] = rows
  if (total > rows.length) await io.stdout.write(`… and ${total - rows.length} more\n`)
}
