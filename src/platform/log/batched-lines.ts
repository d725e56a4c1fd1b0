type Output = { write(text: string): unknown }

const batchMs = 2

/**
 * Batches the lines of a few milliseconds into one write: a write per line would cost as much as a cached
 * response. Lines logged while the process ends are written immediately.
 */
export function batchedLines(output: Output, process: NodeJS.EventEmitter = global.process) {
  let lines = ''
  let ends = false
  function flush() {
    if (lines === '') return
    const text = lines
    lines = ''
    output.write(text)
  }
  process.once('exit', () => {
    ends = true
    flush()
  })
  return {
    write(line: string) {
      if (lines === '' && !ends) setTimeout(flush, batchMs)
      lines += line
      if (ends) flush()
    },
    /** For code that writes to the same stream directly. */
    flush,
  }
}
