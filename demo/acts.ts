import { createHash } from 'node:crypto'
import { sealDraft } from '../src/modules/acts/publishing.ts'
import { type ActRow, getPublisher, insertDraft, updateAct } from '../src/modules/acts/queries.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapIds, readData } from './data.ts'
import { writePdf } from './pdf.ts'
import { addDays, iso, type Moment, moment } from './times.ts'

type DemoAct = Pick<ActRow, 'kind' | 'title' | 'number' | 'subject' | 'individual'> & {
  /** Slug of the mairie. */
  mairie: string
  author: [string, string, string]
  /** Days between the act and the day that it went on line. */
  after: number
  published_at: Moment
  /** The number of the act that it corrects. */
  supersedes?: string
  lines: string[]
}

/** Inserts acts of mairies that exist, with their files, in the order of their publication: the chain goes on in time. */
export async function insertDemoActs(db: Database, now: Date): Promise<void> {
  const mairies = await mapIds(db, 'acteurs', 'slug')
  const byNumber = new Map<string | null, string>()
  for (const { mairie, author, after, published_at, supersedes, lines, ...act } of await readData<DemoAct[]>(
    'content/acts.json',
  )) {
    const acteur_id = mairies.get(mairie)
    if (acteur_id === undefined) continue
    const at = moment(published_at, now)
    const content = writePdf(act.title, lines)
    const [author_first_name, author_name, author_quality] = author
    const corrected = supersedes === undefined ? undefined : byNumber.get(supersedes)
    const draft = await insertDraft(
      db,
      {
        ...{ ...act, id: uuidv7At(at.getTime()), acteur_id, date: iso(addDays(at, -after)), pages: 1 },
        ...{ author_first_name, author_name, author_quality, supersedes: corrected ?? null },
        sha256: createHash('sha256').update(content).digest('hex'),
      },
      { content, text: [act.title, ...lines].join('\n') },
    )
    const publisher = await getPublisher(db, acteur_id)
    const { published } = await sealDraft(db, { draft, publisher, at })
    if (corrected !== undefined)
      await updateAct(db, corrected, { state: 'superseded', superseded_by: draft.id })
    await updateAct(db, draft.id, published)
    byNumber.set(act.number, draft.id)
  }
}
