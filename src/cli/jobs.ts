import { sql } from 'kysely'
import { modules } from '../app.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import type { Database } from '../platform/database/connect.ts'
import { deadLetters } from '../platform/jobs/boss.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { attempt, type Io, ioOfProcess, readOptions, withDatabase } from './command.ts'

/** `jobs failed`, `jobs requeue --queue <queue> | --all`. */
export function run(args: string[], io: Io = ioOfProcess()): Promise<number> {
  return attempt(io, async () => {
    const request = readArgs(args, io)
    if (request === null) await io.stdout.write(usage)
    else await answer(request, io)
  })
}

const usage = `Usage: npm run jobs -- failed
  lists the jobs that have failed for good, the newest first, with their last error
npm run jobs -- requeue --queue <queue> | --all
  enqueues those of one queue again, or all of them, with all their attempts; the service runs them
`

type Request = { deed: 'failed' } | { deed: 'requeue'; queue: string | null }

function readArgs(args: string[], io: Io): Request | null {
  const flag = { type: 'boolean', default: false } as const
  const options = { queue: { type: 'string' }, all: flag, help: flag } as const
  const { values, positionals } = readOptions({ args, options, allowPositionals: true }, 'jobs', io)
  const { queue = null, all, help } = values
  if (help) return null
  const [deed, ...more] = positionals
  if (more.length > 0 || (deed !== 'failed' && deed !== 'requeue'))
    throw new StartError('Name what to do: failed or requeue.')
  if (deed === 'requeue') {
    if ((queue === null) !== all) throw new StartError('Name the jobs: --queue <queue>, or --all.')
    return { deed, queue }
  }
  if (queue !== null || all) throw new StartError('--queue and --all go with requeue.')
  return { deed }
}

async function answer(request: Request, io: Io): Promise<void> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  await withDatabase(io, config, async ({ db, pools }) => {
    if (request.deed === 'failed') return listFailed(db, io)
    const jobs = createJobs({ db, pool: pools.jobs, log: { warn: () => {}, error: () => {} } })
    const count = await jobs.requeue(request.queue).finally(() => jobs.stop())
    await io.stdout.write(`Enqueued again: ${count}.\n`)
  })
}

const mostListed = 100

async function listFailed(db: Database, io: Io): Promise<void> {
  const { rows } = await sql<{ queue: string; at: Date; message: string | null; total: number }>`
    select source_name as queue, created_on as at, source_output ->> 'message' as message, (count(*) over ())::int as total
    from pgboss.job where name = ${deadLetters} and state < 'completed'
    order by created_on desc limit ${mostListed}`.execute(db)
  if (rows.length === 0) return void (await io.stdout.write('None has failed.\n'))
  for (const { queue, at, message } of rows) {
    await io.stdout.write(
      `${at.toISOString()} ${queue}: ${(message ?? 'no message').replaceAll(/\s+/g, ' ')}\n`,
    )
  }
  const [{ total } = { total: 0 }] = rows
  if (total > rows.length) await io.stdout.write(`… and ${total - rows.length} more\n`)
}
