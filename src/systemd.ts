import { spawn } from 'node:child_process'
import type { FastifyBaseLogger } from 'fastify'

/**
 * Notifies systemd if a unit of `Type=notify` has started the service (docs/parvis.service): `systemctl
 * start` and `restart` then return once it serves. Uses the command `systemd-notify`, since Node has no
 * datagrams on Unix sockets. Removes the variable, so that child processes cannot notify in its name.
 */
export function systemdNotifier(log: Pick<FastifyBaseLogger, 'warn'>) {
  const { NOTIFY_SOCKET, PATH } = process.env
  delete process.env.NOTIFY_SOCKET
  return (state: 'READY=1' | 'STOPPING=1'): void => {
    if (NOTIFY_SOCKET === undefined) return
    const child = spawn('systemd-notify', [state], { env: { NOTIFY_SOCKET, PATH }, stdio: 'ignore' })
    const complain = (reason: string) => log.warn({ state, reason }, 'systemd could not be notified')
    child.once('error', ({ message }) => complain(message))
    child.once('exit', (status) => status !== 0 && complain(`systemd-notify ended with ${status}`))
  }
}
