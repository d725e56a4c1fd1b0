import type { World } from '../../../test/support/world.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'

/** Subscribes like a browser and collects the received text. */
export async function listen({ url }: Pick<World, 'url'>, headers: Record<string, string>) {
  const aborting = new AbortController()
  const response = await fetch(`${url}/api/v1/admin/events`, {
    headers: { 'x-app-source': 'backoffice', ...headers },
    signal: aborting.signal,
  })
  const received = { text: '', isOver: false }
  const read = async () => {
    for await (const chunk of response.body ?? []) received.text += Buffer.from(chunk).toString()
  }
  const reading = read()
    .catch(() => {})
    .finally(() => {
      received.isOver = true
    })
  return {
    response,
    received,
    topics: () => Array.from(received.text.matchAll(/"topic":"(\w+)"/g), ([, topic = '']) => topic),
    lastId: () => Array.from(received.text.matchAll(/^id: (\d+)$/gm), ([, id = '']) => id).at(-1) ?? '',
    until: (what: string, holds: () => boolean) => until(what, async () => holds()),
    over: () => until('the connection is closed', async () => received.isOver),
    async leave() {
      aborting.abort()
      await reading
    },
  }
}
