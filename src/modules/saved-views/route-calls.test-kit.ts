import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ author, secret }: Stage): RouteCalls {
  // A person has one view of each name.
  const view = () => ({
    list: 'publications',
    name: `Pour ${secret} ${crypto.randomUUID()}`,
    query: 'q=fete',
  })
  return {
    'GET /me/views': async () => ({ by: author, path: '/me/views' }),
    'POST /me/views': async () => ({ by: author, path: '/me/views', body: view() }),
    'DELETE /me/views/{id}': async () => {
      const made = await author.client.post('/me/views', view())
      return { by: author, path: `/me/views/${made.body.data.id}` }
    },
  }
}
