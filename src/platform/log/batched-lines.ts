type Output = {
  write(text: string): unknown
  /** Of a SonicBoom: whether it writes at once, and not in a thread, which a process that exits does not wait for. */
  sync?: boolean
  flushSync?(): void
}

const batchMs = 2

/**
 * Batches the lines of a few milliseconds into one write: a write per line would cost as much as a cached
 * response. A write has at most `maxBytes`, or one line. Lines logged while the process ends are written immediately.
 */
export function batchedLines(
  output: Output,
  { process = global.process as NodeJS.EventEmitter, maxBytes = Number.POSITIVE_INFINITY } = {},
) {
  let lines = ''
  let bytes = 0
  let isPlanned = false
  let ends = false
  function flush() {
    if (lines === '') return
    const text = lines
    lines = ''
    bytes = 0
    output.write(text)
    if (ends) output.flushSync?.()
  }
  function flushLater() {
    if (isPlanned || ends) return
    isPlanned = true
    setTimeout(() => {
      isPlanned = false
      flush()
    }, batchMs)
  }
  process.once('exit', () => {
    ends = true
    output.sync = true
    flush()
  })
  return {
    write(line: string) {
      flushLater()
      if (maxBytes !== Number.POSITIVE_INFINITY) {
        const length = Buffer.byteLength(line)
        if (bytes + length > maxBytes) flush()
        bytes += length
      }
      lines += line
      if (ends) flush()
    },
    /** For code that writes to the same stream directly. */
    flush,
  }
}
