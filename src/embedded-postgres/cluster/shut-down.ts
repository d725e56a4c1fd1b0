/** Shuts down fast, then immediately (the next start recovers), then by force, which only a starved kernel delays. */
export async function shutDown(
  send: (signal: NodeJS.Signals) => void,
  exitsWithin: (timeoutMs: number) => Promise<boolean>,
): Promise<boolean> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 5_000],
    ['SIGQUIT', 2_000],
    ['SIGKILL', 60_000],
  ] as const) {
    send(signal)
    if (await exitsWithin(timeoutMs)) return true
  }
  return false
}
