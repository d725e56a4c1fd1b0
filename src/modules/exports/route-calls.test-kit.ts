import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin, noted, secret, made }: Stage): RouteCalls {
  return {
    'POST /admin/exports': async () => ({
      by: admin,
      path: '/admin/exports',
      body: { list: 'claims', query: `q=${encodeURIComponent(secret)}&sort=created_at_asc` },
      rows: [
        {
          entity: 'export',
          entity_id: made,
          ...noted('export.create', null, { list: 'claims', filters: ['q'] }),
        },
      ],
    }),
  }
}
