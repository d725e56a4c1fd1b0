import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchedLines } from './batched-lines.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function open() {
  const written: string[] = []
  const process = new EventEmitter()
  return { written, process, log: batchedLines({ write: (text) => written.push(text) }, process) }
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

test('a process that ends loses no line, including those written while it ends', () => {
  const { written, process, log } = open()
  log.write('before\n')
  process.emit('exit')
  log.write('at the end\n')
  vi.runAllTimers()
  expect(written).toEqual(['before\n', 'at the end\n'])
})

test('flush writes pending lines before other output', () => {
  const { written, log } = open()
  log.write('one\n')
  log.flush()
  expect(written).toEqual(['one\n'])
  vi.runAllTimers()
  expect(written).toEqual(['one\n'])
})
