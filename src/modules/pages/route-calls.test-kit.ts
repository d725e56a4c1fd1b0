import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { keepDeleted } from '../deletions/deleted.ts'
import { formOf } from '../media/media.test-kit.ts'
import { insertPage, insertVersion } from './queries.ts'
import { exportOf } from './wordpress/wordpress.test-kit.ts'

export function routeCalls({ db, mairie, mayor, reader, noted }: Stage): RouteCalls {
  const commune_id = mairie.commune.id
  const path = `/mairie/communes/${commune_id}/pages`
  let position = 0
  const stored = () => {
    const id = uuidv7()
    return {
      ...{ id, commune_id, parent_id: null, slug: `ecole-${id}`, title: 'École', body: '<p>Le matin.</p>' },
      ...{ images: null, documents: null, contacts: [], status: 'published' as const },
      // Behind those that the calls create, and renumber.
      position: 100 + ++position,
    }
  }
  const insert = async () => {
    const page = stored()
    await insertPage(db, page)
    return page
  }
  const whole = expect.objectContaining({ commune_id, title: 'École', status: 'published' })
  const of = (id: string, row: object) => [{ ...row, entity: 'page', entity_id: id } as never]
  return {
    'GET /communes/{id}/pages': async () => ({ by: reader, path: `/communes/${commune_id}/pages` }),
    'GET /communes/{id}/pages/{page}': async () => ({
      by: reader,
      path: `/communes/${commune_id}/pages/${(await insert()).slug}`,
    }),
    'GET /mairie/communes/{communeId}/pages': async () => ({ by: mayor, path }),
    'GET /mairie/communes/{communeId}/pages/{id}': async () => ({
      by: mayor,
      path: `${path}/${(await insert()).id}`,
    }),
    'GET /mairie/communes/{communeId}/pages/{id}/versions': async () => ({
      by: mayor,
      path: `${path}/${(await insert()).id}/versions`,
    }),
    'GET /mairie/communes/{communeId}/pages/deleted': async () => ({ by: mayor, path: `${path}/deleted` }),
    'POST /mairie/communes/{communeId}/pages': async () => ({
      by: mayor,
      path,
      body: { title: 'École', status: 'published' },
      rows: [{ ...noted('page.create', null, whole), entity: 'page' }],
    }),
    'POST /mairie/communes/{communeId}/pages/wordpress-import': async () => {
      const file = exportOf([{ title: 'École', name: `ecole-${uuidv7()}` }])
      const after = expect.objectContaining({ commune_id, title: 'École', status: 'draft' })
      const body = formOf(file, { dry_run: 'false' }, 'mairie.xml')
      const rows = [{ ...noted('page.create', null, after), entity: 'page', entity_id: expect.any(String) }]
      return { by: mayor, path: `${path}/wordpress-import`, body, rows }
    },
    'PATCH /mairie/communes/{communeId}/pages/{id}': async () => {
      const { id } = await insert()
      const rows = of(id, noted('page.update', { status: 'published' }, { status: 'draft' }))
      return { by: mayor, path: `${path}/${id}`, body: { status: 'draft' }, rows }
    },
    'DELETE /mairie/communes/{communeId}/pages/{id}': async () => {
      const { id } = await insert()
      return { by: mayor, path: `${path}/${id}`, rows: of(id, noted('page.delete', whole, null)) }
    },
    'PATCH /mairie/communes/{communeId}/pages/{id}/versions/{versionId}/restore': async () => {
      const { id, body } = await insert()
      const versionId = uuidv7()
      await insertVersion(db, { id, title: 'Écoles', body }, versionId)
      const rows = of(id, noted('page.restore_version', { title: 'École' }, { title: 'Écoles' }))
      return { by: mayor, path: `${path}/${id}/versions/${versionId}/restore`, rows }
    },
    'PATCH /mairie/communes/{communeId}/pages/{id}/restore': async () => {
      const { id, ...page } = stored()
      const content = { ...page, id, version: 1, created_at: new Date() }
      await keepDeleted(db, { commune_id }, [{ id, kind: 'page', label: page.title, detail: null, content }])
      return { by: mayor, path: `${path}/${id}/restore`, rows: of(id, noted('page.restore', null, whole)) }
    },
  }
}
