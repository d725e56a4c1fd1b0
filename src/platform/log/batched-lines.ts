type Output = { write(text: string): unknown }

const batchMs = 2

/**
 * Writes the lines of a few milliseconds together: one by one, each would cost about as much as an answer from memory.
 * What is logged while the process ends is written at once.
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
    /** For who writes to the same place himself. */
    flush,
  }
}
