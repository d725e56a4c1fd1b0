import { run } from '../connections.ts'
import type { Bench } from '../measure.ts'
import type { Row } from '../report.ts'
import { asAdmin, measureWork, serve } from './long-work.ts'

/** Syncs into an empty catalogue, then again without changes. The registry's address was set at start. */
export async function syncDefibrillateurs(bench: Bench, count: number): Promise<Row[]> {
  const isThere = "select to_regclass('defibrillateurs') is not null as there"
  const [{ there }] = await run(bench.database.superuser, isThere)
  if (there) await run(bench.database.superuser, 'truncate defibrillateurs')
  const path = '/admin/defibrillateurs-france'
  const sync = (scenario: string) =>
    measureWork(bench, {
      scenario,
      count,
      atLeast: 20_000,
      unit: 'rows',
      begin: () => asAdmin(bench, 'POST', `${path}/sync?accept_fall=true`),
      async outcome() {
        const { meta } = await readJson(asAdmin(bench, 'GET', `${path}?per_page=1`))
        // A poll may be refused.
        const hasEnded = meta?.sync_status === 'succeeded' || meta?.sync_status === 'failed'
        return hasEnded ? { error: meta.sync_error ?? null } : null
      },
    })
  const first = await sync('national sync of defibrillators')
  if (!there) return first
  return [...first, ...(await sync('the same again, nothing changed'))]
}

/** Imports a complete local feed. */
export async function importItems(bench: Bench, count: number): Promise<Row[]> {
  const scenario = `import of ${count.toLocaleString('en').replaceAll(',', ' ')} items`
  const feed = Buffer.from(JSON.stringify({ items: Array.from({ length: count }, (_, n) => itemOf(n)) }))
  const elsewhere = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(feed)
  })
  try {
    const made = await asAdmin(bench, 'POST', '/admin/import-sources', {
      nom: 'Bench',
      type: 'json',
      url: elsewhere.url,
      acteur_id: bench.world.publishing[0],
      moderation_status: 'published',
      mapping: {
        external_id: 'id',
        title: 'titre',
        body: 'texte',
        url: 'lien',
        date_debut: 'debut',
        items: 'items',
      },
    })
    const { data } =
      made.status === 201 ? ((await made.json()) as { data: { id: string } }) : { data: { id: '0' } }
    return await measureWork(bench, {
      scenario,
      count,
      atLeast: 1_000,
      unit: 'items',
      begin: () => asAdmin(bench, 'POST', `/admin/import-sources/${data.id}/run`),
      async outcome() {
        const { last_run } = (await readJson(asAdmin(bench, 'GET', `/admin/import-sources/${data.id}`))).data
        if (last_run === null || last_run.finished_at === null) return null
        const wrong =
          last_run.status === 'succeeded' && last_run.created === count ? null : JSON.stringify(last_run)
        return { error: wrong }
      },
    })
  } finally {
    await elsewhere.close()
  }
}

function itemOf(n: number) {
  return {
    id: `item-${n}`,
    titre: `Atelier du club ${n}`,
    texte: `<p>Rendez-vous numéro ${n} dans la salle des fêtes, entrée libre et gratuite. Prévoir de bonnes chaussures.</p>`,
    lien: `https://exemple.fr/bench/${n}`,
    debut: '2027-05-12',
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is the document's.
const readJson = async (asking: Promise<Response>): Promise<any> => (await asking).json()
