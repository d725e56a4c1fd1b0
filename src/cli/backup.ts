import { resolve } from 'node:path'
import { modules } from '../app.ts'
import { readSecrets } from '../embedded-postgres/files/secrets.ts'
import { mediaSettings } from '../modules/media/settings.ts'
import { readConfig, settingsOf } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { refuseOverwriting } from '../platform/database/backup/backup-file.ts'
import { takeBackup } from '../platform/database/backup/take-backup.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import { command, fileOf, type Io, sayDatabase, sayer } from './command.ts'
import { openToBackUp } from './open-for-command.ts'

/** `backup`: writes all rows and secrets of the embedded database to one file, with or without a running service. */
export const run = command(
  {
    name: 'backup',
    usage: `Usage: npm run backup -- FILE [--without-media]
  writes the embedded database in DATA_DIR, as it is at one moment, and its secrets into FILE, which must not be there yet;
  beside a running service or without one; "npm run restore -- FILE" brings it back
  --without-media leaves out the bytes of pictures: after a restore their addresses are 404
`,
    options: { 'without-media': { type: 'boolean' } },
    allowPositionals: true,
  },
  ({ positionals, values }, io) =>
    backUp(resolve(fileOf(positionals, 'backup')), values['without-media'] === true, io),
)

async function backUp(file: string, isWithoutMedia: boolean, io: Io): Promise<void> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== null)
    throw new StartError('With DATABASE_URL the database is backed up by its own tools, such as pg_dump.')
  await refuseOverwriting(file)
  const database = await openToBackUp(dataDir, sayer(io))
  try {
    sayDatabase(io, database)
    const { owner, service } = database
    const { tables, bytes } = await takeBackup(owner ?? service, secretsOf(dataDir), file, {
      emptyTables: isWithoutMedia ? [tableOfBytes] : [],
    })
    io.stdout.write(
      `${file}: ${tables} tables, ${bytes} bytes of rows. It holds secrets and personal data: keep it closed.\n`,
    )
    if (isWithoutMedia) io.stdout.write('It does not hold the bytes of pictures.\n')
    if (settingsOf(config, mediaSettings).place !== null)
      io.stdout.write(
        'It does not hold the bytes of pictures that are in the store of MEDIA_URL: keep them there.\n',
      )
  } finally {
    await database.close()
  }
}

const tableOfBytes = 'public.media_variants'

/** Returns the service's secrets, without database passwords: each cluster creates its own. */
function secretsOf(dataDir: string): Record<string, string> {
  const passwords: string[] = Object.values(clusterNames.roles)
  return Object.fromEntries(
    Object.entries(readSecrets(dataDir)).filter(([name]) => !passwords.includes(name)),
  )
}
