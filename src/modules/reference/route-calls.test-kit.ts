import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

export function routeCalls({ admin, commune, db, noted }: Stage): RouteCalls {
  let counter = 0
  const type = async () => {
    const id = uuidv7()
    const values = { id, slug: `type-${++counter}`, libelle: 'Sortie', position: counter }
    await db.insertInto('publication_types').values(values).execute()
    return id
  }
  const source = async () => {
    const code = `site-${++counter}`
    await db.insertInto('app_sources').values({ code, label: 'Site' }).execute()
    return code
  }
  const term = async () => {
    const [id, text] = [uuidv7(), `cuve ${++counter}`]
    const values = { id, term: text, key: text, topic: 'collectes' }
    await db.insertInto('search_terms').values(values).execute()
    return id
  }
  const created = (values: object) => expect.objectContaining(values)
  return {
    'GET /admin/publication-types': async () => ({ by: admin, path: '/admin/publication-types' }),
    'GET /admin/publication-types/{id}': async () => ({
      by: admin,
      path: `/admin/publication-types/${await type()}`,
    }),
    'POST /admin/publication-types': async () => ({
      by: admin,
      path: '/admin/publication-types',
      body: { libelle: 'Vide-grenier' },
      rows: [
        {
          ...noted('publication_type.create', null, created({ slug: 'vide-grenier' })),
          entity: 'publication_type',
        },
      ],
    }),
    'PATCH /admin/publication-types/{id}': async () => {
      const id = await type()
      const row = noted('publication_type.update', { libelle: 'Sortie' }, { libelle: 'Promenade' })
      return {
        by: admin,
        path: `/admin/publication-types/${id}`,
        body: { libelle: 'Promenade' },
        rows: [{ ...row, entity: 'publication_type', entity_id: id }],
      }
    },
    'GET /admin/search-terms': async () => ({ by: admin, path: '/admin/search-terms' }),
    'GET /admin/search-terms/{id}': async () => ({ by: admin, path: `/admin/search-terms/${await term()}` }),
    'POST /admin/search-terms': async () => {
      const body = { term: `cuve ${++counter}`, topic: 'collectes' }
      const row = noted('search_term.create', null, created(body))
      return { by: admin, path: '/admin/search-terms', body, rows: [{ ...row, entity: 'search_term' }] }
    },
    'PATCH /admin/search-terms/{id}': async () => {
      const id = await term()
      const row = noted('search_term.update', { topic: 'collectes' }, { topic: 'mairie' })
      return {
        by: admin,
        path: `/admin/search-terms/${id}`,
        body: { topic: 'mairie' },
        rows: [{ ...row, entity: 'search_term', entity_id: id }],
      }
    },
    'DELETE /admin/search-terms/{id}': async () => {
      const id = await term()
      const row = noted('search_term.delete', { deleted_at: null }, { deleted_at: expect.any(String) })
      return {
        by: admin,
        path: `/admin/search-terms/${id}`,
        rows: [{ ...row, entity: 'search_term', entity_id: id }],
      }
    },
    'GET /admin/app-sources': async () => ({ by: admin, path: '/admin/app-sources' }),
    'GET /admin/app-sources/{code}': async () => ({ by: admin, path: '/admin/app-sources/public' }),
    'GET /admin/app-sources/{code}?communes': async () => {
      const code = await source()
      const commune_ids = [(await commune()).id]
      await db.updateTable('app_sources').set({ commune_ids }).where('code', '=', code).execute()
      return { by: admin, path: `/admin/app-sources/${code}` }
    },
    'POST /admin/app-sources': async () => {
      const code = `site-${++counter}`
      const row = noted('app_source.create', null, created({ code, active: true }))
      return {
        by: admin,
        path: '/admin/app-sources',
        body: { code, label: 'Site' },
        rows: [{ ...row, entity: 'app_source', entity_id: code }],
      }
    },
    'PATCH /admin/app-sources/{code}': async () => {
      const code = await source()
      const row = noted('app_source.update', { active: true }, { active: false })
      return {
        by: admin,
        path: `/admin/app-sources/${code}`,
        body: { active: false },
        rows: [{ ...row, entity: 'app_source', entity_id: code }],
      }
    },
  }
}
