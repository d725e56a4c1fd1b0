import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchedLines } from './batched-lines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function open(maxBytes?: number) {
  const written: string[] = []
  const process = new EventEmitter()
  return {
    written,
    process,
    log: batchedLines({ write: (text) => written.push(text) }, { process, maxBytes }),
  }
}

test('writes lines of the same few milliseconds together', () => {
  const { written, log } = open()
  log.write('one\n')
  log.write('two\n')
  expect(written).toEqual([])
  vi.runAllTimers()
  expect(written).toEqual(['one\ntwo\n'])
  log.write('three\n')
  vi.runAllTimers()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('a write has whole lines, and at most the given number of bytes unless a line is longer', () => {
  const { written, log } = open(10)
  for (const line of ['éé\n', 'éé\n', 'one\n', 'a longer line\n', 'two\n']) log.write(line)
  vi.runAllTimers()
  expect(written).toEqual(['éé\néé\n', 'one\n', 'a longer line\n', 'two\n'])
})

test('a process that ends loses no line, including those written while it ends', () => {
  const { written, process, log } = open()
  log.write('before\n')
  process.emit('exit')
  log.write('at the end\n')
  vi.runAllTimers()
  expect(written).toEqual(['before\n', 'at the end\n'])
})

test('a process that ends writes in its own thread, which it waits for', () => {
  const written: string[] = []
  const process = new EventEmitter()
  const output = {
    sync: false,
    write(text: string) {
      if (output.sync) written.push(text)
    },
    flushSync: vi.fn(),
  }
  const log = batchedLines(output, { process })
  log.write('before\n')
  process.emit('exit')
  log.write('at the end\n')
  expect(written).toEqual(['before\n', 'at the end\n'])
  expect(output.flushSync).toHaveBeenCalledTimes(2)
})

test('flush writes pending lines before other output', () => {
  const { written, log } = open()
  log.write('one\n')
  log.flush()
  expect(written).toEqual(['one\n'])
  vi.runAllTimers()
  expect(written).toEqual(['one\n'])
})
