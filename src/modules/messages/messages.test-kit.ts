import type { createClient } from '../../../test/support/client.ts'
import type { Database } from '../../platform/database/connect.ts'

type Client = ReturnType<typeof createClient>

export const written = {
  nom: 'Odile Vauquelin',
  email: 'odile@example.org',
  subject: 'Bac non relevé',
  body: 'Le bac de la rue du Puits déborde.',
}

/** Helpers for tests about support threads: public messages and operators' replies. */
export function messagesKit(around: { post: Client['post']; db: Database }, operator: Client) {
  const threads = '/admin/messages/threads'
  async function made(answer: ReturnType<Client['post']>): Promise<string> {
    const { status, text, body } = await answer
    if (status !== 201) throw new Error(text)
    return body.data.id
  }
  return {
    /** Creates a thread and returns its id. */
    thread: (fields: Partial<typeof written> & { commune_id?: string } = {}) =>
      made(around.post('/support/messages', { ...written, ...fields })),
    /** Replies to a thread and returns the message id. */
    reply: (id: string, body = 'Nous nous en occupons.') =>
      made(operator.post(`${threads}/${id}/reply`, { body })),
    read: async (id: string) => (await operator.get(`${threads}/${id}`)).body.data,
    messagesOf: async (id: string) => (await operator.get(`${threads}/${id}/messages`)).body.data,
    list: (query = '') => operator.get(`${threads}?${query}`),
    ids: async (query = '') =>
      (await operator.get(`${threads}?${query}`)).body.data.map(({ id }: { id: string }) => id),
    auditEntries: (entityId: string) =>
      around.db
        .selectFrom('audit_log')
        .select(['action', 'before', 'after', 'user_id'])
        .where('entity_id', '=', entityId)
        .orderBy('id')
        .execute(),
    moveMail: (id: string, email_status: string) =>
      around.db.updateTable('support_messages').set({ email_status }).where('id', '=', id).execute(),
  }
}
