import { insertPage } from '../src/modules/pages/queries.ts'
import type { PageContact } from '../src/modules/pages/schema.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapIds, readData } from './data.ts'
import { type Moment, moment } from './times.ts'

type DemoPage = {
  /** Slug of the commune. */
  commune: string
  slug: string
  /** Slug of the page that it stands below. */
  parent?: string
  title: string
  body: string
  contacts: PageContact[]
  written_at: Moment
}

/** Inserts pages that mairies wrote, in order. */
export async function insertDemoPages(db: Database, now: Date): Promise<void> {
  const communes = await mapIds(db, 'communes', 'slug')
  const byAddress = new Map<string, string>()
  for (const [index, page] of (await readData<DemoPage[]>('content/pages.json')).entries()) {
    const { commune, slug, parent, title, body, contacts, written_at } = page
    const commune_id = communes.get(commune)
    if (commune_id === undefined) continue
    const created_at = moment(written_at, now)
    const id = uuidv7At(created_at.getTime())
    const parent_id = byAddress.get(`${commune} ${parent}`) ?? null
    await insertPage(db, {
      ...{ id, commune_id, parent_id, slug, title, body, contacts, created_at, updated_at: created_at },
      ...{ images: null, documents: null, status: 'published', position: index + 1 },
    })
    byAddress.set(`${commune} ${slug}`, id)
  }
}
