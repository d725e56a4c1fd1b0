import { modules } from '../app.ts'
import { readConfig } from '../platform/config/config.ts'
import { refuseFullDisk } from '../platform/config/start-error.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { sentenceOfLater } from '../platform/database/migrate/migrations.ts'
import { roleOf } from '../platform/database/open.ts'
import { seedData } from '../seed-data.ts'
import { command, type Io, sayDatabase, sayer } from './command.ts'
import { openToMigrate } from './open-for-command.ts'

/** `migrate`: prepares the database like a start, without a service. */
export const run = command(
  {
    name: 'migrate',
    usage: `Usage: npm run migrate
  applies the migrations of this version and loads the seed data of a new database, as a start does:
  the one of DATABASE_URL, as the role that MIGRATE_DATABASE_URL names, or else the embedded one in DATA_DIR;
  a service that is started afterwards needs DATABASE_URL alone
`,
    options: {},
  },
  (_given, io) => prepare(io),
)

async function prepare(io: Io): Promise<void> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  const database = await openToMigrate(config, sayer(io)).catch(refuseFullDisk(config))
  const say = (message: string) => void io.stdout.write(`${message}\n`)
  try {
    sayDatabase(io, database)
    const { owner, service } = database
    const filled: string[] = []
    const { fill } = seedData(config, (message) => filled.push(message))
    const migrating = migrate(owner ?? service, roleOf(service), fill)
    const { applied, later } = await migrating.catch(refuseFullDisk(config))
    say(applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'There was nothing to apply.')
    if (later !== null) say(`${sentenceOfLater(later)}.`)
    for (const message of filled) say(message)
    say(`The database is ready for a service that enters as ${roleOf(service)}.`)
  } finally {
    await database.close()
  }
}
