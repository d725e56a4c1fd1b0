import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid, type Problem, validationFailed } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Deps } from '../../../platform/module.ts'
import { lockActeur } from '../../publications/importing/publish-as.ts'
import { importInProgress } from '../errors.ts'
import { hasRunUnderWay, insertSource, type SourceChange, type SourceRow } from '../queries.ts'
import { importSource } from '../record.ts'
import type { SelectedSource } from '../schema.ts'
import { isCron, nextDue } from './cron.ts'
import { deleteHistory } from './jobs.ts'
import { getSource } from './queries.ts'
import type { SourceCreate, SourceUpdate } from './schema.ts'

export function createSource(
  db: Database,
  caller: SignedIn,
  body: SourceCreate,
  now: Date,
): Promise<SelectedSource> {
  const wanted = { action: 'import_source.create', read: getSource }
  refuse(problemsOf({ ...defaults, ...body }))
  return create(db, caller, importSource, wanted, (tx) => insertChecked(tx, body, now))
}

/** Inserts a source after all checks of its settings. */
export async function insertChecked(tx: Database, body: SourceCreate, now: Date): Promise<SourceRow> {
  const values = { ...defaults, ...body }
  refuse(problemsOf(values))
  await requireActeur(tx, values.acteur_id)
  return insertSource(tx, { id: uuidv7(), ...values, next_run_at: dueOf(values, now) })
}

/** Refuses what is not an http or https address. */
export const requireWebAddress = (url: string): void => refuse(problemsOfGiven({ url }))

/** Updates a source; reactivating it resets its count of failures. */
export function updateSource(
  db: Database,
  caller: SignedIn,
  id: string,
  body: SourceUpdate,
  now: Date,
): Promise<SelectedSource> {
  refuse(problemsOfGiven(body))
  const wanted = { id, action: 'import_source.update' }
  return change(db, caller, importSource, wanted, async (tx, before, save) => {
    // Only csv and json have a mapping: changing the type to a feed removes it.
    const mapping = body.mapping === undefined && isFeed(body.type) ? { mapping: null } : {}
    const after: SourceRow = { ...before, ...body, ...mapping }
    refuse(mappingProblems(after))
    if (after.acteur_id !== before.acteur_id) await requireActeur(tx, after.acteur_id)
    const values: SourceChange = {
      ...body,
      ...mapping,
      ...(body.actif === true && { failures: 0, paused_reason: null }),
      ...(readsOtherwise(before, after) && { etag: null, last_modified: null }),
      ...(body.cron !== undefined || body.actif !== undefined ? { next_run_at: dueOf(after, now) } : {}),
    }
    return getSource(tx, await save(values))
  })
}

/** Marks a source as deleted immediately. Keeps its publications; a job deletes its history. */
export async function deleteSource(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  now: Date,
): Promise<SelectedSource> {
  const wanted = { id, action: 'import_source.delete' }
  return change(db, caller, importSource, wanted, async (tx, before, save) => {
    if (await hasRunUnderWay(tx, id)) throw importInProgress()
    const last = await getSource(tx, before)
    await jobs.enqueue(tx, deleteHistory, { sourceId: id }, { singletonKey: id })
    await save({ deleted_at: now, next_run_at: null }, { after: { deleted_at: now } })
    return last
  })
}

const defaults = {
  acteur_id: null,
  commune_id: null,
  type_id: null,
  moderation_status: 'pending' as const,
  actif: true,
  skip_duplicates: true,
  cron: null,
  mapping: null,
}

type ScheduleFields = Pick<SourceRow, 'actif' | 'cron'>
const dueOf = ({ actif, cron }: ScheduleFields, now: Date) =>
  actif && cron !== null ? nextDue(cron, now) : null

/** True if the same bytes could now be imported differently: any setting but name and schedule changed. */
const readsOtherwise = (before: SourceRow, after: SourceRow) =>
  JSON.stringify(readBy(before)) !== JSON.stringify(readBy(after))

export const readBy = (source: SourceRow) => [
  source.type,
  source.url,
  source.acteur_id,
  source.commune_id,
  source.type_id,
  source.moderation_status,
  source.skip_duplicates,
  source.mapping && Object.entries(source.mapping).sort(),
]

const isFeed = (type: SourceRow['type'] | undefined) =>
  type !== undefined && type !== 'csv' && type !== 'json'

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw validationFailed(problems)
}

const problemsOf = (source: Pick<SourceRow, 'type' | 'mapping' | 'url' | 'cron'>): Problem[] => [
  ...problemsOfGiven(source),
  ...mappingProblems(source),
]

function problemsOfGiven({ url, cron }: SourceUpdate): Problem[] {
  return [
    ...(url === undefined || isWebAddress(url) ? [] : [{ field: 'url', message: messages.url }]),
    ...(cron === undefined || cron === null || isCron(cron)
      ? []
      : [{ field: 'cron', message: messages.cron }]),
  ]
}

function mappingProblems({ type, mapping }: Pick<SourceRow, 'type' | 'mapping'>): Problem[] {
  if (isFeed(type)) return mapping === null ? [] : [{ field: 'mapping', message: messages.noMapping }]
  if (mapping === null) return [{ field: 'mapping', message: messages.mapping }]
  if (type === 'csv' && mapping.items !== undefined)
    return [{ field: 'mapping.items', message: messages.noItems }]
  return []
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

async function requireActeur(tx: Database, id: string | null): Promise<void> {
  if (id === null || (await lockActeur(tx, id))) return
  throw invalid('acteur_id', messages.acteur)
}

const messages = {
  url: {
    en: 'must be an http or https address without a user name or password',
    fr: 'doit être une adresse http ou https sans nom d’utilisateur ni mot de passe',
  },
  cron: {
    en: 'must be a cron expression of five fields, such as 0 6 * * *',
    fr: 'doit être une expression cron à cinq champs, comme 0 6 * * *',
  },
  mapping: { en: 'is required for csv and json', fr: 'est requis pour csv et json' },
  noMapping: { en: 'is only allowed for csv and json', fr: 'est réservé à csv et json' },
  noItems: { en: 'is only allowed for json', fr: 'est réservé à json' },
  acteur: { en: 'must be an existing acteur', fr: 'doit être un acteur existant' },
}
