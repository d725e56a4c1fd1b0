import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ user, admin, author, noted, personal, secret }: Stage): RouteCalls {
  const on =
    (path: string, body: object | undefined, row: ReturnType<typeof noted>, values = {}) =>
    async () => {
      const { id } = await user(values)
      const rows = [{ entity: 'user', entity_id: id, ...row }]
      return { by: admin, path: `/admin/users/${id}${path}`, ...(body && { body }), rows }
    }
  return {
    'GET /admin/users': async () => ({ by: admin, path: '/admin/users' }),
    'GET /admin/users?q': async () => ({ by: admin, path: '/admin/users?q=zoe' }),
    'GET /admin/users/{userId}': async () => ({ by: admin, path: `/admin/users/${author.id}` }),
    'PATCH /admin/users/{userId}': on(
      '',
      { nom: secret, actif: false },
      noted('user.update', { nom: null, actif: true }, { nom: personal, actif: false }),
    ),
    'POST /admin/users/{userId}/roles': on(
      '/roles',
      { role: 'support' },
      noted('user.role_add', { roles: [] }, { roles: ['support'] }),
    ),
    'DELETE /admin/users/{userId}/roles/{role}': on(
      '/roles/support',
      undefined,
      noted('user.role_remove', { roles: ['support'] }, { roles: [] }),
      { roles: ['support'] },
    ),
  }
}
