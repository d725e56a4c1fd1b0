import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ acteur, admin, reader, secret, address }: Stage): RouteCalls {
  return {
    'PUT /admin/presence': async () => {
      const claim = { acteur_id: (await acteur()).id, message: secret, email: address }
      const { id } = (await reader.client.post('/claims', claim)).body.data
      return { by: admin, path: '/admin/presence', body: { kind: 'claim', id } }
    },
  }
}
