import { insertAlerte } from '../src/modules/alertes/queries.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7, uuidv7At } from '../src/platform/formats/uuid.ts'
import { mapCommuneIds, readData } from './data.ts'
import { type Moment, moments } from './times.ts'

export type Examples = {
  alerte: {
    /** INSEE code of the commune. */
    commune: string
    titre: string
    message: string
    niveau: string
    times: { debut: Moment; fin: Moment }
  }
  template: { kind: string; name: string; body: string }
}

/** Inserts what an office would otherwise meet only later: an alerte in force and a template of rejections. */
export async function insertDemoExamples(db: Database, now: Date): Promise<void> {
  const { alerte, template } = await readData<Examples>('content/examples.json')
  const { commune, times, ...content } = alerte
  const commune_id = (await mapCommuneIds(db, [commune])).get(commune)
  if (commune_id !== undefined) {
    const at = moments(times, now)
    const made = { created_at: at.debut, updated_at: at.debut }
    await insertAlerte(db, { id: uuidv7At(at.debut.getTime()), commune_id, ...content, ...at, ...made })
  }
  await db
    .insertInto('reply_templates')
    .values({ id: uuidv7(), ...template, created_at: now, updated_at: now })
    .execute()
}
