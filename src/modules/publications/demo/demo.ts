import { hash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { slugify } from '../../../platform/text.ts'
import { uuidv7At } from '../../../platform/uuid.ts'
import { sanitizeBody } from '../content.ts'
import { duplicateKey } from '../duplicates.ts'
import { fillTexte } from './fill.ts'
import { type DemoPlaced, demoPlaced } from './placed.ts'
import { demoState } from './states.ts'

/** A few hundred publications of the demo acteurs, in every state, with dates around the day of the load. */
export async function insertDemoPublications(db: Database): Promise<void> {
  const now = new Date()
  const types = await db.selectFrom('publication_types').select(['id', 'slug']).execute()
  const typeIds = new Map(types.map(({ id, slug }) => [slug, id]))
  const made = (await demoPlaced(db)).map((placed, number) => publication(placed, number, now, typeIds))
  if (made.length === 0) return
  await db
    .insertInto('publications')
    .values(made.map(({ row }) => row))
    .execute()
  await db
    .insertInto('publication_communes')
    .values(made.flatMap(({ links }) => links))
    .execute()
  const reports = made.flatMap(({ reports }) => reports)
  if (reports.length > 0) await db.insertInto('publication_reports').values(reports).execute()
}

function publication(placed: DemoPlaced, number: number, now: Date, typeIds: Map<string, string>) {
  const { texte, scene, acteurId, communeIds, shift } = placed
  const { body, ...filled } = fillTexte(texte, scene, now, shift, number % 2 === 0)
  const state = demoState(texte, now, number)
  const id = uuidv7At(state.created_at.getTime())
  const content = {
    ...filled,
    body: sanitizeBody(body),
    acteur_id: acteurId,
    type_id: typeIds.get(texte.type) ?? null,
    source_url: texte.source,
  }
  const row: Insertable<tables.Publications> = {
    id,
    slug: slugify(filled.title).slice(0, 100).replace(/-$/, ''),
    ...content,
    commune_id: communeIds[0] ?? null,
    image_url: number % 4 === 0 ? `https://photos.example/publications/${number}.jpg` : null,
    duplicate_key: duplicateKey(content),
    ...state,
  }
  const links = communeIds.map((commune_id) => ({ publication_id: id, commune_id }))
  return { row, links, reports: reportRows(id, placed, now) }
}

function reportRows(publication_id: string, { texte }: DemoPlaced, now: Date) {
  const closed_at = texte.marks.has('reports-closed') ? now : null
  return texte.signalements.map(({ category, message }, index) => {
    const created_at = new Date(now.getTime() - (index + 2) * 3_600_000)
    return {
      id: uuidv7At(created_at.getTime()),
      publication_id,
      caller_key: hash('sha256', `demo reader ${index}`, 'base64url').slice(0, 22),
      day: created_at.toISOString().slice(0, 10),
      category,
      message,
      closed_at,
      created_at,
    }
  })
}
