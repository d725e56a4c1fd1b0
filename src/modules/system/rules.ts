import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { SignedIn } from '../../platform/access/caller.ts'
import { version } from '../../platform/config/version.ts'
import type { Text } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { deadLetters } from '../../platform/jobs/boss.ts'
import type { Deps } from '../../platform/module.ts'
import { noAddress } from './errors.ts'
import { testMail } from './mail.ts'
import { findAddress, findLastBackup, listInstances, readDatabase, readJobs } from './queries.ts'
import type { PartName, Parts, System, TestMail } from './schema.ts'

type Tools = Pick<Deps, 'reads' | 'config' | 'modules' | 'log'>

/** Describes the installation. A part that cannot be read is null and named in `failed`. */
export async function describeSystem(
  { reads, config, modules, log }: Tools,
  language: keyof Text,
): Promise<System> {
  const isOurs = config.databaseUrl === null
  const readers: { [Name in PartName]: () => Promise<Parts[Name]> } = {
    instances: () => listInstances(reads),
    database: async () => ({ ...(await readDatabase(reads)), is_embedded: isOurs }),
    jobs: () => readJobs(reads, deadLetters),
    backup: async () => ({ is_ours: isOurs, made_at: null, bytes: null, ...(await findLastBackup(reads)) }),
    disk: () => readDisk(config.dataDir),
  }
  const names = Object.keys(readers) as PartName[]
  const read = await Promise.all(
    names.map(async (name) => [name, await orNull<Parts[PartName]>(readers[name], log)] as const),
  )
  const settings_off = modules
    .flatMap(({ settingsOff = [] }) => settingsOff)
    .filter(({ isOff }) => isOff(config))
    .map(({ setting, effect, isAdvised, docs }) => ({
      ...{ setting, docs },
      effect: effect[language],
      is_advised: isAdvised,
    }))
    .sort((one, other) => Number(other.is_advised) - Number(one.is_advised))
  return {
    version,
    node: process.versions.node,
    failed: read.flatMap(([name, part]) => (part === null ? name : [])),
    ...(Object.fromEntries(read) as unknown as Parts),
    mail: config.mail.url === null ? 'files' : 'smtp',
    settings_off,
  }
}

async function orNull<Part>(read: () => Promise<Part>, log: FastifyBaseLogger): Promise<Part | null> {
  try {
    return await read()
  } catch (err) {
    log.warn({ err }, 'a part of the system page could not be read')
    return null
  }
}

/** Reads the space on the folder's disk. It may not exist: with an external database, nothing may need it. */
async function readDisk(folder: string): Promise<Parts['disk']> {
  if (!existsSync(folder)) return readDisk(dirname(folder))
  const { bsize, bavail, blocks } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

const answerMs = 15_000

/** Sends a mail to the caller and returns what the mail server said, or `uncertain` after 15 s. */
export async function sendTestMail(
  { reads, config, mailer }: Pick<Deps, 'reads' | 'config' | 'mailer'>,
  { user }: SignedIn,
): Promise<TestMail> {
  const { email = null, langue = 'fr' } = (await findAddress(reads, user.id)) ?? {}
  if (email === null) throw noAddress()
  const { mail, publicUrl: url } = config
  const delivery = mail.url === null ? 'files' : 'smtp'
  const late = new AbortController()
  const outcome = await Promise.race([
    mailer.send(testMail({ id: uuidv7(), to: email, from: mail.from, langue, url })),
    sleep(answerMs, null, { signal: late.signal }).catch(() => null),
  ])
  late.abort()
  if (outcome === null) return { status: 'uncertain', delivery, error: null }
  return { status: outcome.status, delivery, error: outcome.status === 'sent' ? null : outcome.error }
}
