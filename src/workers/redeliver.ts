import type { Worker } from 'node:cluster'

type Message = { act?: string; seq?: number; ack?: number }
type Handle = { close(): void }
type Channel = Omit<Worker['process'], 'send' | 'on' | 'emit'> & {
  send(message: Message, handle?: Handle, ...rest: unknown[]): boolean
  on(name: 'internalMessage', listener: (message: Message) => void): void
  emit(name: 'internalMessage', message: Message & { cmd: string; accepted: boolean }): boolean
}

/**
 * Gives the connection that a killed worker was just being handed to another one. node:cluster hands each worker one
 * connection at a time and waits for its acknowledgement; if the worker dies before, the connection stays open and
 * nobody answers it (seen with Node 26: one for each kill of a busy worker). Nothing was read from it, because a
 * worker acknowledges first. Where Node's messages are different, this does nothing.
 */
export function redeliverOnDeath(worker: Worker, isOtherServing: () => boolean): void {
  const channel = worker.process as unknown as Channel
  const send = channel.send
  let offered: { seq: number; handle: Handle } | null = null
  channel.send = (message, handle, ...rest) => {
    const { act, seq } = message
    if (act === 'newconn' && seq !== undefined && handle !== undefined) offered = { seq, handle }
    return Reflect.apply(send, channel, [message, handle, ...rest])
  }
  channel.on('internalMessage', ({ ack }) => {
    if (ack === offered?.seq) offered = null
  })
  // Node omits `disconnect` if the worker died before it had received the handle.
  for (const event of ['disconnect', 'exit'] as const) {
    worker.on(event, () => {
      if (offered === null || worker.isConnected()) return
      const { seq, handle } = offered
      offered = null
      // As if the worker, which by now gets no further connections, had refused this one.
      if (isOtherServing())
        channel.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: false })
      else handle.close()
    })
  }
}
