import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { filledDataDir } from './filled.ts'
import { cleanUp, startService, timeoutMs } from './service.ts'

afterAll(cleanUp, timeoutMs)

/** The kernel queues no more connections than this for any process. */
const somaxconn = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn')) : 0
/** Beyond Node's own limit of 511. */
const connections = 600

test.runIf(somaxconn >= connections)(
  `${connections} connections that arrive while the event loop is busy are all accepted and served`,
  { timeout: timeoutMs },
  async () => {
    const env = { MAX_CONNECTIONS_PER_ADDRESS: 'off' }
    const service = startService({ dataDir: await filledDataDir(), env })
    const port = Number(new URL(await service.ready).port)
    // A stopped process accepts as little as one whose event loop is busy.
    service.child.kill('SIGSTOP')
    onTestFinished(() => void service.child.kill('SIGCONT'))
    let connected = 0
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(port, '127.0.0.1', () => connected++)
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
      onTestFinished(() => void socket.destroy())
      return socket
    })
    await vi.waitUntil(() => connected === connections, { timeout: timeoutMs / 4 })
    const answers = sockets.map((socket) => once(socket, 'data'))
    service.child.kill('SIGCONT')
    const heads = (await Promise.all(answers)).map(([data]) => `${data}`.slice(0, 12))
    expect(new Set(heads)).toEqual(new Set(['HTTP/1.1 200']))
  },
)
