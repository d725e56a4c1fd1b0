// Round: rest, because it loads and cleans much memory.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTask } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { openSource } from './source.ts'

test('memory is cleaned between the opening of an address and its reading, and the content is whole', async () => {
  const server = createServer((_request, response) => response.end('01004;Rue du Gué'))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { input, close } = await openSource(`http://127.0.0.1:${port}`, new AbortController().signal)
  await collectGarbage()
  const content: Uint8Array[] = []
  for await (const piece of input) content.push(piece)
  await close()
  expect(Buffer.concat(content).toString()).toBe('01004;Rue du Gué')
})

/** What is told of collected objects is done in later tasks. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let times = 0; times < 5; times++) {
    collect()
    await nextTask()
  }
}
