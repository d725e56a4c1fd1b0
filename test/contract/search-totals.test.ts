import { expect, test } from 'vitest'
import { openWorld, run } from '../support/world.ts'

const { as, acteur, database } = await openWorld()
const admin = await as('admin')
const many = 'generate_series(1, 1001) n'
const { id: claimed } = await acteur({ nom: 'Fanfare' })
await run(
  database.owner,
  `insert into users (id, issuer, subject, nom) select gen_random_uuid(), 'test', n, 'Wapiti ' || n from ${many};
   insert into acteurs (id, nom, slug, type)
     select gen_random_uuid(), 'Wapiti ' || n, 'wapiti-' || n, 'association' from ${many};
   insert into claims (id, acteur_id, nom, email, message, status, ended_at)
     select gen_random_uuid(), '${claimed}', 'Wapiti ' || n, n || '@example.org', 'Bonjour', 'expired', now() from ${many};
   insert into support_threads (id, subject, nom, email, said)
     select gen_random_uuid(), 'Wapiti', 'Wapiti ' || n, n || '@example.org', 'Wapiti' from ${many}`,
)

test.each(['users', 'acteurs', 'claims', 'messages/threads'])(
  'GET /admin/%s with q stops counting at 1 000 and says so',
  async (list) => {
    const { status, body, text } = await admin.get(`/admin/${list}?q=wapiti&per_page=1`)
    expect(status, text).toBe(200)
    expect(body.meta).toMatchObject({ total: 1_000, total_is_at_least: true })
    const { body: all } = await admin.get(`/admin/${list}?per_page=1`)
    expect(all.meta.total).toBeGreaterThan(1_000)
    expect(all.meta).not.toHaveProperty('total_is_at_least')
  },
)
