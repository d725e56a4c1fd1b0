import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../platform/access/caller.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, type Problem, validationFailed } from '../../platform/errors.ts'
import { lineOrNull } from '../../platform/formats/clean-text.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { slugTaken } from '../communes/errors.ts'
import { authoriseIn, lockFor } from '../communes/locking.ts'
import { refuseIdAsSlug } from '../communes/slugs.ts'
import { keepDeleted, takeDeleted } from '../deletions/deleted.ts'
import { lockExistingFiles, requireDescribed, requireDocuments, requireImages } from '../media/images.ts'
import { cleanContent } from '../publications/writing/content.ts'
import { pageHasPages, tooManyPages } from './errors.ts'
import * as queries from './queries.ts'
import { newPage, page } from './record.ts'
import {
  type ContactBody,
  maxPages,
  type PageContact,
  type PageCreate,
  type PageRow,
  type PageUpdate,
} from './schema.ts'

/** `id`: of the page; its path names the commune too. */
type Named = { communeId: string; id: string }
type Read<Answer> = (tx: Database, page: { id: string }) => Promise<Answer>

export function createPage<Answer>(
  db: Database,
  caller: SignedIn,
  communeId: string,
  body: PageCreate,
  read: Read<Answer>,
): Promise<Answer> {
  refuseIdAsSlug(body)
  const { title, ...content } = cleaned(body)
  if (title === undefined) throw new Error('a new page without a title')
  const { status = 'draft', parent_id = null } = body
  const asked = { action: 'page.create', read, authorise: lockFor(caller, communeId) }
  return create(db, caller, newPage, asked, async (tx, mairie_id) => {
    const places = await queries.listPlaces(tx, communeId)
    requireParent(places, parent_id)
    const wanted = { body: '', images: null, documents: null, contacts: [], ...content }
    await requireFiles(tx, caller, { mairie_id, status, ...wanted }, { images: null, documents: null })
    const position = await positionAtEnd(tx, communeId, places)
    const row = { id: uuidv7(), commune_id: communeId, parent_id, status, position, title, ...wanted }
    return insertWithSlug(tx, row, body.slug)
  })
}

export function updatePage<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id }: Named,
  body: PageUpdate,
  read: Read<Answer>,
): Promise<Answer> {
  const content = cleaned(body)
  const { status, parent_id, before: next } = body
  const asked = { id, action: 'page.update', authorise: authoriseIn(caller, communeId) }
  return change(db, caller, page, asked, async (tx, before, save) => {
    const places = await queries.listPlaces(tx, communeId)
    if (parent_id !== undefined) requireParent(places, parent_id, before.id)
    const values = {
      ...content,
      ...(status !== undefined && { status }),
      ...(parent_id !== undefined && { parent_id: parent_id?.toLowerCase() ?? null }),
      ...(next !== undefined && { position: await move(tx, communeId, places, { id: before.id, next }) }),
    }
    const after = { ...before, ...values }
    await requireFiles(tx, caller, after, before)
    await keepVersion(tx, before, after)
    return read(tx, await save(values))
  })
}

/** Deletes a page and returns it as it last was. It can be restored for 30 days, without its former versions. */
export function deletePage<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id }: Named,
  read: Read<Answer>,
): Promise<Answer> {
  const asked = { id, action: 'page.delete', authorise: authoriseIn(caller, communeId) }
  return change(db, caller, page, asked, async (tx, before, save) => {
    const places = await queries.listPlaces(tx, communeId)
    if (places.some(({ parent_id }) => parent_id === before.id)) throw pageHasPages()
    const last = await read(tx, before)
    const { mairie_id: _mairie, ...row } = before
    const kept = { id: before.id, kind: 'page' as const, label: before.title, detail: null, content: row }
    await keepDeleted(tx, { commune_id: communeId }, [kept])
    await save({ isDeleted: true })
    return last
  })
}

/** Restores a deleted page behind all others: at the top if the page above it is gone, and without files that are gone. */
export function restorePage<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id }: Named,
  read: Read<Answer>,
): Promise<Answer> {
  const wanted = { action: 'page.restore', read, authorise: lockFor(caller, communeId) }
  return create(db, caller, newPage, wanted, async (tx) => {
    const { content: row } = await takeDeleted<PageRow>(tx, id, ['page'], { commune_id: communeId })
    const places = await queries.listPlaces(tx, communeId)
    const isAbove = (place: queries.Place) => place.id === row.parent_id && place.parent_id === null
    return insertWithSlug(tx, {
      ...{ id: row.id, commune_id: row.commune_id, title: row.title, body: row.body, status: row.status },
      ...{ slug: row.slug, contacts: row.contacts, created_at: row.created_at },
      // Another version than those that were read before.
      version: row.version + 1,
      parent_id: places.some(isAbove) ? row.parent_id : null,
      images: await lockExistingFiles(tx, 'image', row.images),
      documents: await lockExistingFiles(tx, 'document', row.documents),
      position: await positionAtEnd(tx, communeId, places),
    })
  })
}

/** Brings a former title and text back. The text that they replace becomes a version too. */
export function restoreVersion<Answer>(
  db: Database,
  caller: SignedIn,
  { communeId, id, versionId }: Named & { versionId: string },
  read: Read<Answer>,
): Promise<Answer> {
  const asked = { id, action: 'page.restore_version', authorise: authoriseIn(caller, communeId) }
  return change(db, caller, page, asked, async (tx, before, save) => {
    const { title, body } = await queries.getVersion(tx, id, versionId)
    await keepVersion(tx, before, { title, body })
    return read(tx, await save({ title, body }))
  })
}

type Text = Pick<PageRow, 'title' | 'body'>

async function keepVersion(tx: Database, before: PageRow, { title, body }: Text): Promise<void> {
  if (title === before.title && body === before.body) return
  await queries.insertVersion(tx, before, uuidv7())
}

type Files = Pick<PageRow, 'images' | 'documents'>

/** Requires files that the mairie may use, and described pictures on what is published. */
async function requireFiles(
  tx: Database,
  caller: SignedIn,
  after: Files & Pick<PageRow, 'status'> & { mairie_id: string | null },
  before: Files & Partial<Pick<PageRow, 'status'>>,
): Promise<void> {
  const acteurId = after.mairie_id
  await requireImages(tx, caller, { acteurId, after: after.images, before: before.images })
  await requireDocuments(tx, caller, { acteurId, after: after.documents, before: before.documents })
  if (after.status !== 'published') return
  if (before.status === 'published' && isDeepStrictEqual(after.images, before.images)) return
  await requireDescribed(tx, after.images)
}

/** Requires that a page exists in the commune and stands at the top, and that `id` has none below it. */
function requireParent(places: queries.Place[], parentId: string | null, id?: string): void {
  if (parentId === null) return
  const parent = places.find((place) => place.id === parentId.toLowerCase())
  if (parent === undefined || parent.id === id) throw invalid('parent_id', messages.unknownParent)
  if (parent.parent_id !== null) throw invalid('parent_id', messages.tooDeep)
  if (places.some(({ parent_id }) => parent_id === id)) throw invalid('parent_id', messages.hasPages)
}

/** Returns the position behind all pages; closes the gaps where the last one has the highest. */
async function positionAtEnd(tx: Database, communeId: string, places: queries.Place[]): Promise<number> {
  if (places.length >= maxPages) throw tooManyPages()
  const ids = places.map(({ id }) => id)
  await queries.writeOrder(tx, communeId, ids)
  return places.length + 1
}

/** Moves a page before another one, or behind all; returns its new position. */
async function move(
  tx: Database,
  communeId: string,
  places: queries.Place[],
  { id, next }: { id: string; next: string | null },
): Promise<number> {
  const others = places.map((place) => place.id).filter((other) => other !== id)
  const at = next === null ? others.length : others.indexOf(next.toLowerCase())
  if (at < 0) throw invalid('before', messages.unknownNext)
  await queries.writeOrder(tx, communeId, others.toSpliced(at, 0, id))
  return at + 1
}

type New = Omit<Parameters<typeof queries.insertPage>[1], 'slug'> & { slug?: string }

/** Inserts with the slug that was given; else with the first free one from the title. */
async function insertWithSlug(tx: Database, row: New, given?: string): Promise<PageRow> {
  const base = row.slug ?? slugify(row.title).slice(0, 100).replace(/-$/, '')
  if (given === undefined && base === '') throw invalid('title', messages.nameless)
  const candidates = given === undefined ? [base, `${base}-${row.id.slice(-6)}`] : [given]
  for (const slug of candidates) {
    const inserted = await queries.insertPage(tx, { ...row, slug })
    if (inserted !== undefined) return inserted
  }
  throw slugTaken()
}

/** Cleans what a body gives of the content. */
function cleaned({ title, body, images, documents, contacts }: Omit<PageUpdate, 'before'>) {
  const isEmpty = body !== undefined && body.trim() === ''
  const content = cleanContent({
    ...(title !== undefined && { title }),
    ...(body !== undefined && !isEmpty && { body }),
    ...(images !== undefined && { images }),
    ...(documents !== undefined && { documents }),
  })
  const { title: cleanTitle, body: cleanBody = isEmpty ? '' : undefined } = content
  return {
    ...(cleanTitle !== undefined && { title: cleanTitle }),
    ...(cleanBody !== undefined && { body: cleanBody }),
    ...(content.images !== undefined && { images: content.images }),
    ...(content.documents !== undefined && { documents: content.documents }),
    ...(contacts !== undefined && { contacts: cleanContacts(contacts) }),
  }
}

function cleanContacts(given: ContactBody[]): PageContact[] {
  const problems: Problem[] = []
  const contacts = given.map(({ nom, adresse, telephone, email }, index) => {
    const written = lineOrNull(email)
    const parsed = written === null ? null : parseMailAddress(written)
    if (written !== null && parsed === null)
      problems.push({ field: `contacts.${index}.email`, message: messages.address })
    return {
      ...{ nom: lineOrNull(nom) ?? nom, adresse: lineOrNull(adresse) },
      ...{ telephone: lineOrNull(telephone), email: parsed },
    }
  })
  if (problems.length > 0) throw validationFailed(problems)
  return contacts
}

const messages = {
  address: { en: 'must be an e-mail address', fr: 'doit être une adresse e-mail' },
  hasPages: {
    en: 'must be null while other pages stand below this one',
    fr: 'doit être nul tant que d’autres pages sont rangées sous celle-ci',
  },
  nameless: { en: 'must contain a letter or a digit', fr: 'doit contenir une lettre ou un chiffre' },
  tooDeep: {
    en: 'must be a page at the top: there are two levels',
    fr: 'doit être une page du premier niveau : il n’y en a que deux',
  },
  unknownNext: {
    en: 'must be another page of this commune',
    fr: 'doit être une autre page de cette commune',
  },
  unknownParent: {
    en: 'must be another page of this commune',
    fr: 'doit être une autre page de cette commune',
  },
}
