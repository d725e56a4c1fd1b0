import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { operator } from '../../platform/access/caller.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { actForm, actPdf, asOwner } from './acts.test-kit.ts'
import { sha256 } from './chain.ts'
import { publishAct } from './publishing.ts'
import { insertDraft } from './queries.ts'

const threeMonthsAgo = new Date(Date.now() - 93 * 86_400_000)

export function routeCalls({
  db,
  database,
  admin,
  mayor,
  mairie,
  reader,
  noted,
  personal,
}: Stage): RouteCalls {
  const path = `/mairie/acteurs/${mairie.hall.id}/acts`
  let files = 0
  /** Inserts a draft, because decoding takes a second. */
  const insert = async () => {
    const content = actPdf(`acte ${++files}`)
    const draft = {
      ...{ id: uuidv7(), acteur_id: mairie.hall.id, kind: 'deliberation' as const, number: null },
      ...{ title: 'Tarifs', date: '2026-03-03', author_first_name: 'Camille', author_name: 'Roux' },
      ...{ author_quality: 'Maire', subject: null, individual: false, supersedes: null, pages: 1 },
      sha256: sha256(content).toString('hex'),
    }
    await insertDraft(db, draft, { content, text: 'Tarifs' })
    return draft.id
  }
  /** Publishes acts three months ago. Before any is published today: the chain never goes back in time. */
  const publishOld = async () => {
    const ids: string[] = []
    for (let count = 0; count < 25; count++) ids.push(await insert())
    await asOwner(database.owner, async (db) => {
      for (const id of ids)
        await publishAct({ db, clock: () => threeMonthsAgo, at: threeMonthsAgo }, operator, {
          acteurId: mairie.hall.id,
          id,
        })
    })
    return ids
  }
  let old: Promise<string[]> | undefined
  const prepare = async () => {
    old ??= publishOld()
    await old
    return insert()
  }
  const publish = async () => {
    old ??= publishOld()
    return (await old).pop() ?? ''
  }
  /** Returns the id of an act that no call changes. */
  const read = async () => {
    old ??= publishOld()
    return (await old)[0] ?? ''
  }
  const audited = {
    ...{ id: expect.any(String), acteur_id: mairie.hall.id, state: 'draft', kind: 'deliberation' },
    ...{ title: personal, date: '2026-03-03', author_first_name: personal, author_name: personal },
    ...{ author_quality: 'Maire', individual: false, commune_ids: [], sha256: expect.any(String) },
    ...{ bytes: expect.any(Number), pages: 1, has_text: true, typed_text: false },
  }
  const row = (id: string, action: string, before: object | null, after: object | null) => [
    { ...noted(action, before, after), entity: 'act', entity_id: id },
  ]
  return {
    'GET /acts': async () => ({ by: reader, path: '/acts' }),
    'GET /acts?filtered': async () => ({
      by: reader,
      path: `/acts?kind=arrete&year=2026&subject=8.3&q=voirie&commune_id=${mairie.commune.id}`,
    }),
    'GET /communes/{communeId}/acts': async () => ({
      by: reader,
      path: `/communes/${mairie.commune.id}/acts`,
    }),
    'GET /acts/{id}': async () => ({ by: reader, path: `/acts/${await read()}` }),
    'GET /acts/{id}/pdf': async () => ({ by: reader, path: `/acts/${await read()}/pdf` }),
    'GET /acts/{id}/presence': async () => ({ by: reader, path: `/acts/${await read()}/presence` }),
    'GET /admin/acts': async () => ({ by: admin, path: '/admin/acts' }),
    'GET /admin/acts?filtered': async () => ({
      by: admin,
      path: `/admin/acts?state=draft,published&stamped=false&acteur_id=${mairie.hall.id}`,
    }),
    'GET /admin/acts/due': async () => ({ by: admin, path: '/admin/acts/due' }),
    'GET /mairie/acteurs/{acteurId}/acts': async () => ({ by: mayor, path }),
    'GET /mairie/acteurs/{acteurId}/acts?filtered': async () => ({
      by: mayor,
      path: `${path}?state=draft,published&kind=arrete&year=2026`,
    }),
    'GET /mairie/acteurs/{acteurId}/acts/due': async () => ({ by: mayor, path: `${path}/due` }),
    'GET /mairie/acteurs/{acteurId}/acts/{id}': async () => ({
      by: mayor,
      path: `${path}/${await prepare()}`,
    }),
    'GET /mairie/acteurs/{acteurId}/acts/{id}/pdf': async () => ({
      by: mayor,
      path: `${path}/${await prepare()}/pdf`,
    }),
    'POST /mairie/acteurs/{acteurId}/acts': async () => ({
      by: mayor,
      path,
      body: actForm({}, actPdf(`acte ${++files}`)),
      rows: [{ ...noted('act.create', null, audited), entity: 'act' }],
    }),
    'PATCH /mairie/acteurs/{acteurId}/acts/{id}': async () => {
      const id = await prepare()
      const rows = row(id, 'act.update', { title: personal, number: null }, { title: personal, number: '1' })
      return { by: mayor, path: `${path}/${id}`, body: { title: 'Tarifs de la cantine', number: '1' }, rows }
    },
    'DELETE /mairie/acteurs/{acteurId}/acts/{id}': async () => {
      const id = await prepare()
      return { by: mayor, path: `${path}/${id}`, rows: row(id, 'act.delete', audited, null) }
    },
    'PATCH /mairie/acteurs/{acteurId}/acts/{id}/publish': async () => {
      const id = await prepare()
      const before = { state: 'draft', published_at: null, published_by: null, commune_ids: [] }
      const after = {
        ...{ state: 'published', published_at: expect.any(String), published_by: mairie.hall.id },
        ...{ commune_ids: [mairie.commune.id], seal: expect.any(String) },
      }
      return { by: mayor, path: `${path}/${id}/publish`, rows: row(id, 'act.publish', before, after) }
    },
    'PATCH /mairie/acteurs/{acteurId}/acts/{id}/archive': async () => {
      const id = await publish()
      const before = { state: 'published', archived_at: null }
      const after = { state: 'archived', archived_at: expect.any(String) }
      return { by: mayor, path: `${path}/${id}/archive`, rows: row(id, 'act.archive', before, after) }
    },
    'PATCH /mairie/acteurs/{acteurId}/acts/{id}/occult': async () => {
      const id = await prepare()
      await publishAct({ db, clock: () => new Date() }, operator, { acteurId: mairie.hall.id, id })
      const before = { state: 'published', occulted_at: null, occulted_reason: null }
      const after = { state: 'occulted', occulted_at: expect.any(String), occulted_reason: personal }
      const body = { reason: 'Décision de la CNIL' }
      return { by: mayor, path: `${path}/${id}/occult`, body, rows: row(id, 'act.occult', before, after) }
    },
  }
}
