import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Returns a port of this machine that nobody uses. Not one that the system chooses: it gives that to the next server of
 * another test before the caller listens there. Those start at 32768.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
