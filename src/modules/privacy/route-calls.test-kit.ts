import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

export function routeCalls({ admin, author, db, noted, user }: Stage): RouteCalls {
  const about = { entity: 'person', entity_id: author.id }
  const ready = async () => {
    const id = uuidv7()
    const done = { sections: 1, sections_done: 1, bytes: 2, ready_at: new Date(), status: 'ready' }
    await db
      .insertInto('person_exports')
      .values({ id, user_ids: [author.id], emails: [], requested_by: admin.id, ...done })
      .execute()
    await db
      .insertInto('person_export_chunks')
      .values({ export_id: id, number: 0, content: gzipSync('{}') })
      .execute()
    return id
  }
  return {
    'POST /admin/people/find': async () => ({
      by: admin,
      path: '/admin/people/find',
      body: { user_id: author.id },
    }),
    'POST /admin/people/export': async () => ({
      by: admin,
      path: '/admin/people/export',
      body: { user_id: author.id },
      rows: [{ ...noted('person.export', null, { exported: true }), ...about }],
    }),
    'GET /admin/people/exports': async () => ({ by: admin, path: '/admin/people/exports' }),
    'GET /admin/people/exports/{id}': async () => ({
      by: admin,
      path: `/admin/people/exports/${await ready()}`,
    }),
    'POST /admin/people/exports/{id}/download': async () => ({
      by: admin,
      path: `/admin/people/exports/${await ready()}/download`,
      rows: [{ ...noted('person.download', null, { downloaded: true }), ...about }],
    }),
    'POST /admin/people/erase': async () => {
      const { id } = await user()
      const erased = { erased: expect.objectContaining({ users: 1 }) }
      return {
        by: admin,
        path: '/admin/people/erase',
        body: { user_id: id },
        rows: [{ ...noted('person.erase', null, erased), entity: 'person', entity_id: id }],
      }
    },
  }
}
