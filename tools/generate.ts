import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../src/app.ts'
import { openCluster, removeCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import { connect } from '../src/platform/database/connect.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createJobs } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log.ts'
import { createMailer } from '../src/platform/mail/mailer.ts'
import { dumpSchema } from './dump-schema.ts'

/**
 * Writes what is derived from the code and committed: the database's types and schema, and the OpenAPI document. With
 * `--check` writes nothing, and fails where a committed file is not what it should be.
 */
const files = {
  types: 'src/platform/database/types.generated.ts',
  schema: 'src/platform/database/schema.generated.sql',
  openapi: 'docs/openapi.json',
}
const dataDir = mkdtempSync(join(tmpdir(), 'parvis-generate-'))
const cluster = await openCluster({ dataDir, names: clusterNames, durable: false, log: () => {} })
try {
  await migrate(cluster.owner, cluster.service.user, async () => {})
  const drifted = [
    settle(files.types, generateTypes()),
    settle(files.schema, await dumpSchema(cluster.owner)),
    settle(files.openapi, await generateOpenApi()),
  ].flat()
  if (drifted.length > 0) {
    console.error(`Not up to date: ${drifted.join(', ')}. Run "npm run generate" and commit the result.`)
    process.exitCode = 1
  }
} finally {
  await cluster.stop()
  await removeCluster(dataDir, clusterNames)
}

function generateTypes(): string {
  const { host, port, user, password, database } = cluster.owner
  const url = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const out = join(dataDir, 'types.ts')
  const options = ['--dialect', 'postgres', '--url', url, '--out-file', out, '--date-parser', 'string']
  const only = [
    '--default-schema',
    'public',
    '--include-pattern',
    'public.*',
    '--exclude-pattern',
    'public.migrations',
  ]
  execFileSync('kysely-codegen', [...options, ...only], { stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(out, 'utf8')
}

async function generateOpenApi(): Promise<string> {
  const log = createLog('silent')
  const config = readConfig({})
  const { db, pool, close } = connect(cluster.service, log)
  const jobs = createJobs({ db, pool, log })
  const mailer = createMailer({ ...config.mail, outboxDir: dataDir })
  const app = await buildApp({ config, db, log, clock: systemClock, jobs, mailer })
  const document = JSON.stringify(app.server.swagger(), null, 2)
  await app.server.close()
  await close()
  return `${document}\n`
}

function settle(file: string, content: string): string[] {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, content)
    return []
  }
  return readFileSync(file, 'utf8') === content ? [] : [file]
}
