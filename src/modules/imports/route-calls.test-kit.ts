import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const feed = { nom: 'Agenda', type: 'rss', url: 'https://127.0.0.1/agenda.xml?key=secret' }

export function routeCalls({ admin, db, noted, personal }: Stage): RouteCalls {
  const source = async () => (await admin.client.post('/admin/import-sources', feed)).body.data
  const entity = 'import_source'
  const asked = (id: string, dry_run: boolean) => ({
    entity: 'import_run',
    ...noted('import_run.create', null, expect.objectContaining({ source_id: id, dry_run })),
  })
  const held = async () => {
    const { id } = await source()
    const run = { id: uuidv7(), source_id: id, dry_run: false, status: 'succeeded', finished_at: new Date() }
    await db
      .insertInto('import_runs')
      .values({ ...run, fetched: 60, created: 60, held: 60 })
      .execute()
    return run.id
  }
  const decided = (verb: 'accept' | 'refuse', body?: object) => async () => {
    const id = await held()
    const after = { held_decision: `${verb}${verb === 'accept' ? 'ed' : 'd'}`, publications: 0 }
    const row = noted(`import_run.${verb}`, { held_decision: null }, after)
    const rows = [{ entity: 'import_run', entity_id: id, ...row }]
    return { by: admin, path: `/admin/import-runs/${id}/${verb}`, ...(body && { body }), rows }
  }
  return {
    'GET /admin/import-runs': async () => ({
      by: admin,
      path: '/admin/import-runs?status=failed&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z',
    }),
    'GET /admin/import-runs?held': async () => ({ by: admin, path: '/admin/import-runs?held=true' }),
    'GET /admin/import-runs/{id}/items': async () => ({
      by: admin,
      path: `/admin/import-runs/${await held()}/items?action=created`,
    }),
    'POST /admin/import-runs/{id}/accept': decided('accept'),
    'POST /admin/import-runs/{id}/refuse': decided('refuse', { reason: 'Flux piraté' }),
    'POST /admin/import-sources/inspect': async () => ({
      by: admin,
      path: '/admin/import-sources/inspect',
      body: { url: feed.url },
      rows: [],
    }),
    'POST /admin/import-sources/dry-run': async () => ({
      by: admin,
      path: '/admin/import-sources/dry-run',
      body: feed,
      rows: [],
    }),
    'GET /admin/import-sources': async () => ({
      by: admin,
      path: '/admin/import-sources?type=rss&sort=nom_asc',
    }),
    'GET /admin/import-sources?q': async () => ({ by: admin, path: '/admin/import-sources?q=agenda' }),
    'POST /admin/import-sources': async () => ({
      by: admin,
      path: '/admin/import-sources',
      body: feed,
      rows: [
        {
          entity,
          ...noted('import_source.create', null, expect.objectContaining({ nom: 'Agenda', url: personal })),
        },
      ],
    }),
    'GET /admin/import-sources/{id}': async () => ({
      by: admin,
      path: `/admin/import-sources/${(await source()).id}`,
    }),
    'PATCH /admin/import-sources/{id}': async () => {
      const { id } = await source()
      const url = 'https://127.0.0.1/?key=other'
      const before = { url: personal, cron: null }
      const after = { url: personal, cron: '0 6 * * *' }
      return {
        by: admin,
        path: `/admin/import-sources/${id}`,
        body: { url, cron: '0 6 * * *' },
        rows: [{ entity, entity_id: id, ...noted('import_source.update', before, after) }],
      }
    },
    'DELETE /admin/import-sources/{id}': async () => {
      const { id } = await source()
      const after = { deleted_at: expect.any(String) }
      return {
        by: admin,
        path: `/admin/import-sources/${id}`,
        rows: [{ entity, entity_id: id, ...noted('import_source.delete', null, after) }],
      }
    },
    'POST /admin/import-sources/{id}/run': async () => {
      const { id } = await source()
      return { by: admin, path: `/admin/import-sources/${id}/run`, rows: [asked(id, false)] }
    },
    'POST /admin/import-sources/{id}/run?dry_run': async () => {
      const { id } = await source()
      return { by: admin, path: `/admin/import-sources/${id}/run?dry_run=true`, rows: [asked(id, true)] }
    },
    'POST /admin/import-sources/{id}/withdraw': async () => {
      const { id } = await source()
      const after = { publications: 0, withdrawn_until: expect.any(String) }
      return {
        by: admin,
        path: `/admin/import-sources/${id}/withdraw`,
        body: { since: null, reason: 'Source piratée' },
        rows: [{ entity, entity_id: id, ...noted('import_source.withdraw', null, after) }],
      }
    },
    'GET /admin/import-sources/{id}/runs': async () => ({
      by: admin,
      path: `/admin/import-sources/${(await source()).id}/runs`,
    }),
    'GET /admin/import-sources/{id}/runs/{runId}': async () => {
      const { id } = await source()
      const { body } = await admin.client.post(`/admin/import-sources/${id}/run`)
      return { by: admin, path: `/admin/import-sources/${id}/runs/${body.data.id}` }
    },
    'GET /admin/import-sources/{id}/logs/{date}': async () => {
      const { id } = await source()
      const { body } = await admin.client.post(`/admin/import-sources/${id}/run`)
      const day = new Date(body.data.started_at).toLocaleDateString('sv', { timeZone: 'Europe/Paris' })
      return { by: admin, path: `/admin/import-sources/${id}/logs/${day}` }
    },
  }
}
