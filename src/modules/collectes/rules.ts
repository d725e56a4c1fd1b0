import type { SignedIn } from '../../platform/access/caller.ts'
import { leftOf, rightOver } from '../../platform/access/rules.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid, notFound, scopeViolation } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { ReadFailed } from '../imports/readers/read-failed.ts'
import { collecteRules } from './permissions.ts'
import { type Counts, plannedFor, wantedOf } from './plan.ts'
import * as queries from './queries.ts'
import { readInWorker } from './reading/read-in-worker.ts'
import { collecteImport } from './record.ts'
import { batchSize, replaceCollectes } from './replacing.ts'
import {
  type CollecteImport,
  type CollecteImportFull,
  type FileOfCollectes,
  type ImportRow,
  importActions,
} from './schema.ts'

type File = {
  acteurId: string
  bytes: Uint8Array
  body: Pick<FileOfCollectes, 'commune_ids' | 'secteur' | 'others'>
  today: string
  signal: AbortSignal
}

const shownProblems = 1_000

/** Bytes of JSON that an import may want: what one calendar says is stored for each commune. */
const maxWanted = 30_000_000

/** Reads a file, and records what it would do in each commune that it names. Changes no commune. */
export async function checkFile(
  db: Database,
  caller: SignedIn,
  { acteurId, bytes, body, today, signal }: File,
): Promise<CollecteImportFull> {
  const members = await queries.listMembers(db, acteurId, allowedCommunes(caller))
  const chosen = [...new Set(body.commune_ids?.toLowerCase().split(',') ?? [])]
  const memberIds = new Set(members.map(({ id }) => id))
  if (chosen.some((id) => !memberIds.has(id))) throw scopeViolation()
  const { kind, rows } = await readInWorker(bytes, today, signal).catch(refuseUnreadable)
  const isNamed =
    kind === 'csv' || rows.some(({ code_insee, commune }) => code_insee !== null || commune !== null)
  for (const field of ['commune_ids', 'secteur', 'others'] as const)
    if (isNamed && body[field] !== undefined) throw invalid(field, messages.namesCommunes)
  if (rows.length === 0) throw invalid('file', messages.empty)
  const { wanted, problems } = wantedOf(rows, members, chosen)
  const replaced = { secteur: body.secteur ?? null, keepsKinds: body.others === 'kept' }
  const asked = { action: 'collecte_import.create', read: readerFor(caller) }
  return create(db, caller, collecteImport, asked, async (tx) => {
    const of = { id: uuidv7(), acteur_id: acteurId, kind }
    const row = await queries.insertImport(tx, of, problems.slice(0, shownProblems), problems.length)
    let size = 0
    for (const batch of batchesOf(wanted)) {
      const present = await queries.listCollectesOf(
        tx,
        batch.map(({ commune_id }) => commune_id),
      )
      const planned = batch.map(({ commune_id, collectes }) => {
        const before = present.get(commune_id) ?? []
        const { after, counts } = plannedFor(before, collectes, replaced)
        return { commune_id, before, after, ...counts }
      })
      size += planned.reduce((sum, { after }) => sum + JSON.stringify(after).length, 0)
      if (size > maxWanted) throw invalid('file', messages.tooMuch)
      await queries.insertPlanned(tx, row.id, planned satisfies Counts[])
    }
    return row
  })
}

function refuseUnreadable(error: unknown): never {
  if (!(error instanceof ReadFailed)) throw error
  throw invalid('file', { en: error.message, fr: messages.unreadable(error.message) })
}

function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += batchSize) yield items.slice(at, at + batchSize)
}

/**
 * Replaces the collections of the communes of an import, in one transaction. Those that have changed since it was checked, or
 * are not of the acteur any more, stay. Repeated, it answers the same and writes nothing.
 */
export function applyImport(db: Database, caller: SignedIn, acteurId: string, id: string, now: Date) {
  const asked = { id, action: 'collecte_import.apply', authorise: requireOf(acteurId) }
  return change(db, caller, collecteImport, asked, async (tx, row, save) => {
    if (row.undone_at !== null) throw conflict()
    const isNew = row.applied_at === null
    if (isNew)
      await inBatches(tx, caller, row, async (planned, members) => {
        const wanted = planned.map(({ commune_id, before: from, after: to }) => ({ commune_id, from, to }))
        const done = await replaceCollectes(tx, caller, wanted, members)
        await queries.recordResults(
          tx,
          id,
          done.map(({ commune_id, outcome }) => ({ commune_id, result: outcome })),
        )
        const written = done.filter(({ outcome }) => outcome === 'replaced')
        await queries.recordWritten(
          tx,
          id,
          written.map(({ commune_id, collectes }) => ({ commune_id, after: collectes })),
        )
        return written.length
      })
    await save(isNew ? { applied_at: now } : {})
    return readerFor(caller)(tx, row)
  })
}

/**
 * Restores the collections of the communes that an import replaced, in one transaction. Those that have changed since stay.
 * Repeated, it answers the same and writes nothing.
 */
export function undoImport(db: Database, caller: SignedIn, acteurId: string, id: string, now: Date) {
  const asked = { id, action: 'collecte_import.undo', authorise: requireOf(acteurId) }
  return change(db, caller, collecteImport, asked, async (tx, row, save) => {
    if (row.applied_at === null) throw conflict()
    const isNew = row.undone_at === null
    if (isNew)
      await inBatches(tx, caller, row, async (planned, members) => {
        const replaced = planned.filter(({ result }) => result === 'replaced')
        const wanted = replaced.map(({ commune_id, before: to, after: from }) => ({ commune_id, from, to }))
        const done = await replaceCollectes(tx, caller, wanted, members)
        const results = done.map(({ commune_id, outcome }) => ({
          commune_id,
          undo_result:
            outcome === 'changed_since' || outcome === 'not_member' ? outcome : ('restored' as const),
        }))
        await queries.recordUndo(tx, id, results)
        return results.filter(({ undo_result }) => undo_result === 'restored').length
      })
    await save(isNew ? { undone_at: now } : {})
    return readerFor(caller)(tx, row)
  })
}

/** Calls a step for batches of the communes of an import, all locked, with the acteur's; 409 if no commune changes. */
async function inBatches(
  tx: Database,
  caller: SignedIn,
  { id, acteur_id }: queries.StoredImport,
  step: (planned: queries.PlannedRow[], members: ReadonlySet<string>) => Promise<number>,
): Promise<void> {
  const members = await queries.lockMembers(tx, acteur_id, allowedCommunes(caller))
  let count = 0
  for (const ids of batchesOf(await queries.lockCommunes(tx, id)))
    count += await step(await queries.listPlanned(tx, id, ids), members)
  if (count === 0) throw conflict()
}

const requireOf = (acteurId: string) => (_tx: Database, row: queries.StoredImport) => {
  if (row.acteur_id !== acteurId) throw notFound()
}

/** The communes to which the application of the caller is restricted; null: none. */
export const allowedCommunes = ({ source }: SignedIn): readonly string[] | null => source?.communeIds ?? null

/** Reads an import with its communes and problems. */
export const readerFor =
  (caller: SignedIn) =>
  async (db: Database, { id, acteur_id }: { id: string; acteur_id: string }): Promise<CollecteImportFull> => {
    const { problems, ...row } = await queries.getImport(db, acteur_id, id)
    return { ...shownTo(caller)(row), communes: await queries.listPlannedCommunes(db, id), problems }
  }

/** Returns an import as a member of the team sees it; those without the permission read it. */
export const shownTo =
  ({ user }: SignedIn) =>
  (row: ImportRow): CollecteImport => ({
    ...row,
    state: row.undone_at !== null ? 'undone' : row.applied_at !== null ? 'applied' : 'checked',
    can:
      rightOver(user, row.acteur_id, [collecteRules.import]) === 'allowed' ? leftOf(importActions, row) : [],
  })

const messages = {
  namesCommunes: {
    en: 'is for calendars: this file names communes itself',
    fr: 'concerne les calendriers : ce fichier nomme lui-même les communes',
  },
  empty: { en: 'has no collection', fr: 'ne contient aucune collecte' },
  tooMuch: { en: 'has too many dates for so many communes', fr: 'a trop de dates pour tant de communes' },
  unreadable: (sentence: string) =>
    sentence.includes('workbook')
      ? 'est un classeur : enregistrez sa feuille au format CSV'
      : sentence.includes('columns')
        ? 'n’a pas de ligne de titres avec les colonnes code_insee ou commune, et type ou libelle'
        : 'ne peut pas être lu : il faut un tableau CSV, une liste JSON ou un calendrier iCalendar',
}
