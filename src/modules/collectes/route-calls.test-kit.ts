import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { formOf, tableOf } from './collectes.test-kit.ts'
import { linesPage, pdfOf } from './pdf/pdf.test-kit.ts'

export function routeCalls({ admin, mairie: { hall, commune }, mayor: by, noted }: Stage): RouteCalls {
  const path = `/mairie/acteurs/${hall.id}/collecte-imports`
  const table = () =>
    tableOf({ code_insee: commune.code_insee, type: 'verre', libelle: 'Verre', jours: 'lundi' })
  const check = async () => (await by.client.post(path, formOf(table()))).body.data.id as string
  /** Returns the id of a check that would give the commune its only collection. */
  const checkAnew = async () => {
    await admin.client.patch(`/admin/communes/${commune.id}`, { collectes: [] })
    return check()
  }
  const name = '/mairie/acteurs/{acteurId}/collecte-imports'
  const stored = [expect.objectContaining({ libelle: 'Verre', jours: ['lundi'] })]
  const rowsOf = (id: string, own: ReturnType<typeof noted>, change: ReturnType<typeof noted>) => [
    { ...own, entity: 'collecte_import', entity_id: id },
    { ...change, entity: 'commune', entity_id: commune.id },
  ]
  return {
    'GET /mairie/acteurs/{acteurId}/collectes': async () => ({
      by,
      path: `/mairie/acteurs/${hall.id}/collectes`,
    }),
    'GET /mairie/acteurs/{acteurId}/collectes/table': async () => ({
      by,
      path: `/mairie/acteurs/${hall.id}/collectes/table`,
    }),
    'POST /mairie/acteurs/{acteurId}/collectes/proposal': async () => ({
      by,
      path: `/mairie/acteurs/${hall.id}/collectes/proposal`,
      body: formOf(pdfOf([linesPage(['Bac jaune : 5 janvier 2027'])])),
    }),
    [`POST ${name}`]: async () => {
      const after = { acteur_id: hall.id, kind: 'csv' }
      const row = { ...noted('collecte_import.create', null, after), entity: 'collecte_import' }
      return { by, path, body: formOf(table()), rows: [row] }
    },
    [`GET ${name}`]: async () => ({ by, path }),
    [`GET ${name}/{id}`]: async () => ({ by, path: `${path}/${await check()}` }),
    [`GET ${name}/{id}/communes/{communeId}`]: async () => ({
      by,
      path: `${path}/${await check()}/communes/${commune.id}`,
    }),
    [`POST ${name}/{id}/apply`]: async () => {
      const id = await checkAnew()
      const own = noted('collecte_import.apply', { applied_at: null }, { applied_at: expect.any(String) })
      const change = noted('commune.update', { collectes: [] }, { collectes: stored })
      return { by, path: `${path}/${id}/apply`, rows: rowsOf(id, own, change) }
    },
    [`POST ${name}/{id}/undo`]: async () => {
      const id = await checkAnew()
      await by.client.post(`${path}/${id}/apply`)
      const own = noted('collecte_import.undo', { undone_at: null }, { undone_at: expect.any(String) })
      const change = noted('commune.update', { collectes: stored }, { collectes: [] })
      return { by, path: `${path}/${id}/undo`, rows: rowsOf(id, own, change) }
    },
  }
}
