import { Agent, request as send } from 'node:http'
import type { Request } from './request.ts'

/**
 * Clients of a process of its own, each at an address of this machine. They send requests without a pause, read the responses, and
 * stop when their standard input ends. The process prints a line after the first response, and at last how many were served and
 * refused.
 */
export type Neighbours = { port: number; addresses: number; connections: number; requests: Request[] }

const { port, addresses, connections, requests }: Neighbours = JSON.parse(process.argv[2] ?? '')
const counts = { served: 0, refused: 0 }
let isRunning = true
let at = 0

function ask(agent: Agent, localAddress: string): Promise<void> {
  const { method, path, headers, body } = requests[at++ % requests.length] as Request
  return new Promise((resolve) => {
    const asked = send(
      { host: '127.0.0.1', port, method, path, headers, agent, localAddress },
      (response) => {
        if (counts.served + counts.refused === 0) process.stdout.write('begun\n')
        if (response.statusCode === 200) counts.served++
        else counts.refused++
        response.resume().once('close', resolve)
      },
    )
    asked.once('error', () => resolve()).end(body)
  })
}
async function beNeighbour(localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const askOn = async () => {
    while (isRunning) await ask(agent, localAddress)
  }
  await Promise.all(Array.from({ length: connections }, askOn))
  agent.destroy()
}

process.stdin.resume().once('end', () => {
  isRunning = false
  process.stdout.write(JSON.stringify(counts), () => process.exit())
})
for (let address = 1; address <= addresses; address++) void beNeighbour(`127.0.1.${address}`)
