import { setImmediate } from 'node:timers/promises'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError } from '../../../platform/errors.ts'
import { clip, hasWord, isVisible } from '../../../platform/formats/text.ts'
import { lockFor } from '../../communes/locking.ts'
import { plainText } from '../../imports/readers/item.ts'
import { cleanContent } from '../../publications/writing/content.ts'
import { tooManyPages } from '../errors.ts'
import * as queries from '../queries.ts'
import { newPage } from '../record.ts'
import { maxPages, type PageRow } from '../schema.ts'
import { convert } from './content.ts'
import { type CleanPage, type PlannedPage, planPages } from './plan.ts'
import { type Export, type ExportedPage, readExport } from './read-export.ts'
import { type ImportedPage, maxImagesNamed, maxServersNamed, type WordPressImport } from './schema.ts'

type File = { communeId: string; isDryRun: boolean; read: () => Promise<Buffer> }

/**
 * Writes the pages of a WordPress export as drafts behind all others, all or none. What exists stays as it is, so that the
 * same file sent again writes nothing.
 */
export async function importPages(
  db: Database,
  caller: SignedIn,
  { communeId, isDryRun, read }: File,
): Promise<WordPressImport> {
  const exported = await readExport(await read())
  const pages = await cleanPages(exported)
  return db.transaction().execute(async (tx) => {
    await lockFor(caller, communeId)(tx)
    const existing = await queries.listNamed(tx, communeId)
    const planned = planPages(pages, existing)
    const created = planned.filter(({ result }) => result === 'created')
    if (existing.length + created.length > maxPages) throw tooManyPages()
    if (!isDryRun) await insertPlanned(tx, caller, communeId, existing, created)
    return answerOf(exported, planned, isDryRun)
  })
}

/** Sanitises the texts; other requests get their turn between two pages. */
async function cleanPages({ pages, site }: Export): Promise<CleanPage[]> {
  const cleaned: CleanPage[] = []
  for (const page of pages) {
    cleaned.push(cleanPage(page, site))
    await setImmediate()
  }
  return cleaned
}

const statuses = new Set(['publish', 'draft', 'pending', 'private', 'future'])

function cleanPage({ title: written, content, ...page }: ExportedPage, site: string | null): CleanPage {
  const { html, ...removed } = convert(content ?? '', site)
  const title = clip(plainText(written).replaceAll(/\s+/g, ' ').trim(), 200)
  const failed = (fault: CleanPage['fault']) => ({ ...page, title, body: '', removed, fault })
  if (!statuses.has(page.status)) return failed('trashed')
  if (!hasWord(title)) return failed('untitled')
  if (content === null) return failed('too_large')
  if (!hasText(html)) return failed(null)
  try {
    const { title: cleanTitle = title, body = '' } = cleanContent({ title, body: html })
    return { ...page, title: cleanTitle, body, removed, fault: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return failed(error.details?.some(({ field }) => field === 'title') ? 'untitled' : 'too_large')
  }
}

/** True if a text has something to read outside its tags. */
const hasText = (html: string) =>
  isVisible(html.replaceAll(/<[^<>]*>/g, ' ').replaceAll(/&(?:nbsp|#160);/g, ' '))

async function insertPlanned(
  tx: Database,
  caller: SignedIn,
  communeId: string,
  existing: queries.NamedPage[],
  planned: PlannedPage[],
): Promise<void> {
  const ids = existing.map(({ id }) => id)
  await queries.writeOrder(tx, communeId, ids)
  const rows: PageRow[] = []
  for (const { id, slug, parent, page } of planned) {
    if (id === null || slug === null) throw new Error('a planned page without a slug')
    const row = await queries.insertPage(tx, {
      ...{
        id,
        commune_id: communeId,
        parent_id: parent?.id ?? null,
        slug,
        title: page.title,
        body: page.body,
      },
      ...{ images: null, documents: null, contacts: [], status: 'draft' as const },
      position: ids.length + rows.length + 1,
    })
    if (row === undefined) throw new Error('a slug was taken while its commune was locked')
    rows.push(row)
  }
  const entries = rows.map((row) => ({
    ...{ action: 'page.create', kind: newPage, entityId: row.id },
    after: newPage.auditedValues(row),
  }))
  await append(tx, caller, entries)
}

function answerOf({ site, others }: Export, planned: PlannedPage[], isDryRun: boolean): WordPressImport {
  const images = planned.flatMap(({ page }) => page.removed.images)
  const servers = new Set(images.filter((address) => address !== '').map((address) => new URL(address).host))
  const count = (wanted: PlannedPage['result']) => planned.filter(({ result }) => result === wanted).length
  return {
    dry_run: isDryRun,
    site,
    ...{ created: count('created'), existing: count('exists'), skipped: count('skipped') },
    pages: planned.map((one) => shown(one, isDryRun)),
    others: [...others].map(([type, count]) => ({ type, count })),
    images: images.length,
    image_servers: [...servers].slice(0, maxServersNamed),
  }
}

function shown({ page, ...planned }: PlannedPage, isDryRun: boolean): ImportedPage {
  const { images, ...removed } = page.removed
  const { id, slug, parent, result, reason, notes } = planned
  return {
    source_id: page.id,
    id: result === 'created' && isDryRun ? null : id,
    title: page.title,
    ...{ slug, parent_slug: parent?.slug ?? null, result, reason, notes, ...removed },
    images: images.length,
    image_urls: images.filter((address) => address !== '').slice(0, maxImagesNamed),
  }
}
