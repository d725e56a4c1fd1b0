/** Shuts down fast, then immediately (the next start recovers), then by force. */
export async function shutDown(
  send: (signal: NodeJS.Signals) => void,
  exitsWithin: (timeoutMs: number) => Promise<boolean>,
): Promise<boolean> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    send(signal)
    if (await exitsWithin(signal === 'SIGINT' ? 5_000 : 2_000)) return true
  }
  return false
}
