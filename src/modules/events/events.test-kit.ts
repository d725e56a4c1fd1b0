import type { World } from '../../../test/support/world.ts'
import { until } from '../../platform/jobs/jobs.test-kit.ts'

/** Subscribes like a browser and collects the received text. */
export async function listen({ url }: Pick<World, 'url'>, headers: Record<string, string>) {
  const aborting = new AbortController()
  const response = await fetch(`${url}/api/v1/admin/events`, {
    headers: { 'x-app-source': 'backoffice', ...headers },
    signal: aborting.signal,
  })
  const heard = { text: '', isOver: false }
  const read = async () => {
    for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString()
  }
  const reading = read()
    .catch(() => {})
    .finally(() => {
      heard.isOver = true
    })
  return {
    response,
    heard,
    topics: () => Array.from(heard.text.matchAll(/"topic":"(\w+)"/g), ([, topic = '']) => topic),
    lastId: () => Array.from(heard.text.matchAll(/^id: (\d+)$/gm), ([, id = '']) => id).at(-1) ?? '',
    until: (what: string, holds: () => boolean) => until(what, async () => holds()),
    over: () => until('the connection is closed', async () => heard.isOver),
    async leave() {
      aborting.abort()
      await reading
    },
  }
}
